"""The page on timetables says what the code does."""

import re

from tests.support import ROOT
from tournaments.scheduling.model import Cause, Method

PAGE = (ROOT / "docs/reference/timetables.md").read_text("utf-8")


def test_timetables_page_example_runs() -> None:
    (example,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    exec(compile(example, "timetables.md", "exec"), {})


def test_timetables_page_lists_every_cause_and_method() -> None:
    table = PAGE.split("| cause |")[1].split("\n\n")[0]
    told = {name for line in table.splitlines()[2:] for name in re.findall(r"`(\w+)`", line.split("|")[1])}
    assert told == set(Cause)
    assert set(re.findall(r"`(tendone-timetable-[\w-]+)`", PAGE)) == set(Method)
