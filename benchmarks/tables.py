"""Figures as Markdown tables, which a terminal and docs/development/benchmarks.md take alike."""

from collections.abc import Sequence

Cell = str | int | float


def show(title: str, header: Sequence[str], rows: Sequence[Sequence[Cell]]) -> None:
    """Print a table under its title; numbers are aligned to the right."""
    texts = [list(header), *([_text(cell) for cell in row] for row in rows)]
    widths = [max(len(row[column]) for row in texts) for column in range(len(header))]
    is_number = [all(not isinstance(row[column], str) for row in rows) for column in range(len(header))]
    print(f"\n{title}\n")
    for number, row in enumerate(texts):
        cells = [
            text.rjust(width) if right else text.ljust(width)
            for text, width, right in zip(row, widths, is_number, strict=True)
        ]
        print(f"| {' | '.join(cells)} |")
        if not number:
            rules = [
                "-" * (width - 1) + (":" if right else "-")
                for width, right in zip(widths, is_number, strict=True)
            ]
            print(f"| {' | '.join(rules)} |")
    print(flush=True)


def _text(cell: Cell) -> str:
    """A whole number as it is, another one with three digits that count."""
    if isinstance(cell, str):
        return cell
    if isinstance(cell, int) or abs(cell) >= 100:
        return f"{cell:,.0f}"
    return f"{cell:.1f}" if abs(cell) >= 10 else f"{cell:.2f}"
