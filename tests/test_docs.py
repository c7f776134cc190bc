"""The documentation says what cardgen does: its examples are run, its links followed."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import pytest
from conftest import ROOT
from docs_examples import PAGES, Example, examples, printed

from cardgen.core.units import CARD_SIZES
from cardgen.game import (
    deck_keys,
    field_types,
    fonts_file,
    game_settings,
    loader,
    tabletop_file,
    variants,
)
from cardgen.game.keys import Key
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


@pytest.mark.parametrize(
    ("page", "heading", "keys"),
    [
        ("reference.md", "## game.yaml", loader.GAME_KEYS),
        (
            "reference.md",
            "Keys of `print`",
            {**game_settings._PRINT_KEYS, **game_settings._PRESS_KEYS},
        ),
        ("reference.md", "Keys of a variant", variants._VARIANT_KEYS),
        ("reference.md", "## Deck files", {**deck_keys.SHARED_KEYS, **deck_keys.DECK_KEYS}),
        ("reference.md", "## fonts/fonts.yaml", fonts_file._FAMILY_KEYS),
        ("tabletop.md", "## The table", tabletop_file._TABLETOP_KEYS),
        ("tabletop.md", "An entry of `middle`", tabletop_file._PLACEMENT_KEYS),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_table_of_the_reference_has_the_keys_that_are_read(
    page: str, heading: str, keys: Mapping[str, Key]
) -> None:
    rows = _list_table_rows(page, heading)
    assert {name for row in rows for name in re.findall("`([^`]+)`", row[0])} == set(keys)


def test_every_field_type_is_listed_with_its_options() -> None:
    rows = {
        row[0].strip("` "): row[2] for row in _list_table_rows("reference.md", "## Field types")
    }
    assert list(rows) == list(field_types.FIELD_TYPES)
    for name, kind in field_types.FIELD_TYPES.items():
        assert [option for option in kind.options if f"`{option}`" not in rows[name]] == []


def _list_table_rows(page: str, heading: str) -> list[list[str]]:
    """Return the cells of the first table below a line that begins so."""
    text = (ROOT / "docs" / page).read_text(encoding="utf-8").split(f"\n{heading}", 1)[1]
    table = re.search(r"^\|.*\n\|[-| ]+\|\n((?:\|.*\n)+)", text, re.MULTILINE)
    assert table
    return [line.strip("|").split("|") for line in table[1].splitlines()]


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
