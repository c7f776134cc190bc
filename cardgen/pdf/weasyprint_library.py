"""WeasyPrint, imported so that it sees no font of the machine. No other module imports it.

WeasyPrint reads its environment while it is imported, so nothing may import it earlier.
"""

from __future__ import annotations

import ctypes.util
import io
import os
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from pathlib import Path


@contextmanager
def _load_by_library_names() -> Iterator[None]:
    """Keep ctypes from searching libraries by other names than those that the loader knows.

    WeasyPrint tries them first, and each search starts ldconfig, gcc or ld: twenty processes.
    """
    find = ctypes.util.find_library
    if sys.platform == "linux":
        ctypes.util.find_library = lambda name: None
    try:
        yield
    finally:
        ctypes.util.find_library = find


os.environ["FONTCONFIG_FILE"] = str(Path(__file__).with_name("fonts.conf"))
# Without Pango it prints several lines, before it raises what the command line reports.
with warnings.catch_warnings(), redirect_stdout(io.StringIO()), _load_by_library_names():
    warnings.simplefilter("ignore")  # a warning that there are no fonts
    import weasyprint
    from weasyprint import cssselect2, tinyhtml5
    from weasyprint.css import ComputedStyle, Pending
    from weasyprint.css.computed_values import PHYSICAL_FUNCTIONS
    from weasyprint.css.properties import (
        INHERITED,
        INITIAL_NOT_COMPUTED,
        INITIAL_VALUES,
        KNOWN_PROPERTIES,
    )
    from weasyprint.formatting_structure import boxes
    from weasyprint.html import UA_STYLESHEET
    from weasyprint.images import RasterImage, pydyf
    from weasyprint.svg import css as svg_css
    from weasyprint.svg import utils as svg_utils
    from weasyprint.text import ffi as text_ffi
    from weasyprint.text.ffi import harfbuzz_subset
    from weasyprint.text.fonts import FontConfiguration, get_pango_font_key
    from weasyprint.text.line_break import pyphen, split_first_line
    from weasyprint.urls import URLFetcher, URLFetcherResponse

__all__ = [
    "INHERITED", "INITIAL_NOT_COMPUTED", "INITIAL_VALUES", "KNOWN_PROPERTIES",
    "PHYSICAL_FUNCTIONS", "UA_STYLESHEET", "ComputedStyle", "FontConfiguration", "Pending",
    "RasterImage", "URLFetcher", "URLFetcherResponse", "boxes", "cssselect2", "get_pango_font_key",
    "harfbuzz_subset", "pydyf", "pyphen", "split_first_line", "svg_css", "svg_utils", "text_ffi",
    "tinyhtml5", "weasyprint",
]  # fmt: skip
