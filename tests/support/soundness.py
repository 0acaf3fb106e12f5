"""Whether what is stored of a tournament follows from its facts."""

from tests.support.run import long
from tournaments.models import Tournament
from tournaments.projections import standings
from tournaments.projections.rebuild import rebuild
from tournaments.verification.row_snapshots import picture
from tournaments.verification.verify import verify


def assert_sound(tournament: Tournament) -> None:
    """Nothing in its event is wrong, which says that all built again would be the same; with `--long` it is
    built again.
    """
    assert [str(wrong) for wrong in verify(tournament.event)] == []
    if long.asked:
        assert_rebuilt(tournament)


def assert_rebuilt(tournament: Tournament) -> None:
    """Built again it is the same: verification finds as much without changing a row."""
    standings.compute(tournament.pk)
    before = picture(tournament)
    rebuild(tournament.event)
    assert picture(tournament) == before
