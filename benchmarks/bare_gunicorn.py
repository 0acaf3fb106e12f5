"""gunicorn's settings for `benchmarks.bare`: those of the full mode, without what needs a database."""

from config import gunicorn as _full

globals().update(
    {
        name: value
        for name, value in vars(_full).items()
        if not name.startswith("_") and name not in {"on_starting", "when_ready"}
    }
)
