"""gunicorn's settings of the full mode for `benchmarks.bare`, which has no rows to be asked about."""

from config import gunicorn as _full

globals().update(
    {
        name: value
        for name, value in vars(_full).items()
        if not name.startswith("_") and name not in {"on_starting", "when_ready"}
    }
)
