"""The tables of docs/reference/rules.md, made from the engine.

`python -m tests.docs.rules_tables` writes them there.
"""

import re
from pathlib import Path

from games.engine import FIELDS, PRESETS, Field

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "rules.md"
TABLE = re.compile(r"(<!-- table: (\w+) -->\n).*?(\n<!-- end -->)", re.DOTALL)


def presets_table() -> str:
    """One line a field, one column a preset; what differs from `palio` is bold."""
    lines = [
        "| field | " + " | ".join(f"`{name}`" for name in PRESETS) + " |",
        "|---" * (len(PRESETS) + 1) + "|",
    ]
    for field in FIELDS:
        cells = [_cell(PRESETS[name][field.name], PRESETS["palio"][field.name]) for name in PRESETS]
        lines.append(f"| `{field.name}` | {' | '.join(cells)} |")
    return "\n".join(lines)


def fields_table() -> str:
    """One line a field: what it can hold, and what it decides in English and Italian."""
    lines = ["| field | values | what it decides | che cosa decide |", "|---|---|---|---|"]
    lines += [
        f"| `{field.name}` | {_values(field)} | {field.sentence} | {field.told('it')} |" for field in FIELDS
    ]
    return "\n".join(lines)


TABLES = {"presets": presets_table, "fields": fields_table}


def with_tables(text: str) -> str:
    """The page's text with every marked table as the engine has it."""
    return TABLE.sub(lambda found: found[1] + TABLES[found[2]]() + found[3], text)


def _cell(value: object, of_palio: object) -> str:
    shown = str(value).lower() if isinstance(value, bool) else str(value)
    return f"`{shown}`" if value == of_palio else f"**`{shown}`**"


def _values(field: Field) -> str:
    if field.kind == "bool":
        return "`true`, `false`"
    if field.kind == "choice":
        return ", ".join(f"`{choice}`" for choice in field.choices)
    return f"{field.minimum} to {field.maximum}"


if __name__ == "__main__":
    PAGE.write_text(with_tables(PAGE.read_text("utf-8")), "utf-8")
