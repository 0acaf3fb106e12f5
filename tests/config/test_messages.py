"""The Italian texts: complete, in step with the code, with nothing left over.

What is marked for translation is found without gettext's tools: in Python by its syntax tree, in templates
with the translator of Django's own `makemessages`.
"""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from html.parser import HTMLParser
from pathlib import Path

import polib
import pytest
from django.conf import settings
from django.template.base import Lexer, TokenType
from django.utils.translation.template import templatize

ROOT = Path(settings.BASE_DIR)
PACKAGES = (
    "api",
    "config",
    "desk",
    "games",
    "ledger",
    "people",
    "integrations",
    "publishing",
    "referee",
    "rendering",
    "tournaments",
)
PO = ROOT / "locale" / "it" / "LC_MESSAGES" / "django.po"
REPAIR = "run script/messages, translate what it names, and run it again"

# Context, text, plural: what makes a text one of its own. None where there is none.
Key = tuple[str | None, str, str | None]

# Where a marking function takes context, text and plural.
PLACES: dict[str, tuple[int | None, int, int | None]] = {
    "gettext": (None, 0, None),
    "gettext_lazy": (None, 0, None),
    "gettext_noop": (None, 0, None),
    "_": (None, 0, None),
    "ngettext": (None, 0, 1),
    "ngettext_lazy": (None, 0, 1),
    "pgettext": (0, 1, None),
    "pgettext_lazy": (0, 1, None),
    "npgettext": (0, 1, 2),
    "npgettext_lazy": (0, 1, 2),
    # The engine's; `script/messages` names them to the collector.
    "mark": (1, 0, None),
    "mark_plural": (None, 0, 1),
    "translate": (2, 0, None),
    "translate_plural": (None, 0, 1),
    "phrase": (None, 0, None),
    "phrase_counted": (None, 0, 1),
    "Phrase": (None, 0, None),
    "Refusal": (None, 1, None),
}
# What is given a sentence for people.
TOLD = {"Refused", "Problem", "problem", "refuse", "done", "add_error", "ValidationError", "BadArchiveError"}
PLACEHOLDER = re.compile(r"%\(\w+\)[sd]|%%|\{[a-z_]+(?::[a-z]+)?\}")
# A call that `templatize` has written: a name, then texts as Python writes them.
TEXT = r"u?(?:'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\")"
CALL = re.compile(rf"(?<!\w)(n?p?gettext|_)\(\s*({TEXT}(?:\s*,\s*{TEXT})*)")


def key(name: str, texts: Sequence[str | None]) -> Key | None:
    """The text that a call of `name` with these literals marks; None if it is given by a variable."""
    context, text, plural = PLACES[name]
    found = [None if at is None or at >= len(texts) else texts[at] for at in (context, text, plural)]
    return None if found[1] is None else (found[0], found[1], found[2])


def in_python(source: str) -> Iterator[Key]:
    """What a module marks."""
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Call):
            continue
        name = getattr(node.func, "id", getattr(node.func, "attr", ""))
        if name in PLACES:
            literals = [
                each.value if isinstance(each, ast.Constant) and isinstance(each.value, str) else None
                for each in node.args
            ]
            if (found := key(name, literals)) is not None:
                yield found


def told_unmarked(source: str) -> list[str]:
    """The sentences that a module tells people without having marked them."""
    calls = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
    told = [each for each in calls if getattr(each.func, "id", getattr(each.func, "attr", "")) in TOLD]
    return [sentence for call in told for given in call.args for sentence in _unmarked(given)]


def _unmarked(node: ast.expr) -> Iterator[str]:
    """Texts of more than one word, also as parts of others; what a call gives is that call's."""
    if isinstance(node, ast.Constant):
        yield from [node.value] if isinstance(node.value, str) and " " in node.value.strip() else []
    elif not isinstance(node, ast.Call):
        for part in ast.iter_child_nodes(node):
            yield from _unmarked(part) if isinstance(part, ast.expr) else ()


def in_template(source: str) -> Iterator[Key]:
    """What a template marks; `templatize` makes of it what a collector for Python reads."""
    for name, texts in CALL.findall(templatize(source)):
        found = key(name, [ast.literal_eval(text) for text in re.findall(TEXT, texts)])
        if found is not None:
            yield found


def templates() -> list[Path]:
    """Every template of the project."""
    found = [ROOT / "templates", *(ROOT / package / "templates" for package in PACKAGES)]
    return sorted(path for folder in found for path in folder.rglob("*.html"))


def marked() -> set[Key]:
    """Every text that the project marks for translation."""
    modules = [path for package in PACKAGES for path in (ROOT / package).rglob("*.py")]
    assert len(modules) > 100
    assert len(templates()) > 50
    return {
        *(found for path in modules for found in in_python(path.read_text())),
        *(found for path in templates() for found in in_template(path.read_text())),
    }


@pytest.fixture(scope="module")
def po() -> polib.POFile:
    return polib.pofile(str(PO))


def forms(entry: polib.POEntry) -> list[tuple[str, str]]:
    """Pairs of English and Italian: one, or singular and plural."""
    if not entry.msgid_plural:
        return [(entry.msgid, entry.msgstr)]
    return [(entry.msgid, entry.msgstr_plural[0]), (entry.msgid_plural, entry.msgstr_plural[1])]


OF_LOGS = ("games/engine/", "tournaments/facts/log_names.py")


def of_pages(po: polib.POFile) -> list[polib.POEntry]:
    """The texts but those on a game's log alone, which stand in terminals, too, and keep plain quotes."""
    return [entry for entry in po if not all(path.startswith(OF_LOGS) for path, _ in entry.occurrences)]


def test_catalogue_holds_every_marked_text_and_no_other(po: polib.POFile) -> None:
    catalogue = {(entry.msgctxt, entry.msgid, entry.msgid_plural or None) for entry in po}
    code = marked()
    assert (code - catalogue, catalogue - code) == (set(), set()), REPAIR


def test_every_text_has_its_italian(po: polib.POFile) -> None:
    missing = [entry.msgid for entry in po if not all(italian for _english, italian in forms(entry))]
    assert missing == [], REPAIR
    assert [entry.msgid for entry in po if entry.fuzzy or entry.obsolete] == []


def test_italian_texts_keep_placeholders(po: polib.POFile) -> None:
    """In a singular the number itself may be left out: "e un altro" for "and 1 more". So may be what the
    framework names in its own words.
    """
    lost = []
    for entry in po:
        for number, (english, italian) in enumerate(forms(entry)):
            said, meant = set(PLACEHOLDER.findall(italian)), set(PLACEHOLDER.findall(english))
            is_singular = bool(entry.msgid_plural) and number == 0
            is_framework = all(file == "api/framework_messages.py" for file, _ in entry.occurrences)
            if not (said <= meant if is_singular or is_framework else said == meant):
                lost.append((english, italian))
    assert lost == []


def test_catalogue_texts_with_values_can_be_filled_in(po: polib.POFile) -> None:
    values: defaultdict[str, int] = defaultdict(int)
    for entry in po:
        if "python-format" in entry.flags:
            for pair in forms(entry):
                for text in pair:
                    assert "%(" not in text % values


def test_italian_quotes_and_apostrophes_are_typographic(po: polib.POFile) -> None:
    """Italian elides a lot: both kinds of apostrophe side by side would be seen."""
    plain = [
        italian
        for entry in of_pages(po)
        for _english, italian in forms(entry)
        if "'" in italian or '"' in italian
    ]
    assert plain == []


# Words of another name for a thing, or of another kind of quotation mark.
FOREIGN = re.compile(r"\b(evento|eventi|base dati|basi dati|flusso|flussi)\b|[«»]|  ", re.IGNORECASE)


def test_italian_has_one_word_for_each_thing(po: polib.POFile) -> None:
    """`manifestazione` is a festival, `database` a database, `registro` a stream or a log."""
    italian = [text for entry in of_pages(po) for _english, text in forms(entry)]

    assert [text for text in italian if FOREIGN.search(text)] == []


def test_twin_italian_word_not_allowed_is_found() -> None:
    texts = ["Questo evento c’è già.", "La base dati è ferma.", "«tutti»", "due  spazi", "Tutto bene."]

    assert [text for text in texts if FOREIGN.search(text)] == texts[:4]


class Words(HTMLParser):
    """What a browser would show or read aloud of some HTML; code and samples are the same everywhere, and
    what states its own language has it.
    """

    SILENT = {"script", "style", "code", "pre"}
    SPOKEN = {"alt", "aria-label", "placeholder", "title", "data-label", "aria-description"}

    def __init__(self) -> None:
        super().__init__()
        self.words: list[str] = []
        self.silent_in = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.words += [value or "" for name, value in attrs if name in self.SPOKEN]
        if tag in self.SILENT or (tag != "html" and "lang" in dict(attrs)):
            self.silent_in = tag

    def handle_endtag(self, tag: str) -> None:
        if tag == self.silent_in:
            self.silent_in = ""

    def handle_data(self, data: str) -> None:
        if not self.silent_in:
            self.words.append(data)


# Blocks that stand within a tag.
ATTRIBUTES = re.compile(r"block (body_class|html_attributes|main_attributes|held|do_class)")


def unmarked(source: str) -> list[str]:
    """Words that a template shows as they are, in every language."""
    shown, is_marked, in_attribute = "", False, False
    for token in Lexer(source).tokenize():
        if token.token_type == TokenType.BLOCK:
            name = token.contents.split()[0]
            is_marked = name == "blocktranslate" or (is_marked and name != "endblocktranslate")
            starts = ATTRIBUTES.fullmatch(token.contents) is not None
            in_attribute = starts or (in_attribute and name != "endblock")
        elif token.token_type == TokenType.TEXT and not is_marked and not in_attribute:
            shown += token.contents
    parser = Words()
    parser.feed(shown)
    parser.close()
    return [word for text in parser.words for word in re.findall(r"[^\W\d_]{2,}", text)]


SAME_EVERYWHERE = {"Tendone", "API", "OpenAPI", "Excel", "CSV", "XLSX", "JSON"}


@pytest.mark.parametrize("path", templates(), ids=lambda path: str(path.relative_to(ROOT)))
def test_template_has_no_unmarked_text(path: Path) -> None:
    assert [word for word in unmarked(path.read_text()) if word not in SAME_EVERYWHERE] == []


def test_twin_unmarked_text_of_a_template_is_found() -> None:
    source = (
        '{% block body_class %}not{% endblock %}<i lang="it">no</i>'
        '<p title="{{ x }} seen" class="{% if y %}not{% endif %}">{% translate "marked" %}{{ x }} here '
        "<code>nor this</code>{% blocktranslate %}nor{% endblocktranslate %}"
    )
    assert unmarked(source) == ["seen", "here"]


def test_marked_texts_of_templates_and_modules_are_found() -> None:
    template = (
        '{% load i18n %}{% translate "one" %} {% translate "two" context "c" %}'
        "{% blocktranslate count n=n %}it's{% plural %}{{ n }} are{% endblocktranslate %}{{ _('three') }}"
    )
    assert set(in_template(template)) == {
        (None, "one", None),
        ("c", "two", None),
        (None, "it's", "%(n)s are"),
        (None, "three", None),
    }
    module = "_('a' 'b'); pgettext('c', 'd'); ngettext('e', 'f', n); gettext(variable); other('g')"
    assert set(in_python(module)) == {(None, "ab", None), ("c", "d", None), (None, "e", "f")}
    engine = "mark('a'); translate('b', language, 'c'); voice.phrase('d', n=1); Refusal('code', 'e', n=2)"
    assert set(in_python(engine)) == {
        (None, "a", None),
        ("c", "b", None),
        (None, "d", None),
        (None, "e", None),
    }


# Errors whose text stands within a sentence of a page.
SHOWN = {"BadArchiveError", "ZipRefusedError"}


def untranslated_reasons(source: str) -> list[str]:
    """Words of such errors that a module raises without marking them for translation."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in SHOWN:
            marked = {
                id(inner)
                for call in ast.walk(node)
                if isinstance(call, ast.Call) and getattr(call.func, "id", "") in PLACES
                for inner in ast.walk(call)
            }
            found += [
                each.value
                for each in ast.walk(node)
                if isinstance(each, ast.Constant) and isinstance(each.value, str) and id(each) not in marked
            ]
    return [text for text in found if " " in text.strip()]


def test_exception_reasons_shown_in_sentences_are_marked() -> None:
    modules = [path for package in PACKAGES for path in (ROOT / package).rglob("*.py")]
    sources = [source for path in modules if any(name in (source := path.read_text()) for name in SHOWN)]

    assert len(sources) == 5
    assert [text for source in sources for text in untranslated_reasons(source)] == []


def test_twin_unmarked_exception_reason_is_found() -> None:
    calls = ('"no manifest"', 'f"{model}: " + _("an id twice")', 'f"{a}: {b}"')
    source = "; ".join(f"BadArchiveError({call})" for call in calls)

    assert untranslated_reasons(source) == ["no manifest"]


def test_refusal_sentences_are_marked() -> None:
    modules = [path for package in PACKAGES for path in (ROOT / package).rglob("*.py")]
    told = {str(path.relative_to(ROOT)): told_unmarked(path.read_text()) for path in modules}

    assert {path: found for path, found in told.items() if found} == {}


def test_twin_unmarked_refusal_sentence_is_found() -> None:
    source = 'Refused("late", "It is late.")\nRefused("late", _("It is %s.") % when)\ndone(f"{who} is in")'

    assert told_unmarked(source) == ["It is late.", " is in"]
