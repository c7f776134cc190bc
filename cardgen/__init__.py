"""cardgen: print-and-play card games from a folder of YAML, HTML and SVG."""

from __future__ import annotations


def __getattr__(name: str) -> str:
    """`__version__`, looked up when it is asked for: most commands never do."""
    if name != "__version__":
        raise AttributeError(f"module 'cardgen' has no attribute '{name}'")
    from importlib.metadata import PackageNotFoundError, version  # noqa: PLC0415 - 20 ms

    try:
        return version("cardgen")
    except PackageNotFoundError:  # run from a checkout that was never installed
        return "0+unknown"
