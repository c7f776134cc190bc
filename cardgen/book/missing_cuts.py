"""Bold and italic texts of a book whose family has neither."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from cardgen.assets.font_files import ICON_FAMILY, FontFile
from cardgen.book.source_lines import list_element_places
from cardgen.core.problems import shorten
from cardgen.faces.layout_checks import explain_missing_cut
from cardgen.pdf.weasyprint_library import weasyprint

_BOLD = 600
_TextBox = weasyprint.formatting_structure.boxes.TextBox


def find_missing_cuts(document: Any, cuts: Iterable[FontFile]) -> Iterator[tuple[int, str]]:
    """Yield the block of the first bold or italic text in a family without, and a message.

    WeasyPrint sets such a text in another weight or style of the family.
    """
    declared: dict[str, dict[tuple[int, str], FontFile]] = {}
    for cut in cuts:
        if cut.family != ICON_FAMILY:
            declared.setdefault(cut.family, {})[cut.weight, cut.style] = cut
    places = list_element_places(document.body_element)
    reported = set()
    for block, box in _list_texts(document, places):
        family = next((name for name in box.style["font_family"] if name in declared), "")
        weight, style = int(box.style["font_weight"]), str(box.style["font_style"])
        weights = [each for each, known in declared.get(family, ()) if known == style]
        if not family or (weights and (weight < _BOLD or max(weights) >= _BOLD)):
            continue
        if (family, weight, style) not in reported:
            reported.add((family, weight, style))
            what = f"{family} {weight} {style}, in which '{shorten(box.text.strip())}' is set,"
            yield block, f"{what} {explain_missing_cut(weight, style, declared[family])}"


def _list_texts(document: Any, places: Mapping[int, tuple[int, int]]) -> Iterator[tuple[int, Any]]:
    """Yield the text boxes of the book's own elements with their blocks, page by page."""
    for page in document.pages:
        for box in page._page_box.descendants():
            if isinstance(box, _TextBox) and box.text.strip() and id(box.element) in places:
                yield places[id(box.element)][0], box
