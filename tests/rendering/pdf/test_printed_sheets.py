"""Certificates, score sheets and lists on paper: what is written on them, on how many pages."""

import re
from dataclasses import replace

import pytest
import segno

from rendering.pdf.certificates import SIZES, Certificate, CertificateWords, print_certificates
from rendering.pdf.document import DocumentHead
from rendering.pdf.lists import Column, ListCell, ListSection, Seal, print_lists
from rendering.pdf.score_sheets import ScoreSheet, ScoreSheetSide, ScoreSheetWords, print_score_sheets
from rendering.pdf.slips import PaperSlip, SlipWords, print_slips
from rendering.svg.team_banner import banner
from tests.support.pdf_text import language_of, pages_of, sizes_of, text_of, title_of

DRAPE = banner(("#8c2131", "#f2c94c"), "per_pale", "C", "drape", "")
SHIELD = banner(("#8c2131", "#f2c94c"), "per_pale", "C", "shield", "")
FIRST = Certificate(
    "Ginevra Nava", "ha giocato per Centro", "1º posto per Centro", "1º", DRAPE, "Centro", True
)
LAST = Certificate("Carlo Conca", "ha giocato per Centro", "", "", DRAPE, "Centro")
ON_CERTIFICATES = CertificateWords(
    "Attestato", "Palio dei rioni", "Borgo Alto, 5 settembre 2026", "La pro loco"
)
ON_SHEETS = ScoreSheetWords(
    *("Palio dei rioni", "Torneo di carte", "Partita", "punti", "Vinte"),
    *("Una crocetta a chi ha vinto.", "posto", "Il posto di ognuno."),
    *("Osservazioni", "Firma dell’arbitro", "Finita alle"),
)
MATCH = ScoreSheet(
    "Tavolo 3",
    "Giro 2 · ore 14:20",
    (
        ScoreSheetSide("Superiore", "Alba A. (1)", SHIELD),
        ScoreSheetSide("Centro", "Bea", SHIELD),
        ScoreSheetSide("Inferiore", "Ciro", SHIELD),
    ),
    ((0, 1), (1, 2), (2, 0)),
)
COLUMNS = (Column("Posto", 1, "right"), Column("Contrada", 4), Column("Punti", 1, "right"))


def rows(count: int) -> tuple[tuple[ListCell, ...], ...]:
    """So many lines of a table."""
    return tuple(
        (ListCell(str(number)), ListCell(f"Contrada {number}", (SHIELD,), "avanti per punti"), ListCell("12"))
        for number in range(1, count + 1)
    )


@pytest.mark.parametrize("size", SIZES)
def test_each_certificate_has_a_page_of_its_own_in_the_size_asked(size: str) -> None:
    made = print_certificates([FIRST, LAST], ON_CERTIFICATES, "it", size)
    first, last = pages_of(made)
    for word in (
        "Attestato",
        "Ginevra Nava",
        "ha giocato per Centro",
        "1º",
        "1º posto per Centro",
        "La pro loco",
    ):
        assert word in first
    assert "Ginevra" not in last
    assert "posto" not in last
    box = re.findall(rb"/MediaBox \[ 0 0 ([\d.]+) ([\d.]+) \]", made)[0]
    assert tuple(map(float, box)) == pytest.approx(SIZES[size], abs=0.1)
    assert (title_of(made), language_of(made)) == ("Attestato · Palio dei rioni", "it")


def test_certificate_wreath_is_drawn_without_a_word() -> None:
    with_wreath = print_certificates([FIRST], ON_CERTIFICATES, "it")
    without = print_certificates([replace(FIRST, has_wreath=False)], ON_CERTIFICATES, "it")
    assert text_of(with_wreath) == text_of(without)
    assert with_wreath != without


def test_certificate_has_a_long_name_on_one_line() -> None:
    long = replace(FIRST, name="Maria Vittoria Ginevra Buonconsiglio della Rovere Mastroianni")
    assert long.name in text_of(print_certificates([long], ON_CERTIFICATES, "it"))


@pytest.mark.parametrize(("sheets", "pages"), [(1, 1), (2, 1), (3, 2)])
def test_two_score_sheets_are_on_a_page(sheets: int, pages: int) -> None:
    made = print_score_sheets([MATCH] * sheets, ON_SHEETS, "it")
    found = pages_of(made)

    assert len(found) == pages
    assert text_of(made).count("Tavolo 3") == sheets
    # Each game is played by two of three sides: a line for points for each of them.
    assert text_of(made).count("punti") == 6 * sheets
    for word in ("Giro 2 · ore 14:20", "Superiore", "Alba A. (1)", "Partita 3", "Firma dell’arbitro"):
        assert word in found[0]


@pytest.mark.parametrize("ranks_sides", [True, False])
def test_score_sheet_has_no_line_for_points_that_nobody_counts(ranks_sides: bool) -> None:
    sheet = replace(MATCH, games=((0, 1, 2),), ranks_sides=ranks_sides)

    made = [print_score_sheets([sheet], replace(ON_SHEETS, points=points), "it") for points in ("punti", "")]

    assert [text_of(each).count("punti") for each in made] == [3, 0]


def test_score_sheet_of_ranked_sides_has_a_place_for_each() -> None:
    ranked = replace(MATCH, games=((0, 1, 2),), ranks_sides=True)

    text = text_of(print_score_sheets([ranked], ON_SHEETS, "it"))

    assert (text.count("posto"), text.count("punti")) == (4, 3)
    assert "Il posto di ognuno." in text
    assert "Vinte" not in text
    assert "crocetta" not in text


def test_spare_score_sheet_is_empty_but_for_its_lines() -> None:
    spare = ScoreSheet("Tavolo ____", "Giro ____", (ScoreSheetSide(),) * 3, MATCH.games)
    text = text_of(print_score_sheets([spare], ON_SHEETS, "it"))
    assert "Partita 1" in text
    assert "Superiore" not in text


@pytest.mark.parametrize("games", [1, 3, 9])
@pytest.mark.parametrize("sides", [2, 10])
def test_score_sheet_of_any_match_fits_on_half_a_page(games: int, sides: int) -> None:
    side = ScoreSheetSide(
        "Superiore di sotto", "Alba Maria A. (1), Bruno B. (2), Carla C. (3), Dario D. (4)", SHIELD
    )
    sheet = ScoreSheet("Tavolo 12", "Finale", (side,) * sides, (tuple(range(sides)),) * games)
    made = print_score_sheets([sheet], ON_SHEETS, "it")

    assert len(pages_of(made)) == 1
    assert f"Partita {games}" in text_of(made)


@pytest.mark.parametrize("sides", [3, 4, 6, 8, 10])
def test_score_sheet_names_can_be_read_however_many_sides_there_are(sides: int) -> None:
    side = ScoreSheetSide("S.Bartolomeo", "Ortensia Z. (1)", SHIELD)
    sheet = ScoreSheet("Tavolo 1", "Giro 1", (side,) * sides, (tuple(range(sides)),), ranks_sides=True)

    made = print_score_sheets([sheet], replace(ON_SHEETS, points=""), "it")

    assert text_of(made).count("S.Bartolomeo") == sides
    assert min(sizes_of(made)) >= 5


def test_printing_no_score_sheet_or_certificate_is_refused() -> None:
    with pytest.raises(ValueError, match="no sheet"):
        print_score_sheets([], ON_SHEETS, "it")
    with pytest.raises(ValueError, match="no certificate"):
        print_certificates([], ON_CERTIFICATES, "it")


def test_printed_list_has_its_rows_and_its_seal_with_a_grouped_root() -> None:
    squares = tuple(map(tuple, segno.make_qr("https://x.example/", error="m").matrix))
    seal = Seal("Ricevuta", "Chi la conserva…", "0123456789abcdef" * 4, "x.example/…", squares)  # type: ignore[arg-type]  # bytes are as good as truths
    head = DocumentHead("Classifica finale", "Palio", "x.example")
    made = print_lists(head, [ListSection("", COLUMNS, rows(3))], "it", seal=seal)
    (page,) = pages_of(made)

    for word in ("Classifica finale", "Contrada 3", "avanti per punti", "01234567 89abcdef 01234567"):
        assert word in page
    assert title_of(made) == "Classifica finale · Palio"
    assert print_lists(head, [ListSection("", COLUMNS, rows(3))], "it", seal=seal) == made


def test_long_list_names_its_columns_again_and_numbers_its_pages() -> None:
    made = print_lists(DocumentHead("Elenco"), [ListSection("Tutti", COLUMNS, rows(90))], "it")
    pages = pages_of(made)

    assert len(pages) > 2
    assert [f"{number} / {len(pages)}" in page for number, page in enumerate(pages, start=1)] == [True] * len(
        pages
    )
    assert all("Contrada" in page and "Posto" in page for page in pages)


@pytest.mark.parametrize(
    "name", ["Mini-tournaments", "Sottocoppiatissimo", "Corsa nei sacchi di Sant’Ambrogio"]
)
def test_list_headings_break_no_word(name: str) -> None:
    columns = (Column("Squadra", 10), Column(name, 1, "right"), Column("Totale", 1, "right"))
    row = (ListCell("Superiore"), ListCell("3"), ListCell("3"))

    text = text_of(print_lists(DocumentHead("Palio"), [ListSection("", columns, (row,))], "it"))

    assert [word for word in name.split() if word not in text.split()] == []


def test_printed_list_never_reads_words_as_markup() -> None:
    tricky = ListSection("<b>", (Column("A & B", 1),), ((ListCell("x < y", under="</para>"),),), "&amp;")
    text = text_of(print_lists(DocumentHead("<t>", "&", ""), [tricky], "it"))
    for word in ("<b>", "A & B", "x < y", "</para>", "&amp;"):
        assert word in text


@pytest.mark.parametrize(("sheet", "pages"), [("a4", 2), ("a6", 5)])
def test_slips_have_team_number_code_and_where_it_is_typed(sheet: str, pages: int) -> None:
    squares = tuple(tuple(bool(module) for module in row) for row in segno.make_qr("x").matrix)
    slips = [PaperSlip(SHIELD, "Centro", number, "7KQM-2ZXA-WD4P", squares) for number in range(1, 10)]
    words = SlipWords("Palio dei rioni", "Tenete il codice per voi.", "palio.example.org/s")
    made = print_slips(slips, words, "it", sheet)
    assert made == print_slips(slips, words, "it", sheet)
    told = pages_of(made)
    assert len(told) == pages
    for part in ("Centro", "7KQM-2ZXA-WD4P", "palio.example.org/s", "Tenete il codice per voi."):
        assert sum(page.count(part) for page in told) == 9


@pytest.mark.parametrize("before", range(20, 50))
def test_list_title_never_stands_alone_at_the_foot_of_a_page(before: int) -> None:
    columns = (Column("Ora", 1), Column("Chi gioca", 3))
    sections = [
        ListSection(
            name, columns, ((ListCell("18:30"), ListCell(f"Alba {name}")),) * rows, drawings=(SHIELD,)
        )
        for name, rows in (("Mulino", before), ("Fonte", 15))
    ]

    made = print_lists(DocumentHead("Programma", "Festa", ""), sections, "it")

    for page in pages_of(made):
        assert ("Fonte" in page) == ("Alba Fonte" in page)
