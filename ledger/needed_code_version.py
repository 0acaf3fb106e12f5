"""Version of the code that a database needs: its reading version.

The number rises only when older code would read or write wrongly. So old and new code can run side by side as
long as an update lasts, and the old code can be started again. Code therefore reads a version before any
database needs it, and writes by what the database says.
"""

from typing import Final

from django.db import connection, transaction

from ledger.hashing import Encoding
from ledger.models import Compatibility
from ledger.writer_lock import keep_writers_waiting

KNOWN: Final = 5
"""The highest reading version that this code knows.

1: facts of the encodings 1 and 2. 2: facts of encoding 3 as well, which older code takes for altered.
3: draws of mini-tournaments are facts of the same type as all other draws, which older code can't read.
4: the end of a game can rank its seats by `places`, which older code refuses.
5: a tournament can note who isn't at a table, which older code doesn't know.
"""

_ROW: Final = 1


def needed() -> int:
    """Return the reading version that the database needs; one query."""
    return Compatibility.objects.filter(pk=_ROW).values_list("needs", flat=True).first() or 1


def encoding_of_new_facts(needs: int | None) -> Encoding:
    """Return the encoding by which a database that needs this reading version has its new facts written."""
    return Encoding.NUMBERED if needs is not None and needs >= 2 else Encoding.WITHOUT_NUMBER


def refusal(needs: int, what: str) -> str:
    """Return the sentence with which something of a higher reading version is refused; empty if it isn't."""
    if needs <= KNOWN:
        return ""
    return (
        f"{what} needs reading version {needs}, and this version of the service knows {KNOWN}: "
        "use the version that it comes from, or a newer one."
    )


def refusal_here() -> str:
    """Return the sentence with which this database is refused, whatever tables it has; empty if it isn't."""
    if Compatibility._meta.db_table not in connection.introspection.table_names():
        return ""
    return refusal(needed(), "The database")


def rise(version: int = KNOWN) -> bool:
    """Have the database need at least this reading version from now on; whether it is news.

    From then on facts are written as that version has them, and code that doesn't know it is refused. Writers
    wait until it is done, so that in no stream a fact of an earlier encoding follows.
    """
    if needed() >= version:
        return False
    with transaction.atomic():
        keep_writers_waiting()
        Compatibility.objects.get_or_create(pk=_ROW)
        # Newer code may have risen it further meanwhile.
        return bool(Compatibility.objects.filter(pk=_ROW, needs__lt=version).update(needs=version))


def rise_if_served_before() -> bool:
    """`rise` where this version has served the database before; else note that it does now.

    For the embedded service, of which only one can run: until its second start the version before can be
    started again.
    """
    with transaction.atomic():
        row, _ = Compatibility.objects.get_or_create(pk=_ROW)
        if row.served >= KNOWN:
            return rise()
        Compatibility.objects.filter(pk=_ROW).update(served=KNOWN)
        return False


def projected() -> int:
    """Return the version of projections that the database's rows were built by; one query."""
    return Compatibility.objects.filter(pk=_ROW).values_list("projected", flat=True).first() or 0


def set_projected(version: int) -> None:
    """Note that all projected rows were built by this version of projections."""
    Compatibility.objects.update_or_create(pk=_ROW, defaults={"projected": version})
