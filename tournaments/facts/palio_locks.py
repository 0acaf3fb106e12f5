"""Lock of a palio, held until the transaction ends."""

from tournaments.models import Palio


def lock(palio: Palio) -> Palio:
    """The palio as it is now, locked until the transaction ends."""
    rows = Palio.objects.select_for_update(no_key=True, of=("self",)).select_related("event")
    return rows.get(pk=palio.pk)
