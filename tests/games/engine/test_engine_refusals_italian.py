"""Every refusal that the source can raise is in the catalogue of each language, with the same values.

Templates are found in the source: what is given to a `Refusal` or a `Phrase`, and to any function that passes
one of its own parameters on to them.
"""

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path

from games.engine.phrases import KINDS, PLACEHOLDER
from games.engine.rule_fields import FIELDS
from games.engine.translations import translate
from tests.support import ROOT

LAYERS = ("api", "desk", "games", "people", "publishing", "referee", "tournaments")


@dataclass(frozen=True)
class Taker:
    """Something that takes a template as its argument `index`, or by its `parameter`'s name.

    `own` are its parameters, which are no values of a template, and `filled` the values that it adds. It is
    known by its name within `scope`, a folder.
    """

    parameter: str
    index: int
    own: frozenset[str]
    filled: frozenset[str] = frozenset()
    scope: Path = ROOT

    def template_in(self, call: ast.Call) -> ast.expr | None:
        """What a call gives as template."""
        named = [each.value for each in call.keywords if each.arg == self.parameter]
        return next(iter((*call.args[self.index : self.index + 1], *named)), None)

    def values_in(self, call: ast.Call) -> frozenset[str]:
        """The names of the values that a call fills in."""
        names: set[str] = {each.arg for each in call.keywords if each.arg is not None}
        for given in call.args[self.index + 1 :]:
            if isinstance(given, ast.Dict):
                names |= {str(key.value) for key in given.keys if isinstance(key, ast.Constant)}
        return frozenset(names - self.own) | self.filled


ROOTS = {
    "Refusal": Taker("template", 1, frozenset({"line", "type", "rule"})),
    "Phrase": Taker("template", 0, frozenset()),
    "_unreadable": Taker(
        "template", 0, frozenset({"given"}), frozenset({"field", "given"}), ROOT / "games" / "engine"
    ),
}


@dataclass(frozen=True)
class Module:
    """A module of the product: its calls, and its functions with the calls in each."""

    path: Path
    calls: tuple[ast.Call, ...]
    functions: tuple[tuple[ast.FunctionDef, tuple[ast.Call, ...]], ...]


def calls_in(node: ast.AST) -> tuple[ast.Call, ...]:
    """All calls in a piece of source."""
    return tuple(each for each in ast.walk(node) if isinstance(each, ast.Call))


@cache
def modules() -> tuple[Module, ...]:
    """The product's modules, read."""
    read = []
    for layer in LAYERS:
        for path in sorted((ROOT / layer).rglob("*.py")):
            nodes = list(ast.walk(ast.parse(path.read_text("utf-8"))))
            functions = tuple((each, calls_in(each)) for each in nodes if isinstance(each, ast.FunctionDef))
            calls = tuple(each for each in nodes if isinstance(each, ast.Call))
            read.append(Module(path, calls, functions))
    return tuple(read)


def called(call: ast.Call) -> str:
    """The last part of what is called."""
    return str(getattr(call.func, "id", None) or getattr(call.func, "attr", ""))


Takers = dict[str, Taker]
Taking = Iterator[tuple[ast.Call, Taker]]


def taking(calls: Iterable[ast.Call], takers: Takers, path: Path) -> Taking:
    """The calls among these that give a template."""
    for call in calls:
        taker = takers.get(called(call))
        if taker is not None and path.is_relative_to(taker.scope):
            yield call, taker


def all_takers() -> Takers:
    """The roots, and what passes a parameter on to one of them."""
    takers = dict(ROOTS)
    while True:
        before = len(takers)
        for module in modules():
            for function, calls in module.functions:
                found = passing_on(function, taking(calls, takers, module.path), module.path)
                if found is not None:
                    takers.setdefault(function.name, found)
        if len(takers) == before:
            return takers


def parameters(function: ast.FunctionDef) -> list[str]:
    """The names of the parameters that can be given by their places."""
    return [each.arg for each in function.args.args if each.arg != "self"]


def passing_on(function: ast.FunctionDef, calls: Taking, path: Path) -> Taker | None:
    """How a function takes a template, if it does."""
    names = parameters(function)
    for call, taker in calls:
        template = taker.template_in(call)
        if isinstance(template, ast.Name) and template.id in names:
            own, filled = frozenset(names), taker.values_in(call)
            return Taker(template.id, names.index(template.id), own, filled, path.parent)
    return None


def written(expression: ast.expr | None) -> list[str]:
    """The texts that an expression can be, as far as they stand there."""
    if isinstance(expression, ast.Constant) and isinstance(expression.value, str):
        return [expression.value]
    if isinstance(expression, ast.IfExp):
        return written(expression.body) + written(expression.orelse)
    if isinstance(expression, ast.Call) and called(expression) == "mark":
        return written(expression.args[0])
    return []


def is_written_elsewhere(expression: ast.expr | None, names: set[str]) -> bool:
    """Whether a template comes from a parameter, or from what a refusal or phrase already holds."""
    if isinstance(expression, ast.Name):
        return expression.id in names
    return isinstance(expression, ast.Attribute) and expression.attr == "template"


@cache
def templates() -> dict[str, frozenset[str]]:
    """Every template in the source, with the names of its values."""
    takers = all_takers()
    found: dict[str, frozenset[str]] = {}
    for module in modules():
        names = {name for function, _ in module.functions for name in parameters(function)}
        for call, taker in taking(module.calls, takers, module.path):
            template, values = taker.template_in(call), taker.values_in(call)
            where = f"{module.path.relative_to(ROOT)}:{call.lineno}: {ast.unparse(call)}"
            is_default = template is None and called(call) not in ROOTS
            assert is_default or written(template) or is_written_elsewhere(template, names), where
            for text in written(template):
                assert values == {name for name, _ in PLACEHOLDER.findall(text)}, where
                found[text] = values
        for function, _ in module.functions:
            known = takers.get(function.name)
            if known is not None and module.path.is_relative_to(known.scope):
                found |= dict.fromkeys(defaults(function, known.parameter), known.filled)
    return found


def defaults(function: ast.FunctionDef, parameter: str) -> list[str]:
    """The text that a parameter is where none is given."""
    given = function.args.args[len(function.args.args) - len(function.args.defaults) :]
    pairs = zip(given, function.args.defaults, strict=True)
    return [text for each, value in pairs if each.arg == parameter for text in written(value)]


def told(template: str) -> str:
    """The Italian of a template."""
    return translate(template, "it")


def test_refusal_templates_all_have_their_italian() -> None:
    # What only gives on a value has nothing to be translated.
    assert [each for each in templates() if PLACEHOLDER.sub("", each) and told(each) == each] == []


def test_refusal_templates_are_found_wherever_they_are_raised() -> None:
    found = templates()
    assert found["{card:card} was drawn and can be played, so it must be"] == {"card"}
    # By a reader of one field, which doesn't know the field's name.
    assert found["`{field}` must be one of {choices}, not {given}"] == {"field", "given", "choices"}
    assert found["{seat:seat} draws {due:count}, not {given}"] == {"seat", "due", "given"}


def test_refusal_templates_have_the_same_values_in_both_languages() -> None:
    for english in templates():
        placeholders = PLACEHOLDER.findall(english)
        assert sorted(PLACEHOLDER.findall(told(english))) == sorted(placeholders)
        assert {kind for _, kind in placeholders if kind} <= set(KINDS)
        assert not told(english).endswith(".")
        assert not english.endswith(".")


def test_refusal_templates_have_no_italian_preposition_before_a_seat() -> None:
    words = [told(english).split() for english in templates()]
    before = {one for each in words for one, two in pairwise(each) if two.startswith("{") and ":seat" in two}
    assert before.isdisjoint({"di", "a", "da", "in", "con", "su", "per", "tra", "il", "la"})


def test_refusal_rules_are_fields_of_the_rule_set() -> None:
    named = {
        node.value
        for module in modules()
        for call in module.calls
        if called(call) == "Refusal"
        for keyword in call.keywords
        if keyword.arg == "rule"
        for node in ast.walk(keyword.value)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    assert {"voluntary_draw", "challenge", "burn", "finish_on_action", "uno_call"} <= named
    assert named <= {field.name for field in FIELDS}
