"""Workers of one run don't share a folder."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support import ROOT

SETTINGS = """
import os

VAR_DIR = os.environ["TENDONE_VAR"]
"""
CONFTEST = """
import os
import tempfile

import django

os.environ |= {"DJANGO_SETTINGS_MODULE": "few_settings", "TENDONE_VAR": tempfile.mkdtemp(dir=".")}
django.setup()
"""
"""As the tests' own, which gives the process a folder before settings are read."""
WHERE = """
from pathlib import Path

from django.conf import settings

def test_folder_is_noted(worker_id):
    Path(f"{worker_id}.folder").write_text(settings.VAR_DIR)
"""


@pytest.mark.parametrize(
    ("plugins", "folders"),
    [
        pytest.param(("-p", "tests.support.run.workers"), 2, id="as-it-is"),
        pytest.param((), 1, id="without-the-safeguard"),
    ],
)
def test_workers_have_folders_of_their_own(plugins: tuple[str, ...], folders: int, tmp_path: Path) -> None:
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    (tmp_path / "few_settings.py").write_text(SETTINGS)
    (tmp_path / "conftest.py").write_text(CONFTEST)
    (tmp_path / "test_where.py").write_text(WHERE)

    subprocess.run(
        [sys.executable, "-m", "pytest", *plugins, "-n", "2", "--dist", "each", "-c", "pytest.ini", "."],
        cwd=tmp_path,
        env={**os.environ, "PYTEST_ADDOPTS": "", "PYTHONPATH": f"{ROOT}{os.pathsep}{tmp_path}"},
        capture_output=True,
        check=True,
    )

    assert len({noted.read_text() for noted in tmp_path.glob("*.folder")}) == folders
