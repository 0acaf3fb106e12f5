"""Families, classes and strong players: read from lists, corrected, audited, and gone with the person."""

import pytest

from people.entries import confirm_import, correct_person, enter_by_hand, preview_import
from people.input_problems import BadInputError
from people.intake.rows import MAX_MARK
from people.models import AuditEntry, Person
from people.person_erasure import erase_person, purge
from tests.people.support import HEADER, festival, found, read, read_row

GOOD = ("Nava", "Ginevra", "13/07/2015", "Superiore")


@pytest.mark.parametrize(
    ("columns", "cells", "kept"),
    [
        ("Famiglia;Classe;Forte", ("Nava", "3 B", "x"), ("Nava", "3 B", True)),
        ("FRATELLI;classe e sezione", (" nava  bis ", "3ªB"), ("nava bis", "3ªB", False)),
        ("Sezione;Classe", ("B", "3"), ("", "3 B", False)),
        ("Sezione", ("3B",), ("", "3B", False)),
        ("family;class;seeded", ("4", "9", "yes"), ("4", "9", True)),
        ("siblings;section;strong", ("-", " – ", "-"), ("", "", False)),
        ("family;class;testa di serie", ("no", "", "NO"), ("", "", False)),
        ("testa di serie", ("Sì",), ("", "", True)),
        ("testa di serie", ("✓",), ("", "", True)),
        ("Quartiere", ("Nava",), ("", "", False)),
    ],
)
def test_intake_reads_family_class_and_strength(columns: str, cells: tuple[str, ...], kept: object) -> None:
    (person,) = read_row(*GOOD, *cells, header=f"{HEADER};{columns}").good
    assert (person.family, person.school_class, person.is_strong) == kept


@pytest.mark.parametrize(
    ("column", "cell", "code"),
    [
        # Who answers "brothers and sisters?" with yes has said nothing of which.
        ("Fratelli", "sì", "family_unnamed"),
        ("Family", "Yes", "family_unnamed"),
        ("Famiglia", "n" * (MAX_MARK + 1), "too_long"),
        ("Classe", "n" * (MAX_MARK + 1), "too_long"),
        ("Sezione", "n\x07", "odd_characters"),
        ("Forte", "forse", "not_yes_or_no"),
    ],
)
def test_intake_refuses_a_family_or_strength_that_says_nothing(column: str, cell: str, code: str) -> None:
    sheet = read_row(*GOOD, cell, header=f"{HEADER};{column}")
    assert (found(sheet), sheet.good) == ([(2, column, code)], ())


def test_class_and_section_too_long_together_are_refused() -> None:
    half = "n" * (MAX_MARK // 2)
    sheet = read_row(*GOOD, half, half, header=f"{HEADER};Classe;Sezione")
    assert found(sheet) == [(2, "Classe", "too_long")]


def test_intake_digest_differs_with_family_class_and_strength() -> None:
    header = f"{HEADER};Famiglia;Classe;Forte"
    rows = [("", "", ""), ("a", "", ""), ("", "a", ""), ("", "", "x")]
    assert len({read_row(*GOOD, *cells, header=header).digest for cells in rows}) == 4


def test_repr_of_rows_has_no_family_and_no_class() -> None:
    sheet = read(f"{HEADER};Famiglia;Classe\n{';'.join(GOOD)};Mulinacci;Mulinacci\n")
    assert "Mulinacci" not in repr(sheet.rows) + repr(sheet.good)


@pytest.mark.django_db
def test_import_stores_family_class_and_strength() -> None:
    event, _, actor = festival()
    file = f"{HEADER};Famiglia;Classe;Sezione;Forte\n{';'.join(GOOD)};Nava;3;B;x\n".encode()
    confirm_import(event, file, actor, expected_digest=preview_import(event, file).digest)
    person = event.persons.get()

    assert (person.family, person.school_class, person.is_strong) == ("Nava", "3 B", True)


@pytest.mark.django_db
def test_family_entered_by_hand_is_audited_until_the_person_is_erased() -> None:
    event, teams, actor = festival()
    plain = {"last_name": "Nava", "first_name": "Ginevra", "birth_date": "2012-01-01"}
    first = {**plain, "family": " Nava ", "school_class": "3 B", "is_strong": True}
    entry = enter_by_hand(event, actor, team=teams["Centro"], **first)  # type: ignore[arg-type]  # of mixed types
    person = entry.person
    assert person is not None
    rest = {"note": "", "shows_name": False}
    marks = {"family": "Riva", "school_class": "", "is_strong": False}
    for _ in range(2):
        correct_person(entry, actor, **plain, **rest, **marks)  # type: ignore[arg-type]  # of mixed types
    (change,) = AuditEntry.objects.filter(action="changed")
    assert change.changes == {
        "family": ["Nava", "Riva"], "school_class": ["3 B", ""], "is_strong": ["True", "False"],
    }  # fmt: skip
    with pytest.raises(BadInputError, match="family_unnamed"):
        correct_person(entry, actor, **plain, **rest, **marks | {"family": "sì"})  # type: ignore[arg-type]
    erase_person(Person.objects.get(pk=person.pk), actor)
    trail = str(list(AuditEntry.objects.values_list("changes", flat=True)))
    assert ("Riva" in trail, "3 B" in trail, Person.objects.count()) == (False, False, 0)


@pytest.mark.django_db
def test_purge_erases_families_and_classes() -> None:
    event, teams, actor = festival()
    enter_by_hand(
        event, actor, team=teams["Centro"], last_name="A", first_name="B", birth_date="2012-01-01",
        family="Mulinacci", school_class="Mulinacci",
    )  # fmt: skip
    trail = AuditEntry.objects.filter(event=event).values_list("changes", flat=True)
    assert "Mulinacci" in str(list(trail.all()))  # the twin: it is what would be found
    purge(event, actor)
    assert "Mulinacci" not in str(list(trail.all())) + str(list(Person.objects.values()))
