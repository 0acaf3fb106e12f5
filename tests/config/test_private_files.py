"""The folder of data is for the account alone that runs the service, also where it was there before."""

import stat
from pathlib import Path

import pytest

from config.private_files import NotOwnFolderError, protect
from tests.support.services.other_account import reachable_folder, readable


def fill(var: Path) -> None:
    """Make a folder of data as earlier versions left it."""
    (var / "backup").mkdir(parents=True)
    for name in ("secret-key", "tendone.sqlite3", "backup/tendone-000001-20260912T183000Z.backup"):
        (var / name).write_text("names")
        (var / name).chmod(0o644)
    for folder in (var / "backup", var):
        folder.chmod(0o755)


def modes_in(folder: Path) -> dict[str, int]:
    """The modes of a folder and all in it."""
    paths = [folder, *folder.rglob("*")]
    return {str(path.relative_to(folder)): stat.S_IMODE(path.stat().st_mode) for path in paths}


def test_protected_folder_is_closed_to_another_account() -> None:
    with reachable_folder() as folder:
        var = folder / "var"
        fill(var)
        # Without it another account reads all of it.
        assert readable(folder) == {"var", *(f"var/{name}" for name in modes_in(var) if name != ".")}

        assert protect(var) == []

        assert readable(folder) == set()


def test_protect_mends_the_modes_of_existing_files(tmp_path: Path) -> None:
    var = tmp_path / "var"
    fill(var)
    (var / "backup").chmod(0o000)

    assert protect(var) == []

    assert modes_in(var) == {
        ".": 0o700,
        "backup": 0o700,
        "backup/tendone-000001-20260912T183000Z.backup": 0o600,
        "secret-key": 0o600,
        "tendone.sqlite3": 0o600,
    }


def test_protect_leaves_the_target_of_a_link_alone(tmp_path: Path) -> None:
    var, elsewhere = tmp_path / "var", tmp_path / "elsewhere"
    fill(var)
    elsewhere.mkdir(mode=0o755)
    (elsewhere / "photo.jpg").touch(mode=0o644)
    (var / "link").symlink_to(elsewhere)

    assert protect(var) == []

    assert modes_in(elsewhere) == {".": 0o755, "photo.jpg": 0o644}


def test_protect_makes_a_private_folder(tmp_path: Path) -> None:
    assert protect(tmp_path / "a" / "var") == []
    assert modes_in(tmp_path / "a" / "var") == {".": 0o700}


def test_protect_names_a_file_that_stays_readable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a stick whose file system knows no accounts, modes don't change."""
    fill(tmp_path / "var")
    monkeypatch.setattr(Path, "chmod", lambda path, mode: None)
    [sentence] = protect(tmp_path / "var")
    assert sentence == (
        f"Other accounts of this machine may be able to read {tmp_path / 'var'} and 4 more: "
        "it belongs to another account, or lies on a disk that knows no accounts."
    )


@pytest.mark.parametrize("name", ["home", "shared", "others"])
def test_protect_refuses_a_folder_with_other_files(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / name
    folder.mkdir()
    (folder / "photo.jpg").touch()
    folder.chmod(0o1777 if name == "shared" else 0o755)
    if name != "others":
        (folder / "secret-key").touch()
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    before = modes_in(folder)

    with pytest.raises(NotOwnFolderError, match=r"Name an empty folder of its own\.$"):
        protect(folder)

    assert modes_in(folder) == before
