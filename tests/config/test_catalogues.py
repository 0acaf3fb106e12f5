"""Catalogues are compiled from their texts, and a service without them doesn't start."""

import sys
from pathlib import Path

import polib
import pytest

from config import catalogues, preflight
from config.checks import translations_are_compiled
from tests.support import ROOT


@pytest.fixture
def texts(tmp_path: Path) -> Path:
    """A file of one text in a `locale/` of its own."""
    path = tmp_path / "it" / "LC_MESSAGES" / "django.po"
    path.parent.mkdir(parents=True)
    path.write_text(
        'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\nmsgid "hand"\nmsgstr "mano"\n'
    )
    return path


def translated(texts: Path) -> dict[str, str]:
    """What the catalogue beside these texts says."""
    return {entry.msgid: entry.msgstr for entry in polib.mofile(str(texts.with_suffix(".mo")))}


def test_compiled_catalogue_has_all_that_its_texts_have() -> None:
    source = ROOT / "locale" / "it" / "LC_MESSAGES" / "django.po"

    found = {
        (entry.msgctxt, entry.msgid): entry.msgstr_plural or entry.msgstr
        for entry in polib.mofile(str(source.with_suffix(".mo")))
    }

    assert found == {
        (entry.msgctxt, entry.msgid): entry.msgstr_plural or entry.msgstr
        for entry in polib.pofile(str(source))
    }


def test_catalogue_is_compiled_when_it_is_missing_or_of_other_texts(texts: Path, tmp_path: Path) -> None:
    catalogues.compile_missing(tmp_path)
    first = translated(texts)
    texts.write_text(texts.read_text().replace("mano", "partita"))

    stale = catalogues.not_compiled(tmp_path)
    catalogues.compile_missing(tmp_path)

    assert (first, stale, translated(texts)) == ({"hand": "mano"}, [texts], {"hand": "partita"})
    assert sorted(path.name for path in texts.parent.iterdir()) == ["django.mo", "django.po"]


@pytest.mark.parametrize("kept", [0, 3, 30, 100])
def test_damaged_catalogue_is_compiled_again(texts: Path, tmp_path: Path, kept: int) -> None:
    catalogues.compile_missing(tmp_path)
    whole = texts.with_suffix(".mo").read_bytes()
    texts.with_suffix(".mo").write_bytes(whole[:kept])

    catalogues.compile_missing(tmp_path)

    assert len(whole) > 100
    assert texts.with_suffix(".mo").read_bytes() == whole


def test_catalogue_in_step_is_left_alone(texts: Path, tmp_path: Path) -> None:
    catalogues.compile_missing(tmp_path)
    before = texts.with_suffix(".mo").stat()

    catalogues.compile_missing(tmp_path)

    assert texts.with_suffix(".mo").stat().st_ino == before.st_ino


@pytest.mark.django_db
def test_catalogue_not_compiled_stops_the_start(texts: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalogues, "not_compiled", lambda: [texts])

    sentence = (
        f"The texts of {texts} aren't compiled, and pages would lack them: "
        f"run `{sys.executable} config/catalogues.py` first."
    )
    assert list(preflight.problems()) == [sentence]
    assert [(each.id, each.msg) for each in translations_are_compiled()] == [("config.E003", sentence)]
