"""What is kept of Node's tools is made anew when what it was made from has changed."""

from pathlib import Path

import pytest

from tests.support.services import node


def test_kept_folder_is_made_anew_when_a_source_changes_or_making_failed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(node, "CACHE", tmp_path / "cache")
    source = tmp_path / "source"
    made = []

    def make(folder: Path) -> None:
        made.append(source.read_text())
        (folder / "result").write_text(source.read_text())
        if source.read_text() == "wrong":
            raise ValueError("it was wrong")

    def result() -> str:
        return (node.keep("thing", [source], make) / "result").read_text()

    source.write_text("one")
    results = [result(), result()]
    source.write_text("wrong")
    for _ in range(2):
        with pytest.raises(ValueError, match="it was wrong"):
            result()
    source.write_text("two")
    results += [result(), result()]

    assert results == ["one", "one", "two", "two"]
    assert made == ["one", "wrong", "wrong", "two"]
