"""What the style sheets define, and which of it templates, Python and JavaScript use."""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from tests.support import ROOT

CODE = ("api", "config", "desk", "games", "people", "publishing", "referee", "rendering", "tournaments")
DRAWING = ("referee", "rendering")
"""The packages that name classes also outside of markup: of drawings, and of what is tapped."""
CLASS = re.compile(r"\.(-?[A-Za-z_][\w-]*)")
WORD = re.compile(r"[A-Za-z_][\w-]*\Z")
COMPUTED = "\0"
"""Stands where a template or a program puts a value."""


@dataclass(slots=True)
class Uses:
    """Names of classes as they are written down, beginnings of those that end with a value, and the words
    that such a value can be.
    """

    names: set[str] = field(default_factory=set)
    beginnings: set[str] = field(default_factory=set)
    values: set[str] = field(default_factory=set)

    def add(self, classes: str) -> None:
        """Names with spaces between them; `is-` and a value is the beginning of a name."""
        for name in classes.split():
            beginning = name.partition(COMPUTED)[0]
            if beginning == name:
                self.names.add(name)
            elif beginning.endswith("-"):
                self.beginnings.add(beginning)

    def has(self, name: str) -> bool:
        """Whether the class is used, or could be by one of the beginnings."""
        ends = [name.removeprefix(each) for each in self.beginnings if name.startswith(each)]
        return name in self.names or any(end.isdigit() or end in self.values for end in ends)


def sheet_text() -> str:
    """All style sheets, without their comments."""
    files = sorted((ROOT / "static" / "css").glob("*.css"))
    return re.sub(r"/\*.*?\*/", "", "\n".join(file.read_text() for file in files), flags=re.DOTALL)


def classes(sheet: str) -> set[str]:
    """The classes that selectors name."""
    return {name for selector in re.findall(r"([^{};]+)\{", sheet) for name in CLASS.findall(selector)}


def properties(sheet: str) -> set[str]:
    """The custom properties that are set."""
    return set(re.findall(r"(?<![\w(-])(--[\w-]+)\s*:", sheet))


def read_properties(sheet: str) -> set[str]:
    """The custom properties that a value reads."""
    return set(re.findall(r"var\((--[\w-]+)", sheet))


def animations(sheet: str) -> set[str]:
    """The animations that are defined."""
    return set(re.findall(r"@keyframes\s+([\w-]+)", sheet))


def read_animations(sheet: str) -> set[str]:
    """The words of all values by which an animation is started."""
    return {word for value in re.findall(r"animation(?:-name)?:([^;}]*)", sheet) for word in value.split()}


def used_classes() -> Uses:
    """The classes that templates, Python and JavaScript give to elements."""
    uses = Uses()
    for folder in ("templates", "api/templates"):
        for file in sorted((ROOT / folder).rglob("*.*")):
            read = _read_script if file.suffix == ".js" else _read_markup
            read(file.read_text(), uses)
    for file in sorted((ROOT / "static" / "js").rglob("*.js")):
        _read_script(file.read_text(), uses)
    for package in CODE:
        for file in sorted((ROOT / package).rglob("*.py")):
            for text in _texts(ast.parse(file.read_text())):
                _read_text(text, uses, has_names=package in DRAWING)
    return uses


def _read_markup(text: str, uses: Uses) -> None:
    """The classes of a template's elements, and the words that it hands on to another one or to a tag."""
    for block in re.findall(r"{% block \w+_class %}(.*?){% endblock", text, re.DOTALL):
        uses.add(_without_tags(block))
    for tag in re.findall(r"{[%{].*?[%}]}", text, re.DOTALL):
        for words in re.findall(r'"([^"]*)"', tag):
            uses.values.update(words.split())
    for classes in re.findall(r"""class=["'](.*?)["']""", _without_tags(text), re.DOTALL):
        uses.add(classes)


def _without_tags(text: str) -> str:
    text = re.sub(r"{#.*?#}|{% comment.*?endcomment %}", "", text, flags=re.DOTALL)
    # A tag that decides stands between names; one that says something is a part of one.
    text = re.sub(
        r"{% ?(?:if|elif|else|endif|for|empty|endfor|with|endwith)\b.*?%}", " ", text, flags=re.DOTALL
    )
    return re.sub(r"{[%{].*?[%}]}", COMPUTED, text, flags=re.DOTALL)


def _read_script(text: str, uses: Uses) -> None:
    text = re.sub(r"^\s*//.*$", "", text, flags=re.MULTILINE)
    text = re.sub(r"\$\{[^}]*\}", COMPUTED, text)
    for literal in re.findall(r'"([^"\n]*)"|\'([^\'\n]*)\'|`([^`]*)`', text):
        _read_text("".join(literal), uses, has_names=True)
    for name in re.findall(r"""class(?:Name\W+|List\.\w+\()["'`]([^"'`]*)""", text):
        uses.add(name)


def _texts(node: ast.AST) -> Iterator[str]:
    """Each text of a program that can be a value; a computed part of it as `COMPUTED`. Not its documentation,
    keys, and what something is compared with.
    """
    match node:
        case ast.Expr(value=ast.Constant(value=str())) | ast.Compare():
            return
        case ast.Constant(value=str(text)):
            yield re.sub(r"\{\w*\}", COMPUTED, text)
        case ast.JoinedStr(values=values):
            yield "".join(str(each.value) if isinstance(each, ast.Constant) else COMPUTED for each in values)
            for each in values:
                if isinstance(each, ast.FormattedValue):
                    yield from _texts(each.value)
        case ast.BinOp(op=ast.Add()):
            texts = [text for child in ast.iter_child_nodes(node) for text in _texts(child)]
            yield from [*texts, "".join(texts)]
        case ast.Dict(values=values):
            for each in values:
                yield from _texts(each)
        case ast.keyword(arg=str(name), value=value) if "class" in name:
            yield from (f'class="{text}"' for text in _texts(value))
        case ast.Subscript(value=value):
            yield from _texts(value)
        case _:
            for child in ast.iter_child_nodes(node):
                yield from _texts(child)


def _read_text(text: str, uses: Uses, *, has_names: bool) -> None:
    """A text of a program: markup, or words alone. A sentence has no classes."""
    for classes in re.findall(r"""class=\\?["']?([^"'<>=\\]*)""", text):
        uses.add(classes)
    words = text.split()
    if all(WORD.match(word.replace(COMPUTED, "x")) for word in words):
        uses.values.update(words)
        if has_names and (len(words) > 1 or "-" in text):
            uses.add(text)
