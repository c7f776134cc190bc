"""The documentation as a site: built once, its pages in the menu, its links and pictures held."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import site_pages
from conftest import ROOT
from mkdocs.config import load_config

BUILT = ("changelog.md", "contributing.md", "security.md")
"""Pages of the site that are made of those in the repository's root."""
_FROM_ELSEWHERE = re.compile(
    r"<(?:script|img|iframe|source)[^>]*\ssrc=\"?(?:https?:)?//[^>]*>"
    r"|<link[^>]*\brel=\"?(?:stylesheet|preconnect|preload|icon)[^>]*href=\"?(?:https?:)?//[^>]*>"
    r"|url\([\"']?(?:https?:)?//[^)]*\)"
)


def in_menu(entries: Any) -> list[str]:
    """The pages of a part of the menu, in its order."""
    if isinstance(entries, str):
        return [entries]
    parts = entries.values() if isinstance(entries, dict) else entries
    return [page for part in parts for page in in_menu(part)]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The whole site, built as `make site` builds it; a link that leads nowhere fails it."""
    folder = tmp_path_factory.mktemp("site")
    command = [
        sys.executable,
        "-m",
        "mkdocs",
        "build",
        "--strict",
        "--site-dir",
        str(folder),
    ]
    around = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    ran = subprocess.run(command, cwd=ROOT, env=around, capture_output=True, text=True, check=False)
    # Not --quiet: it keeps warnings from --strict, too.
    assert ran.returncode == 0, ran.stderr
    assert "WARNING" not in ran.stderr
    return folder


def test_every_page_stands_in_the_menu_once() -> None:
    nav = in_menu(load_config(str(ROOT / "mkdocs.yml"))["nav"])
    pages = [path.relative_to(ROOT / "docs").as_posix() for path in (ROOT / "docs").rglob("*.md")]
    assert sorted(nav) == sorted([*pages, *BUILT])


def test_links_and_anchors_hold(site: Path) -> None:
    for page in ("index.html", "guide/index.html", "changelog/index.html", "404.html"):
        assert (site / page).is_file()
    broken = load_config(str(ROOT / "mkdocs.yml"))["validation"]
    assert broken["links"]["anchors"] == broken["nav"]["omitted_files"] == 30, "told as warnings"


def test_nothing_is_fetched_from_other_servers(site: Path) -> None:
    files = [*site.rglob("*.html"), *site.rglob("*.css")]
    assert len(files) > 15
    found = {
        f"{file.relative_to(site)}: {hit[:120]}"
        for file in files
        for hit in _FROM_ELSEWHERE.findall(file.read_text(encoding="utf-8"))
    }
    assert found == set()


def test_tables_show_bars_and_no_backslashes(site: Path) -> None:
    text = (site / "rules/index.html").read_text(encoding="utf-8")
    assert "<code>port | length</code>" in text


def test_every_page_but_the_changelog_is_searched(site: Path) -> None:
    found = json.loads((site / "search/search_index.json").read_text(encoding="utf-8"))["docs"]
    pages = {each["location"].partition("#")[0] for each in found}
    assert {"rules/", "security/", "start/"} <= pages
    assert "changelog/" not in pages


def test_pages_of_the_root_lead_to_pages_of_the_site() -> None:
    text = "[a](docs/rules.md#count) [b](CHANGELOG.md) [c](SECURITY.md#x) [d](https://e.org/docs/f)"
    assert site_pages.in_site(text) == (
        "[a](rules.md#count) [b](changelog.md) [c](security.md#x) [d](https://e.org/docs/f)"
    )


def test_a_page_loses_its_line_of_contents_and_leads_to_pages_of_the_root() -> None:
    text = "# A\n\nContents: [b](#b) · [c](#c)\n\n## b\n\nContents: a box, [d](../SECURITY.md#x)\n"
    assert site_pages.on_page_markdown(text, page=None) == (
        "# A\n\n## b\n\nContents: a box, [d](security.md#x)\n"
    )
