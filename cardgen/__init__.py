"""cardgen: print-and-play card games from a folder of YAML, HTML and SVG."""

from importlib.metadata import PackageNotFoundError, version

try:
    __version__ = version("cardgen")
except PackageNotFoundError:  # run from a checkout that was never installed
    __version__ = "0+unknown"
