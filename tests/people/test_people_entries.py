"""Entering people: preview, confirmation, numbers, by hand, and what happens to entries afterwards."""

from concurrent.futures import ThreadPoolExecutor
from datetime import date
from itertools import groupby
from threading import Barrier

import pytest
from django.db import IntegrityError, connection, connections
from django.test.utils import CaptureQueriesContext

from people import entries
from people.actors import Actor
from people.entries import (
    BadRowsError,
    ImportResult,
    PreviewChangedError,
    confirm_import,
    correct_person,
    enter_by_hand,
    move,
    preview_import,
    reinstate,
    withdraw,
)
from people.input_problems import BadInputError
from people.models import AuditEntry, Entry, Event, Person
from tests.people.support import CENTRO, HEADER, INFERIORE, SUPERIORE, festival


def import_file(event: Event, data: bytes, actor: Actor, *, skip_bad: bool = False) -> ImportResult:
    """Preview a file and confirm it."""
    digest = preview_import(event, data).digest
    return confirm_import(event, data, actor, expected_digest=digest, skip_bad=skip_bad)


def many(count: int, team: str = "Superiore") -> bytes:
    """A list of so many children, all different."""
    rows = (f"Nava{chr(97 + i // 26)}{chr(97 + i % 26)};Anna;01/01/2012;{team}" for i in range(count))
    return "\n".join([HEADER, *rows]).encode()


def stored() -> tuple[int, int, int]:
    """How many persons, entries and lines of their trail there are."""
    return Person.objects.count(), Entry.objects.count(), AuditEntry.objects.exclude(person=None).count()


@pytest.mark.django_db
def test_import_numbers_entries_by_team_in_the_file_s_order() -> None:
    event, teams, actor = festival()
    assert len(import_file(event, SUPERIORE, actor).entries) == 14
    assert len(import_file(event, CENTRO, actor).entries) == 12
    result = import_file(event, INFERIORE, actor, skip_bad=True)
    assert (len(result.entries), result.left_out) == (9, 8)
    for name, size in (("Superiore", 14), ("Centro", 12), ("Inferiore", 9)):
        assert [entry.number for entry in teams[name].entries.all()] == list(range(1, size + 1))
    first = teams["Centro"].entries.select_related("person").get(number=1).person
    assert first is not None
    assert (first.first_name, first.last_name, first.birth_date) == ("Mariasole", "Corti", date(2009, 2, 27))
    assert stored() == (35, 35, 70)


@pytest.mark.django_db
def test_import_preview_stores_nothing() -> None:
    event, _, _ = festival()
    before = stored()
    preview = preview_import(event, INFERIORE)

    assert (len(preview.good), len(preview.bad), preview.columns.dropped) == (9, 8, ())
    assert stored() == before


@pytest.mark.django_db
def test_import_with_bad_rows_is_refused_unless_they_are_skipped() -> None:
    event, _, actor = festival()
    before = stored()
    with pytest.raises(BadRowsError) as refused:
        import_file(event, INFERIORE, actor)

    assert len(refused.value.preview.bad) == 8
    assert stored() == before


@pytest.mark.django_db
def test_import_of_the_same_file_twice_adds_nothing() -> None:
    event, _, actor = festival()
    digest = preview_import(event, SUPERIORE).digest
    confirm_import(event, SUPERIORE, actor, expected_digest=digest)
    after = stored()
    with pytest.raises(PreviewChangedError) as changed:
        confirm_import(event, SUPERIORE, actor, expected_digest=digest)
    assert [problem.code for problem in changed.value.preview.problems] == ["already_entered"] * 14
    assert changed.value.preview.problems[0].params["entered_as"] == "Superiore 1"
    again = import_file(event, SUPERIORE, actor, skip_bad=True)
    assert (again.entries, again.left_out, stored()) == ((), 14, after)


@pytest.mark.django_db
def test_import_of_another_file_than_previewed_is_refused() -> None:
    event, _, actor = festival()
    digest = preview_import(event, SUPERIORE).digest
    with pytest.raises(PreviewChangedError):
        confirm_import(event, CENTRO, actor, expected_digest=digest)
    with pytest.raises(PreviewChangedError):
        confirm_import(event, SUPERIORE + b"\r\nRossi;Ada;01/01/2012;Centro;", actor, expected_digest=digest)

    assert stored()[0] == 0


@pytest.mark.django_db
def test_entry_numbers_go_on_after_a_withdrawal() -> None:
    event, teams, actor = festival()
    import_file(event, many(3), actor)
    withdraw(teams["Superiore"].entries.get(number=3), actor)
    import_file(event, SUPERIORE, actor)

    assert [entry.number for entry in teams["Superiore"].entries.all()] == list(range(1, 18))


@pytest.mark.django_db
def test_import_keeps_notes_out_of_the_audit_trail() -> None:
    event, _, actor = festival()
    preview = preview_import(event, CENTRO, with_notes=True)
    confirm_import(event, CENTRO, actor, expected_digest=preview.digest, with_notes=True)

    assert list(Person.objects.exclude(note="").values_list("note", flat=True)) == ["allergia\nfrutta secca"]
    assert "frutta" not in str(list(AuditEntry.objects.values_list("changes", flat=True)))


@pytest.mark.django_db
@pytest.mark.parametrize("rows", [1, 200])
def test_import_preview_takes_two_queries_for_any_number_of_rows(rows: int) -> None:
    event, _, _ = festival()
    with CaptureQueriesContext(connection) as queries:
        preview_import(event, many(rows))
    assert len(queries) == 2


@pytest.mark.django_db
def test_import_takes_a_few_statements_for_any_number_of_rows() -> None:
    """As many for 200 as for one where a statement takes all rows, else one more for each full batch."""
    counted = []
    for rows in (1, 200):
        event, _, actor = festival()
        with CaptureQueriesContext(connection) as queries:
            import_file(event, many(rows), actor)
        counted.append([q["sql"].split('"')[:2] for q in queries if "SAVEPOINT" not in q["sql"]])
    if connection.features.max_query_params is None:
        assert len(counted[0]) == len(counted[1])

    # The same statements in the same order, once those of one table in a row are taken together.
    assert [each for each, _ in groupby(counted[0])] == [each for each, _ in groupby(counted[1])]
    assert len(counted[1]) - len(counted[0]) <= 10


@pytest.mark.django_db
def test_entry_by_hand_follows_the_rules_of_the_import() -> None:
    event, teams, actor = festival()
    entry = enter_by_hand(
        event, actor, team=teams["Centro"], last_name=" Viganò ", first_name="Chloé", birth_date="19/03/2011",
        shows_name=True,
    )  # fmt: skip
    person = entry.person
    assert person is not None
    assert (entry.number, person.last_name, person.birth_date, person.shows_name) == (
        1, "Viganò", date(2011, 3, 19), True,
    )  # fmt: skip
    with pytest.raises(BadInputError) as refused:
        enter_by_hand(
            event, actor, team=teams["Inferiore"], last_name="VIGANO", first_name="chloe",
            birth_date=date(2011, 3, 19),
        )  # fmt: skip
    (problem,) = refused.value.problems
    assert (problem.code, problem.column, problem.line) == ("already_entered", "last_name", None)
    with pytest.raises(BadInputError) as refused:
        enter_by_hand(event, actor, team=teams["Centro"], last_name="", first_name="?", birth_date="1/1/99")
    assert [problem.code for problem in refused.value.problems] == [
        "missing",
        "no_letters",
        "date_short_year",
    ]
    assert stored() == (1, 1, 2)


@pytest.mark.django_db
def test_entry_for_another_event_s_team_is_refused() -> None:
    event, _, actor = festival()
    _, others, _ = festival()
    for attempt in (
        lambda: preview_import(event, SUPERIORE, team=others["Centro"]),
        lambda: enter_by_hand(
            event, actor, team=others["Centro"], last_name="A", first_name="B", birth_date="2012-01-01"
        ),
    ):
        with pytest.raises(BadInputError, match="of_another_event"):
            attempt()


@pytest.mark.django_db
def test_person_correction_is_checked_and_audited() -> None:
    event, teams, actor = festival()
    import_file(event, many(2), actor)
    entry = teams["Superiore"].entries.get(number=1)
    fields = {
        "first_name": "Anna", "birth_date": "2012-01-01", "note": "", "shows_name": True, "family": "",
        "school_class": "", "is_strong": False,
    }  # fmt: skip
    with pytest.raises(BadInputError, match="already_entered"):
        correct_person(entry, actor, last_name="Navaab", **fields)  # type: ignore[arg-type]  # of mixed types
    correct_person(entry, actor, last_name="Navona", **fields)  # type: ignore[arg-type]  # of mixed types
    correct_person(entry, actor, last_name="Navona", **fields)  # type: ignore[arg-type]  # of mixed types
    (change,) = AuditEntry.objects.filter(action="changed")

    assert change.changes == {"last_name": ["Navaaa", "Navona"], "shows_name": ["False", "True"]}
    assert (change.person_id, change.actor_id) == (entry.person_id, actor.id)


@pytest.mark.django_db
def test_entry_withdrawn_or_moved_twice_is_audited_once() -> None:
    event, teams, actor = festival()
    import_file(event, many(2), actor)
    import_file(event, CENTRO, actor)
    entry = teams["Superiore"].entries.get(number=1)
    withdraw(entry, actor)
    withdraw(entry, actor)
    assert Entry.objects.get(pk=entry.pk).status == Entry.Status.WITHDRAWN
    reinstate(entry, actor)
    move(entry, teams["Centro"], actor)
    move(entry, teams["Centro"], actor)
    entry.refresh_from_db()
    assert (entry.status, entry.team, entry.number) == (Entry.Status.ENTERED, teams["Centro"], 13)
    trail = AuditEntry.objects.filter(action="changed", row_id=entry.pk).order_by("at")
    assert [sorted(line.changes) for line in trail] == [["status"], ["status"], ["number", "team"]]
    with pytest.raises(BadInputError, match="of_another_event"):
        move(entry, festival()[1]["Centro"], actor)


def import_at_once(event: Event, actor: Actor) -> list[list[int]]:
    """Two lists for one team, imported by two threads that start together; the numbers given."""
    barrier = Barrier(2)

    def run(name: str) -> list[int]:
        rows = "\n".join(f"{name}{chr(97 + i)};Anna;01/01/2012;Superiore" for i in range(20))
        data = f"{HEADER}\n{rows}".encode()
        try:
            digest = preview_import(event, data).digest
            barrier.wait()
            result = confirm_import(event, data, actor, expected_digest=digest)
            return [entry.number for entry in result.entries]
        finally:
            connections.close_all()

    with ThreadPoolExecutor(2) as pool:
        return list(pool.map(run, ["Nava", "Riva"]))


@pytest.mark.django_db(transaction=True)
def test_imports_at_once_give_every_entry_a_number_of_its_own() -> None:
    event, teams, actor = festival()
    numbers = import_at_once(event, actor)
    assert sorted(numbers) == [list(range(1, 21)), list(range(21, 41))]
    assert teams["Superiore"].entries.count() == 40


@pytest.mark.django_db(transaction=True)
@pytest.mark.postgresql
def test_twin_imports_at_once_collide_without_the_lock(monkeypatch: pytest.MonkeyPatch) -> None:
    """The twin: numbers are worked out in the same moment, and the database refuses the second ones."""
    event, _, actor = festival()
    both_know = Barrier(2)
    highest = entries._highest_numbers

    def together(of: Event) -> object:
        numbers = highest(of)
        both_know.wait(timeout=60)
        return numbers

    monkeypatch.setattr(entries, "lock_event", lambda event: None)
    monkeypatch.setattr(entries, "_highest_numbers", together)
    with pytest.raises(IntegrityError):
        import_at_once(event, actor)
