"""Modules that run on the phone, rewritten, and their words in each language."""

import ast
import hashlib
import json
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.utils import translation
from django.utils.translation import gettext, ngettext, pgettext

from referee.pocket.plural_forms import plural_forms
from referee.pocket.transform import SHIMS, transformed

_ROOT: Final = Path(__file__).parents[2]
_ENGINE: Final = (
    "card_names",
    "cards",
    "corrections",
    "event_json",
    "events",
    "field_kinds",
    "legal",
    "phrases",
    "places",
    "presets",
    "refusals",
    "rule_fields",
    "ruleset",
    "snapshot",
    "state",
)


def _package(name: str) -> list[str]:
    """A package and all modules in it."""
    folder = _ROOT / name.replace(".", "/")
    inside = sorted(path.stem for path in folder.glob("*.py") if path.stem != "__init__")
    return [name, *(f"{name}.{stem}" for stem in inside)]


MODULES: Final = (
    "games",
    "games.engine",
    *(f"games.engine.{name}" for name in _ENGINE),
    *_package("games.engine.transitions"),
    *_package("games.engine.telling"),
    "rendering",
    "rendering.svg",
    *(f"rendering.svg.{name}" for name in ("card", "markup", "table", "team_banner")),
    "rendering.components",
    "rendering.components.playing_cards",
    "rendering.components.table_alt_text",
    "referee",
    "referee.offers",
    "referee.tap_steps",
    "referee.sentences",
    "referee.pocket",
    "referee.pocket.game_page",
)
"""The modules that a whole game takes. What they import of the product beside these is left out, and nothing
on the phone asks for it.
"""


def _path(module: str) -> Path:
    path = _ROOT / f"{module.replace('.', '/')}.py"
    return path if path.exists() else _ROOT / module.replace(".", "/") / "__init__.py"


def rewritten(module: str) -> str:
    """A module's source as MicroPython reads it."""
    return transformed(_path(module).read_text("utf-8"), MODULES)


@lru_cache
def bundle() -> bytes:
    """JSON: `files`, sources by path, and `texts`, what their messages are in each language.

    A message with a plural has its forms (`plural_forms`). A context stands before its message, with the
    character U+0004 between them, as in a catalogue.
    """
    sources = {str(_path(module).relative_to(_ROOT)): rewritten(module) for module in MODULES}
    shims = Path(__file__).with_name(f"{SHIMS}.py").read_text("utf-8")
    found: dict[str, Any] = {
        "files": {**sources, f"{SHIMS}.py": transformed(shims, shims=True)},
        "texts": {language: _texts(language, sources.values()) for language, _ in settings.LANGUAGES},
    }
    return json.dumps(found, ensure_ascii=False, separators=(",", ":")).encode()


@lru_cache
def digest() -> bytes:
    """Another one as soon as anything changes of which the bundle is made, quicker than making it."""
    found = hashlib.sha256()
    catalogues = [path for folder in settings.LOCALE_PATHS for path in sorted(Path(folder).rglob("*.mo"))]
    for path in (*map(_path, MODULES), *sorted(Path(__file__).parent.glob("*.py")), *catalogues):
        found.update(path.read_bytes())
    return found.digest()


def _texts(language: str, sources: Any) -> dict[str, str | dict[str, Any]]:
    texts: dict[str, str | dict[str, Any]] = {}
    with translation.override(language):
        for source in sources:
            for context, one, *many in _messages(ast.parse(source)):
                if many:
                    texts[one] = plural_forms(partial(ngettext, one, many[0]))
                    continue
                text = pgettext(context, one) if context else gettext(one)
                if text != one:
                    texts[f"{context}\4{one}" if context else one] = text
    return texts


_TAKERS: Final = {
    **dict.fromkeys(("_", "gettext", "mark", "translate", "phrase", "Phrase"), (0,)),
    **dict.fromkeys(("ngettext", "mark_plural", "translate_plural", "phrase_counted"), (0, 1)),
    "Refusal": (1,),
}
"""What takes a message, or one and its plural: at which of its arguments. `script/messages` has them, too."""


_CONTEXTS: Final = {"mark": 1, "translate": 2}
"""At which argument such a function takes a message's context, where it is given one."""


def _messages(tree: ast.Module) -> list[list[str]]:
    """The messages in a module with their contexts (empty without one), those with a plural as two."""
    found = []
    for node in ast.walk(tree):
        name = _called(node)
        if not isinstance(node, ast.Call) or name not in _TAKERS:
            continue
        given = [node.args[at] for at in _TAKERS[name] if at < len(node.args)]
        messages = [str(each.value) for each in given if isinstance(each, ast.Constant)]
        context = "".join(ast.literal_eval(each) for each in node.args[_CONTEXTS.get(name, len(node.args)) :])
        found += [[context, *messages]] if messages else []
    return found


def _called(node: ast.AST) -> str:
    """The name of what is called, without what it belongs to; empty where nothing is."""
    if not isinstance(node, ast.Call):
        return ""
    match node.func:
        case ast.Name(name) | ast.Attribute(attr=name):
            return name
    return ""
