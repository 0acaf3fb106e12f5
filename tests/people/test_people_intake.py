"""Lists of entries as organizers have them: encodings, delimiters, headers, and what is said of bad rows."""

import csv
from collections.abc import Iterator
from datetime import date
from io import StringIO

import pytest
from django.utils import translation
from hypothesis import given
from hypothesis import strategies as st

from people.ages import age_on
from people.input_problems import BadInputError, Code, InputProblem
from people.input_sentences import sentence
from people.intake import delimited_text
from people.intake.delimited_text import MAX_BYTES, MAX_COLUMNS, MAX_ROWS, MOST_BLANK, Record, filled_records
from people.intake.encodings import decode, strange_letters
from people.intake.entry_fields import EntryField
from people.intake.full_names import NameOrder, guess_order, split_name
from people.intake.rows import IntakeRules, PersonKey, TeamName, person_key
from people.intake.sheet_reading import Options
from tests.people.support import (
    CENTRO,
    DAY,
    HEADER,
    INFERIORE,
    RULES,
    SUPERIORE,
    TEAMS,
    field_mapping,
    found,
    read,
    read_row,
)

GOOD = ("Nava", "Ginevra", "13/07/2015", "Superiore")


def refusal(
    data: str | bytes, mapping: dict[EntryField, str] | None = None
) -> tuple[str, int | None, dict[str, object]]:
    """Code, line and parameters of the one problem for which a file is refused."""
    with pytest.raises(BadInputError) as refused:
        read(data, options=Options(mapping or {}))
    (problem,) = refused.value.problems
    return problem.code.value, problem.line, dict(problem.params)


# --- The three samples --------------------------------------------------------------------------------------


def test_intake_reads_an_italian_file_in_windows_1252() -> None:
    sheet = read(SUPERIORE)
    assert (len(sheet.good), found(sheet), sheet.source.delimiter, sheet.notes_dropped) == (14, [], ";", True)
    nicolo = sheet.good[2]
    assert (nicolo.last_name, nicolo.first_name, nicolo.birth_date) == (
        "Sangiorgio",
        "Nicolò",
        date(2013, 5, 26),
    )
    assert {person.team for person in sheet.good} == {TEAMS[0]}


def test_intake_reads_an_english_file_in_utf_8() -> None:
    sheet = read(CENTRO)
    assert (len(sheet.good), found(sheet), sheet.source.delimiter) == (12, [], ",")
    assert [f"{person.first_name} {person.last_name}" for person in sheet.good] == [
        "Mariasole Corti", "Samuele Riva", "Nicolò Spreafico", "Giulia Brambilla", "Chloé Viganò",
        "Aurora Colombo", "Chloé Isella", "Nicolò Colombo", "Mariasole Pozzi", "Anna Valsecchi", "Luca Corti",
        "Mattia Corti",
    ]  # fmt: skip


def test_intake_counts_lines_across_line_breaks_in_quotes() -> None:
    assert [row.line for row in read(CENTRO).rows] == [2, 3, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14]


def test_intake_names_the_problem_of_every_bad_row() -> None:
    sheet = read(INFERIORE)
    assert len(sheet.good) == 9
    assert found(sheet) == [
        (11, "Cognome", "twice_in_file"),
        (12, "Nato il", "too_old"),
        (13, "Nato il", "too_young"),
        (14, "Nato il", "missing"),
        (15, "Nato il", "date_impossible"),
        (16, "Contrada", "team_unknown"),
        (17, "Nato il", "date_short_year"),
        (18, "", "empty_line"),
        (19, "5", "extra_column"),
    ]
    params = {problem.line: problem.params for problem in sheet.problems}
    assert params[11]["other_line"] == 4
    assert (params[12]["age"], params[13]["age"]) == (18, 2)
    assert params[16]["suggestion"] == "Inferiore"
    assert params[19]["width"] == 4


# --- Encodings ----------------------------------------------------------------------------------------------

ACCENTED = "Cognome;Nome;Nato il;Contrada\n" + "".join(
    f"{last};{first};13/07/201{year};Superiore\n"
    for year, (last, first) in enumerate(
        [("Müller", "Nicolò"), ("D’Angelo", "Chloé"), ("Viganò", "Noè"), ("Muñoz", "Zoë"), ("PATTÌ", "LALLÀ")]
    )
)


@pytest.mark.parametrize(
    ("codec", "name"),
    [
        ("utf-8", "UTF-8"),
        ("utf-8-sig", "UTF-8"),
        ("utf-16", "UTF-16"),
        ("utf-16-le", "UTF-16"),
        ("utf-16-be", "UTF-16"),
        ("utf-32", "UTF-32"),
        ("cp1252", "Windows-1252"),
        ("mac_roman", "MacRoman"),
        ("cp850", "DOS (850)"),
    ],
)
def test_intake_detects_each_encoding(codec: str, name: str) -> None:
    # The code page of DOS has no typographic apostrophe.
    people = ACCENTED.replace("’", "'") if codec == "cp850" else ACCENTED
    sheet = read(people.encode(codec))
    assert (sheet.source.encoding, found(sheet)) == (name, [])
    assert sheet.good == read(people).good


def test_intake_reads_unicode_text_of_excel_with_tabs() -> None:
    sheet = read(b"\xff\xfe" + ACCENTED.replace(";", "\t").replace("\n", "\r\n").encode("utf-16-le"))
    assert (sheet.source.delimiter, sheet.good) == ("\t", read(ACCENTED).good)


@pytest.mark.parametrize("codec", ["cp1252", "mac_roman", "cp850"])
@pytest.mark.parametrize(
    "name",
    ["Nicolò", "Chloé", "Noè", "Lalà", "Desirée", "Muñoz", "Müller", "Jürgen", "José", "NICOLÒ", "JOSÉ",
     "Ángel", "Pàtti", "Gioacchì", "Gesù"],
)  # fmt: skip
def test_encoding_is_detected_from_one_accented_name(name: str, codec: str) -> None:
    assert decode(f"Rossi;{name};13/07/2015\n".encode(codec)).text == f"Rossi;{name};13/07/2015\n"


@pytest.mark.parametrize("codec", ["cp1252", "mac_roman"])
@pytest.mark.parametrize(
    "name",
    ["Dell’Orto", "D’Angelo", "Èva", "Ìda", "François", "Bjørn", "Sørensen", "Bärbel", "Anaïs", "Ramón"],
)
def test_encoding_is_windows_or_macintosh_rather_than_dos(name: str, codec: str) -> None:
    assert decode(f"Rossi;{name};13/07/2015\n".encode(codec)).text == f"Rossi;{name};13/07/2015\n"


@pytest.mark.parametrize("name", ["Škoda", "Žižek", "NICOLò", "Ruiž", "Brož", "Dvořák".replace("ř", "r")])
def test_encoding_is_windows_where_macintosh_would_misread(name: str) -> None:
    assert decode(f"{name};Ada\n".encode("cp1252")).text == f"{name};Ada\n"


@pytest.mark.parametrize(
    ("name", "letters"),
    [("NicolÃ²", "Ã²"), ("ChloÃ©", "Ã©"),
     ("Nicol˜", "˜"), ("Chlo\u017d", "\u017d"), ("Mu–oz", "–"), ("Mar“a", "“"),
     ("Ada ☺", "☺"), ("Jos�", "")],
)  # fmt: skip
def test_intake_refuses_strange_letters_in_names(name: str, letters: str) -> None:
    sheet = read_row("Rossi", name, *GOOD[2:])
    (problem,) = sheet.problems
    assert sheet.good == ()
    expected = ("strange_letters", letters) if letters else ("odd_characters", None)
    assert (problem.code.value, problem.params.get("letters")) == expected


@pytest.mark.parametrize(
    "name",
    ["Nicolò", "D’Angelo", "Rossi–Bianchi", "Mario “Pippo”", "Gal·la", "Dell'Orto", "Ørsted", "Łukasz", "Zoë",
     "Nguyễn", "محمد", "李小龙", "Mª Carmen", "DeLuca", "O‘Hara", "Anne‑Marie"],
)  # fmt: skip
def test_names_of_all_sorts_have_no_strange_letters(name: str) -> None:
    assert strange_letters(name) == ""


# --- Full names in one column -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "order", "last_name", "first_name"),
    [
        ("Rossi Ada", "surname_first", "Rossi", "Ada"),
        ("Rossi Anna Maria", "surname_first", "Rossi", "Anna Maria"),
        ("De Luca Anna Maria", "surname_first", "De Luca", "Anna Maria"),
        ("Della Valle Gioia", "surname_first", "Della Valle", "Gioia"),
        ("D'Angelo Luca", "surname_first", "D'Angelo", "Luca"),
        ("Van den Berg Kim", "surname_first", "Van den Berg", "Kim"),
        ("Rossi Bianchi Ada", "surname_first", "Rossi Bianchi", "Ada"),
        ("Ada Rossi", "name_first", "Rossi", "Ada"),
        ("Anna Maria De Luca", "name_first", "De Luca", "Anna Maria"),
        ("Ada Rossi Bianchi", "name_first", "Rossi Bianchi", "Ada"),
        ("Yuki Della Valle", "name_first", "Della Valle", "Yuki"),
        ("Di Ada", "surname_first", "Di", "Ada"),
        # Whatever the order, a comma and capitals say it themselves.
        ("Rossi, Ada Maria", "name_first", "Rossi", "Ada Maria"),
        ("ROSSI BIANCHI Ada", "name_first", "ROSSI BIANCHI", "Ada"),
        ("Ada DE LUCA", "surname_first", "DE LUCA", "Ada"),
        ("ROSSI ADA", "surname_first", "ROSSI", "ADA"),
        ("Rossi", "surname_first", "Rossi", ""),
        ("", "name_first", "", ""),
    ],
)
def test_full_name_is_split_into_last_and_first_name(
    text: str, order: str, last_name: str, first_name: str
) -> None:
    assert split_name(text, NameOrder(order)) == (last_name, first_name)


@pytest.mark.parametrize(
    ("header", "names", "order"),
    [
        ("Cognome e nome", ["Nava Yuki"], "surname_first"),
        ("Nome e cognome", ["Yuki Nava"], "name_first"),
        ("First name, last name", ["Yuki Nava"], "name_first"),
        ("Nominativo", ["Ginevra Nava", "Luca Riva", "Riva Yuki"], "name_first"),
        ("Nominativo", ["Nava Ginevra", "Riva Luca"], "surname_first"),
        # The names count for more than what stands above them.
        ("Cognome e nome", ["Ginevra Nava", "Luca Riva"], "name_first"),
        ("Nominativo", ["Yuki NAVA"], "name_first"),
        ("Nominativo", ["NAVA, Yuki", "Nava"], "surname_first"),
    ],
)
def test_order_of_full_names_is_guessed(header: str, names: list[str], order: str) -> None:
    assert guess_order(names, header) == order


@pytest.mark.parametrize(
    "header", ["Cognome e nome", "Name", "Nominativo", "NOME", "full_name", "Nome e cognome", "Bambino/a"]
)
def test_intake_splits_a_column_of_full_names(header: str) -> None:
    text = f"{header};Nato il;Contrada\nNava Ginevra;13/07/2015;Superiore\nRiva;13/07/2015;Centro\n"
    sheet = read(text)
    assert [(person.last_name, person.first_name) for person in sheet.good] == [("Nava", "Ginevra")]
    assert sheet.name_order == "surname_first"
    assert found(sheet) == [(3, header, "missing")]
    assert sheet.rows[0].cells[EntryField.FULL_NAME] == "Nava Ginevra"
    other = read(text, options=Options({}, name_order=NameOrder.NAME_FIRST))
    assert [(person.last_name, person.first_name) for person in other.good] == [("Ginevra", "Nava")]
    assert other.digest != sheet.digest


def test_intake_drops_a_full_name_column_beside_both_names() -> None:
    sheet = read_row("Nava Ginevra", *GOOD, header="Nominativo;" + HEADER)
    assert (sheet.name_order, sheet.good[0].first_name) == (None, "Ginevra")
    assert sheet.columns.dropped == ("Nominativo",)
    both = {EntryField.LAST_NAME: 1, EntryField.FULL_NAME: 0, EntryField.BIRTH_DATE: 3, EntryField.TEAM: 4}
    with pytest.raises(BadInputError, match="names_twice"):
        read_row("Nava Ginevra", *GOOD, header="Nominativo;" + HEADER, options=Options({}, columns=both))


# --- Notes and columns --------------------------------------------------------------------------------------


def test_intake_reads_notes_only_if_asked_for() -> None:
    assert [person.note for person in read(CENTRO).good] == [""] * 12
    assert [row.cells.get(EntryField.NOTE) for row in read(CENTRO).rows] == [None] * 12
    with_notes = read(CENTRO, options=Options({}, with_notes=True))
    assert with_notes.good[3].note == "allergia\nfrutta secca"
    assert with_notes.notes_dropped is False


def test_intake_drops_and_names_unknown_columns() -> None:
    sheet = read_row(*GOOD, "via Roma 3", "3331234567", header=f"{HEADER};Indirizzo;Telefono")
    assert sheet.columns.dropped == ("Indirizzo", "Telefono")
    assert "Roma" not in repr(sheet.rows) + str([row.cells for row in sheet.rows])
    assert len(sheet.good) == 1


@pytest.mark.parametrize(
    "header",
    [
        "Cognome;Nome;Data di nascita;Contrada",
        "COGNOME;NOME;DATA NASCITA;SQUADRA",
        "surname;First Name;Date of birth;Team",
        "last_name;first_name;birth_date;team",
        "Cognome:;Nome:;Nato/a il;Rione",
        "  cognome ;nome; nata il ;contrada",
    ],
)
def test_intake_knows_headers_in_two_languages_and_any_case(header: str) -> None:
    assert len(read_row(*GOOD, header=header).good) == 1


def test_intake_names_missing_columns_and_those_found() -> None:
    code, _, params = refusal("Cognome;Età\nNava;7\n")
    assert code == "columns_missing"
    assert params == {"missing": ("first_name", "birth_date", "team"), "found": ("Cognome", "Età")}


def test_intake_column_mapping_names_columns_by_header() -> None:
    text = "Chi;Nome;Giorno;Gruppo\nNava;Ginevra;13/07/2015;Superiore\n"
    mapping = field_mapping(last_name="chi", birth_date="GIORNO", team="Gruppo")

    assert len(read(text, options=Options(mapping)).good) == 1
    assert refusal(text, mapping={**mapping, EntryField.TEAM: "Rione"})[0] == "column_unknown"
    assert refusal(text, mapping={**mapping, EntryField.TEAM: "Giorno"})[0] == "column_shared"


def test_intake_refuses_two_columns_for_one_field() -> None:
    text = f"{HEADER};Squadra\nNava;Ginevra;13/07/2015;Superiore;Rossi\n"
    code, _, params = refusal(text)
    assert (code, params) == ("column_twice", {"field": "team", "columns": ("Contrada", "Squadra")})
    assert len(read(text, options=Options(field_mapping(team="Contrada"))).good) == 1


def test_intake_of_a_list_without_teams_takes_a_team_for_all() -> None:
    text = "Cognome;Nome;Nato il\nNava;Ginevra;13/07/2015\n"
    assert refusal(text)[2]["missing"] == ("team",)
    assert [person.team for person in read(text, options=Options({}, team=TEAMS[1])).good] == [TEAMS[1]]


# --- Files --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("delimiter", [";", ",", "\t"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252"])
def test_intake_reads_every_delimiter_line_end_and_encoding(delimiter: str, end: str, encoding: str) -> None:
    lines = ["Cognome;Nome;Nato il;Contrada;Note", 'Viganò;Chloé;19/03/2011;Centro;"a, b\tc"', ""]
    text = end.join(lines).replace(";", delimiter)
    (person,) = read(text.encode(encoding), options=Options({}, with_notes=True)).good
    assert (person.last_name, person.first_name, person.note) == ("Viganò", "Chloé", "a, b c")


def test_intake_ignores_delimiters_inside_quotes() -> None:
    text = (
        'Cognome;Nome;Nato il;Contrada;"Note, allergie, altro"\nNava;Ginevra;13/07/2015;Superiore;"a,b,c,d"\n'
    )
    assert read(text).source.delimiter == ";"


def test_intake_obeys_a_sep_line() -> None:
    sheet = read("sep=,\r\nCognome,Nome,Nato il,Contrada\r\nNava,Ginevra,13/07/2015,Superiore\r\n")
    assert (len(sheet.good), sheet.rows[0].line) == (1, 3)


def test_intake_reads_doubled_quotes_and_blanks_around_quotes() -> None:
    (person,) = read_row(' "Nava" ', '"Ginevra ""Gina"""', *GOOD[2:]).good
    assert (person.last_name, person.first_name) == ("Nava", 'Ginevra "Gina"')


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "file_empty"),
        (b" \r\n;;\r\n", "file_empty"),
        (b";;;\n;;\n", "file_empty"),
        (b"\xef\xbb\xbf", "file_empty"),
        ("Cognome;Nome".encode("utf-16") + b"x", "file_utf16"),
        ("Cognome;Nome".encode("utf-16-le") + b"x", "file_utf16"),
        (b"PK\x03\x04" + bytes(100), "file_broken"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(100), "file_spreadsheet"),
        (b"%PDF-1.7\n\x00\x01", "file_other_kind"),
        (b"\xef\xbb\xbf%PDF-1.7\n\x00\x01", "file_other_kind"),
        (b"Cognome;Nome\x00", "file_binary"),
        (b"Cognome\x81\x02;Nome", "file_binary"),
    ],
)
def test_intake_refuses_a_file_that_is_no_list(data: bytes, code: str) -> None:
    assert refusal(data)[0] == code


OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(500)


@pytest.mark.parametrize(
    ("data", "kind", "advice"),
    [
        (b"%PDF-1.7\n", "pdf", "is a PDF"),
        (b"\x89PNG\r\n\x1a\n", "image", "is an image"),
        (b"\xff\xd8\xff\xe0\x00\x10JFIF", "image", "is an image"),
        (b"\x00\x00\x00\x18ftypheic", "image", "is an image"),
        (b"{\\rtf1\\ansi Rossi", "document", "paste it here"),
        (OLE + "WordDocument".encode("utf-16-le"), "document", "paste it here"),
        (OLE + "Workbook".encode("utf-16-le"), "old_excel", "save it as XLSX"),
        (OLE + "EncryptedPackage".encode("utf-16-le"), "locked", "without one"),
        (OLE, "spreadsheet", "isn’t read here"),
        (b"\xef\xbb\xbf\n <HTML><table>", "web_page", "is a web page"),
        (b"7z\xbc\xaf\x27\x1c", "archive", "unpack it"),
    ],
)
def test_intake_names_the_kind_of_another_file(data: bytes, kind: str, advice: str) -> None:
    code, _line, params = refusal(data)
    assert params == {"kind": kind}
    assert code in ("file_other_kind", "file_spreadsheet")
    with translation.override("en"):
        assert advice in sentence(InputProblem(Code(code), params={"kind": kind}))


def test_intake_refuses_a_file_over_the_size_limit() -> None:
    head = f"{HEADER}\n".encode()
    assert read(head + b" " * (MAX_BYTES - len(head))).rows == ()
    assert refusal(head + b" " * (MAX_BYTES - len(head) + 1))[0] == "file_too_big"


def test_intake_refuses_an_unclosed_quote_at_its_line() -> None:
    text = f'{HEADER}\nNava;Ginevra;13/07/2015;Superiore\nRiva;"Samuele;06/01/2015;Centro\nCorti;Luca'
    assert refusal(text)[:2] == ("quote_not_closed", 3)
    assert refusal(text + "\n" + "x" * 200_000)[:2] == ("quote_not_closed", 3)


def test_intake_refuses_one_row_over_the_limit() -> None:
    row = "Nava;Ginevra;13/07/2015;Superiore\n"
    assert len(read(f"{HEADER}\n" + row * MAX_ROWS).rows) == MAX_ROWS
    assert refusal(f"{HEADER}\n" + row * (MAX_ROWS + 1))[0] == "file_too_many_rows"


def test_intake_refuses_too_many_columns_but_takes_blank_ones() -> None:
    text = f"{HEADER};;;;\nNava;Ginevra;13/07/2015;Superiore;;;;\nRiva;Ada;13/07/2015;Superiore;;;x;\n"
    assert found(read(text)) == [(3, "7", "extra_column")]
    assert len(read(HEADER + ";a" * (MAX_COLUMNS - 4)).columns.names) == MAX_COLUMNS
    assert refusal(HEADER + ";a" * (MAX_COLUMNS - 3))[0] == "file_too_many_columns"


def test_intake_refuses_too_many_empty_lines_between_rows() -> None:
    most = f"{HEADER}\n" + "\n" * MAX_ROWS + ";".join(GOOD)
    assert len(read(most).remarks) == MAX_ROWS
    with pytest.raises(BadInputError, match=r"^file_too_many_rows$"):
        read(f"\n{most}")


def test_intake_refuses_a_file_of_empty_lines_early() -> None:
    taken = 0

    def records() -> Iterator[Record]:
        nonlocal taken
        for taken in range(1, 2 * MOST_BLANK):
            yield Record(taken, ())

    with pytest.raises(BadInputError, match=r"^file_too_many_rows$"):
        filled_records(records())
    assert taken == MOST_BLANK + 1


@pytest.mark.parametrize("wide", [";" * 1_000_000, ";" * 1_000_000 + "x", "x;" * 500_000 + "x"])
def test_intake_refuses_a_million_columns_without_reading_them(
    wide: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked_at = 0

    def unguarded(cell: str) -> str:
        nonlocal looked_at
        looked_at += 1
        return cell

    monkeypatch.setattr(delimited_text, "_unguarded", unguarded)
    expected = "file_too_many_columns" if wide.endswith("x") else "file_empty"

    assert refusal(wide)[0] == expected
    assert looked_at < 10 * MAX_COLUMNS


def test_intake_takes_any_number_of_blank_cells_at_a_row_s_end() -> None:
    blanks = ";" * MAX_COLUMNS * 2
    sheet = read(f"{HEADER}{blanks}\n{';'.join(GOOD)}{blanks}\n")
    assert (len(sheet.good), found(sheet)) == (1, [])


def test_intake_passes_over_quoted_blank_lines_at_the_end() -> None:
    sheet = read(f"{HEADER}\n{';'.join(GOOD)}\n" + '"";""\n' * 3)
    assert (len(sheet.good), found(sheet)) == (1, [])


def test_intake_passes_over_a_million_empty_lines_at_the_end() -> None:
    sheet = read(f"{HEADER}\n{';'.join(GOOD)}\n" + ";\n" * 900_000)
    assert (len(sheet.good), found(sheet)) == (1, [])


def test_intake_reports_empty_lines_between_rows_alone() -> None:
    sheet = read(f"\n{HEADER}\n;;;\nNava;Ginevra;13/07/2015;Superiore\n\n;;;\n\n")
    assert (len(sheet.good), found(sheet)) == (1, [(3, "", "empty_line")])
    assert sheet.bad == ()


def test_intake_of_a_header_alone_has_no_rows() -> None:
    assert read(HEADER).rows == ()


# --- Rows ---------------------------------------------------------------------------------------------------


def test_intake_names_every_problem_of_a_row() -> None:
    assert found(read_row("", "12", "31/04/2012", "Nord", "x")) == [
        (2, "Cognome", "missing"),
        (2, "Nome", "no_letters"),
        (2, "Nato il", "date_impossible"),
        (2, "Contrada", "team_unknown"),
        (2, "5", "extra_column"),
    ]


def test_intake_names_missing_cells_of_a_short_row() -> None:
    assert found(read_row("Nava", "Ginevra")) == [(2, "Nato il", "missing"), (2, "Contrada", "missing")]


@pytest.mark.parametrize(
    "text",
    ["2012-03-05", "2012-3-5", "05/03/2012", "5/3/2012", "05-03-2012", "5.3.2012", "2012-03-05 00:00:00"],
)
def test_birth_date_is_read_with_the_day_or_the_year_first(text: str) -> None:
    assert [person.birth_date for person in read_row("Nava", "Ginevra", text, "Centro").good] == [
        date(2012, 3, 5)
    ]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("5/3/12", "date_short_year"),
        ("05-03-'12", "date_short_year"),
        ("03/25/2012", "date_impossible"),
        ("29/02/2011", "date_impossible"),
        ("0000-01-01", "date_impossible"),
        ("05/03-2012", "date_unreadable"),
        ("marzo", "date_unreadable"),
        ("40972", "date_unreadable"),
        ("٠٥/٠٣/٢٠١٢", "date_unreadable"),
        ("18/09/2022", "born_after_event"),
        ("18/09/2015", "too_young"),
        ("17/09/2007", "too_old"),
    ],
)
def test_birth_date_is_refused_with_its_reason(text: str, code: str) -> None:
    assert found(read_row("Nava", "Ginevra", text, "Centro")) == [(2, "Nato il", code)]


@pytest.mark.parametrize("text", ["17/09/2015", "18/09/2007"])
def test_birth_date_at_a_limit_of_age_is_accepted(text: str) -> None:
    assert len(read_row("Nava", "Ginevra", text, "Centro").good) == 1


@pytest.mark.parametrize("text", ["Centro", "CENTRO", " céntro ", "cen", "Cen."])
def test_team_is_found_by_either_name_in_any_case_and_accents(text: str) -> None:
    assert [person.team for person in read_row(*GOOD[:3], text).good] == [TEAMS[1]]


@pytest.mark.parametrize(
    ("text", "suggestion"), [("Inferiroe", "Inferiore"), ("Contrada Superiore", "Superiore"), ("Xyz", "")]
)
def test_misspelt_team_is_refused_with_a_suggestion(text: str, suggestion: str) -> None:
    (problem,) = read_row(*GOOD[:3], text).problems
    assert (problem.value, problem.params["suggestion"]) == (text, suggestion)
    assert problem.params["teams"] == ("Superiore", "Centro", "Inferiore")


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("A\x07nna", "odd_characters"),
        ("Anna\x1b[31m", "odd_characters"),
        ("Nicol\N{REPLACEMENT CHARACTER}", "odd_characters"),
        ("???", "no_letters"),
        ("-", "no_letters"),
        ("A" * 61, "too_long"),
        ("\u200b \u00a0", "missing"),
    ],
)
def test_name_that_can_be_none_is_refused(name: str, code: str) -> None:
    assert found(read_row("Nava", name, *GOOD[2:])) == [(2, "Nome", code)]


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        ("=HYPERLINK(1)", "=HYPERLINK(1)"),
        ("+Anna", "+Anna"),
        ("Dell’Orto", "Dell’Orto"),
        ("Maria \u00a0 Grazia", "Maria Grazia"),
        ("Nicolo\u0300", "Nicolò"),
        ("A\u200bnna\ufeff", "Anna"),
        ("A" * 60, "A" * 60),
        ("李", "李"),
    ],
)
def test_name_is_kept_composed_and_without_stray_blanks(written: str, kept: str) -> None:
    assert [person.first_name for person in read_row("Nava", written, *GOOD[2:]).good] == [kept]


def test_intake_problem_s_value_is_short_and_printable() -> None:
    (problem,) = read_row("Nava", "\x1b]0;" + "A" * 100, *GOOD[2:]).problems[:1]
    assert problem.value.startswith("\N{REPLACEMENT CHARACTER}]0")
    long = read_row("Nava", "A" * 100, *GOOD[2:]).problems[0]
    assert (len(long.value), long.value[-1]) == (60, "…")


def test_person_twice_in_a_file_is_found_in_any_spelling() -> None:
    text = f"{HEADER}\nDell'Orto;Nicolò;16/02/2014;Superiore\nDELL ORTO;nicolo;2014-02-16;Centro\n"
    assert found(read(text)) == [(3, "Cognome", "twice_in_file")]


def test_person_in_a_bad_row_does_not_count_as_the_first() -> None:
    text = f"{HEADER}\nNava;Ginevra;13/07/2015;Nord\nNava;Ginevra;13/07/2015;Superiore\n"
    assert found(read(text)) == [(2, "Contrada", "team_unknown")]


def test_person_entered_already_is_refused_with_the_entry() -> None:
    known = {person_key("NAVA", "ginevra", date(2015, 7, 13)): "Superiore 7"}
    sheet = read(f"{HEADER}\n{';'.join(GOOD)}\n", rules=IntakeRules(DAY, 7, 14, TEAMS, known))
    assert found(sheet) == [(2, "Cognome", "already_entered")]
    assert sheet.problems[0].params["entered_as"] == "Superiore 7"


def test_note_over_the_limit_is_refused_only_if_notes_are_read() -> None:
    cells = (*GOOD, "x" * 1001)
    assert len(read_row(*cells, header=f"{HEADER};Note").good) == 1
    with_notes = read_row(*cells, header=f"{HEADER};Note", options=Options({}, with_notes=True))
    assert found(with_notes) == [(2, "Note", "too_long")]


def test_intake_digest_differs_with_the_outcome() -> None:
    assert read(INFERIORE).digest == read(INFERIORE).digest
    assert read(INFERIORE).digest != read(INFERIORE, rules=IntakeRules(DAY, 7, 18, TEAMS)).digest
    assert read(CENTRO).digest != read(CENTRO, options=Options({}, with_notes=True)).digest


def test_repr_of_rows_and_problems_has_no_names() -> None:
    sheet = read(INFERIORE)
    printed = repr(sheet) + repr(BadInputError(*sheet.problems)) + str(BadInputError(*sheet.problems))
    for name in ("Mauri", "Perego", "PEREGO", "Rossi", "Longo"):
        assert name not in printed


# --- Whatever comes -----------------------------------------------------------------------------------------


@given(st.binary(max_size=300))
def test_intake_of_any_bytes_ends_in_rows_or_a_refusal(data: bytes) -> None:
    for start in (b"", HEADER.encode() + b"\n"):
        try:
            sheet = read(start + data)
        except BadInputError:
            continue
        assert len(sheet.good) + len(sheet.bad) == len(sheet.rows)


def key_of(person: tuple[str, str, date, TeamName]) -> PersonKey:
    """By what drawn persons have to differ."""
    return person_key(person[0], person[1], person[2])


NAMES = st.text(st.characters(categories=["L"], max_codepoint=0x24F), min_size=1, max_size=20).filter(
    lambda name: not strange_letters(name)
)
PEOPLE = st.lists(
    st.tuples(NAMES, NAMES, st.dates(date(2008, 1, 1), date(2015, 9, 17)), st.sampled_from(TEAMS)),
    max_size=8,
    unique_by=key_of,
)


@given(PEOPLE, st.sampled_from(";,\t"), st.sampled_from(["%Y-%m-%d", "%d/%m/%Y", "%d.%m.%Y"]))
def test_csv_of_any_people_reads_back(
    people: list[tuple[str, str, date, TeamName]], delimiter: str, dates: str
) -> None:
    file = StringIO(newline="")
    writer = csv.writer(file, delimiter=delimiter)
    writer.writerow(["Cognome", "Nome", "Nato il", "Contrada"])
    for last_name, first_name, born, team in people:
        writer.writerow([last_name, first_name, born.strftime(dates), team.name.upper()])
    sheet = read(file.getvalue())

    assert found(sheet) == []
    assert [(p.last_name, p.first_name, p.birth_date, p.team) for p in sheet.good] == people


@pytest.mark.parametrize(
    ("birth_date", "day", "age"),
    [
        (date(2012, 2, 29), date(2022, 2, 28), 9),
        (date(2012, 2, 29), date(2022, 3, 1), 10),
        (date(2012, 9, 17), date(2022, 9, 17), 10),
        (date(2012, 9, 18), date(2022, 9, 17), 9),
        (date(2023, 1, 1), date(2022, 9, 17), -1),
    ],
)
def test_age_on_a_day_counts_birthdays(birth_date: date, day: date, age: int) -> None:
    assert age_on(birth_date, day) == age


def test_every_intake_code_is_its_name_in_lower_case() -> None:
    assert all(code.value == code.name.lower() for code in Code)


def test_team_called_finds_a_name_before_a_short_name() -> None:
    teams = (TEAMS[0], TEAMS[1].__class__(TEAMS[1].id, "Sup", "Sup"))
    assert IntakeRules(DAY, 7, 14, teams).team_called("sup") == teams[1]
    assert RULES.team_called("sup") == TEAMS[0]
