"""What the site has beside `docs/`: pages from the repository's root, our fonts and our sign.

`mkdocs.yml` names this file as a hook. Nothing is written twice: a page such as CHANGELOG.md is
read where it lies, and its links lead to the site's pages.
"""

from __future__ import annotations

import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

ROOT = Path(__file__).resolve().parents[1]
PAGES = ("CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md")
"""Pages of the root that are pages of the site, under their names in small letters."""
ASSETS = {
    "images/icon.svg": "cardgen/preview/page/icon.svg",
    "fonts/text.ttf": "cardgen/assets/fonts/fira-sans-condensed/fira-sans-condensed-400-normal.ttf",
    "fonts/bold.ttf": "cardgen/assets/fonts/fira-sans-condensed/fira-sans-condensed-700-normal.ttf",
}
"""Files of the site, and where in the repository they come from."""
OF_NO_SEARCH = "---\nsearch:\n  exclude: true\n---\n\n"
"""Before a page in which every word stands once, so that it is not found instead of another."""
_CONTENTS = re.compile(r"^Contents: \[.*\n\n", re.MULTILINE)
_CELL = re.compile(r"<t[dh]\b[^>]*>.*?</t[dh]>", re.DOTALL)
_CODE = re.compile(r"<code>.*?</code>", re.DOTALL)
_TO_ROOT = re.compile(rf"\]\(\.\./({'|'.join(map(re.escape, PAGES))})")
_LINK = re.compile(r"\]\((?:docs/)?([\w./-]+?)(#[\w-]+)?\)")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add what lies elsewhere. mkdocs calls this once for each build."""
    for name in PAGES:
        text = (ROOT / name).read_text(encoding="utf-8")
        head = OF_NO_SEARCH if name == "CHANGELOG.md" else ""
        files.append(File.generated(config, name.lower(), content=head + in_site(text)))
    for name, source in ASSETS.items():
        files.append(File.generated(config, name, abs_src_path=str(ROOT / source)))
    return files


def on_page_markdown(markdown: str, **_: object) -> str:
    """A page without its line of contents, which the site shows beside it, and with its links to
    pages of the root as they are in the site."""
    return _TO_ROOT.sub(lambda link: f"]({link[1].lower()}", _CONTENTS.sub("", markdown))


def on_page_content(html: str, **_: object) -> str:
    """A page whose tables show the bars of code as a forge does: there `\\|` is a bar."""
    return _CELL.sub(lambda cell: _CODE.sub(_with_bars, cell[0]), html)


def _with_bars(code: re.Match[str]) -> str:
    return code[0].replace(r"\|", "|")


def in_site(text: str) -> str:
    """A page of the root with its links to other pages as they are in the site."""

    def link(found: re.Match[str]) -> str:
        name = found[1].lower() if found[1] in PAGES else found[1]
        return f"]({name}{found[2] or ''})"

    return _LINK.sub(link, text)
