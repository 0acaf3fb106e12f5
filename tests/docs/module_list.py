"""The list of modules in `docs/development/modules.md`: each with its first line, by folder.

Usage: `python -m tests.docs.module_list` writes it anew.
"""

import ast
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

from tests.support import ROOT

PAGE = ROOT / "docs" / "development" / "modules.md"
PACKAGES = (
    *("config", "desk", "referee", "publishing", "api", "integrations"),
    *("tournaments", "people", "games", "ledger", "rendering"),
)
"""In the order of the layers, from above."""
_HEAD = """# All modules

Each module with its first line, from the top layer to the bottom one. Written by
`.venv/bin/python -m tests.docs.module_list`; a test compares it with the code.
"""


def modules() -> Iterator[Path]:
    """The modules of the product, relative to its root, a package before what is in it."""
    for package in PACKAGES:
        found = (path.relative_to(ROOT) for path in (ROOT / package).rglob("*.py"))
        listed = [path for path in found if "migrations" not in path.parts and (ROOT / path).read_text()]
        yield from sorted(listed, key=lambda path: (path.parent.parts, path.name != "__init__.py", path.name))


def first_line(path: Path) -> str:
    """The first paragraph of a module's docstring, on one line."""
    text = ast.get_docstring(ast.parse((ROOT / path).read_text())) or ""
    return " ".join(text.partition("\n\n")[0].split())


def page() -> str:
    """The page as it has to be."""
    parts = [_HEAD]
    for folder, listed in groupby(modules(), key=lambda path: path.parent):
        own = list(listed)
        parts.append(f"\n## {folder}/\n")
        if own[0].name == "__init__.py":
            parts.append(f"\n{first_line(own.pop(0))}\n")
        if own:
            rows = "".join(f"| `{path.stem}` | {first_line(path)} |\n" for path in own)
            parts.append(f"\n| module | what is in it |\n|---|---|\n{rows}")
    return "".join(parts)


if __name__ == "__main__":
    PAGE.parent.mkdir(exist_ok=True)
    PAGE.write_text(page())
