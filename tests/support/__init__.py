"""What tests share: rows, readers of pages and files, services of their own, and how a run is set up."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
"""The project's folder."""
