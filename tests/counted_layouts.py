"""Faces are counted as they are laid out, whole and box by box."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from xml.etree.ElementTree import Element

import pytest

from cardgen.faces.page_layout import PageLayout


@dataclass
class Layouts:
    """How many faces were laid out whole, and how many boxes by themselves."""

    faces: int = 0
    boxes: int = 0

    def of(self, work: Callable[[], object]) -> tuple[int, int]:
        """Both figures of some work."""
        self.faces = self.boxes = 0
        work()
        return self.faces, self.boxes


def counted(monkeypatch: pytest.MonkeyPatch) -> Layouts:
    """Count from now on, in this process."""
    found = Layouts()
    whole, parts = PageLayout.lay_out_sections, PageLayout.lay_out_elements

    def counted_whole(self: PageLayout, without: Iterable[str], at: Mapping[str, float]) -> Any:
        document = whole(self, without, at)
        found.faces += len(document.pages)
        return document

    def counted_parts(
        self: PageLayout, elements: Iterable[Element], at: Mapping[str, float]
    ) -> Any:
        found.boxes += len(at)
        return parts(self, elements, at)

    monkeypatch.setattr(PageLayout, "lay_out_sections", counted_whole)
    monkeypatch.setattr(PageLayout, "lay_out_elements", counted_parts)
    return found
