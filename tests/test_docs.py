"""The documentation says what cardgen does: its examples are run, its links followed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from conftest import ROOT
from docs_examples import PAGES, Example, examples, printed

from cardgen.core.units import CARD_SIZES
from cardgen.looks import look_catalogue
from cardgen.rules.rule_kinds import RULE_KINDS

EXAMPLES = [example for page in PAGES for example in examples(page)]
LINKED = [*sorted((ROOT / "docs").glob("*.md")), *sorted(ROOT.glob("*.md"))]
_CODE = re.compile(r"^(`{3,}).*?^\1$|`[^`\n]*`", re.DOTALL | re.MULTILINE)
_LINK = re.compile(r"\]\((?!https?:)([^)#\s]+)")


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda e: f"{e.page}:{e.line}")
def test_an_example_prints_what_the_page_says(example: Example, tmp_path: Path) -> None:
    assert printed(example, tmp_path) == example.printed


def test_every_kind_of_rule_has_an_example() -> None:
    text = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")
    assert [
        kind for kind in RULE_KINDS if f"- id: {kind}" not in text and f"  {kind}:" not in text
    ] == []


def test_every_size_is_listed() -> None:
    text = (ROOT / "docs" / "reference.md").read_text(encoding="utf-8")
    assert [name for name in CARD_SIZES if f"`{name}`" not in text] == []


@pytest.mark.parametrize("name", look_catalogue.list_looks())
def test_every_look_is_told_with_its_picture_size_and_places(name: str) -> None:
    look = look_catalogue.load_look(name)
    page = (ROOT / "docs" / "looks.md").read_text(encoding="utf-8")
    told = page.split(f"\n## {look.title}\n")[1].split("\n## ")[0]
    rows = [line for line in told.splitlines() if line.startswith("| `")]
    assert f"![{look.title}](images/look-{name}.png)" in told
    assert f"`look: {name}`, drawn for `{look.size}`" in told
    assert re.findall(r"`(\w+)`", " ".join(row.split("|")[1] for row in rows)) == list(look.slots)
    fields = [field for place in look.slots.values() for field in place.default_fields]
    assert re.findall(r"`(\w+)`", " ".join(row.split("|")[3] for row in rows)) == fields


@pytest.mark.parametrize("page", LINKED, ids=lambda path: path.name)
def test_links_lead_somewhere(page: Path) -> None:
    targets = _LINK.findall(_CODE.sub("", page.read_text(encoding="utf-8")))
    assert [target for target in targets if not (page.parent / target).exists()] == []
