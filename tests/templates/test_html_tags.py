"""Addresses of pictures: of those that are shown, and nothing that merely looks like one."""

from __future__ import annotations

from pathlib import Path

import pytest
from small_games import make, write_game

from cardgen.templates import template_lint

FILES = {
    "game.yaml": "game: small\ntitle: {en: Small}\nlanguages: [en]\n",
    "cards/notes.yaml": "deck: notes\ntitle: {en: Notes}\nsize: poker\nfront: note.html\n"
    "fields: {text: text}\ncards:\n"
    "  - id: one\n    text: {en: \"Write src='art/no.svg', url(art/no.png) or data-fit=9-2.\"}\n",
    "templates/note.html": '<div style="position: absolute; left: 5mm; top: 5mm; width: 50mm" '
    'class="text"><img alt="{{ card.text }} src=art/no.svg" src="art/house.svg" '
    'style="width: 9mm; height: 9mm">{{ card.text }}</div>',
    "art/house.svg": '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 4">'
    '<path d="M0 0h4v4z"/></svg>',
}


@pytest.mark.parametrize(
    ("html", "found"),
    [
        ('<img src="art/a.svg">', ["art/a.svg"]),
        ("<img data-at=a.html:1 alt='>' src=art/a.svg>", ["art/a.svg"]),
        ("<IMG SRC = 'art/a b.svg'/>", ["art/a b.svg"]),
        ('<img src="art/a.svg"><img src="art/b.svg"><img src="art/a.svg">',
         ["art/a.svg", "art/b.svg"]),
        ('<p style="background: url(art/a.png)">', ["art/a.png"]),
        ('<p style="background: url( \'art/a.png\' )">', ["art/a.png"]),
        ('<p style="background: url(&quot;art/a.png&quot;)">', ["art/a.png"]),
        ('<p style="color: red" title="url(art/a.png)">', []),
        ("<p style=\"content: 'url(art/a.png)'\">", []),
        ('<svg><image href="art/a.png"/><rect style="fill: url(#g)" fill="url(#g)"/></svg>',
         ["art/a.png"]),
        ("<p>src=art/a.svg url(art/b.svg)</p>", []),
        ("<p>&lt;img src=art/a.svg&gt;</p>", []),
        ('<!-- <img src="art/a.svg"> --><p>', []),
        ('<img alt="src=art/b.svg url(art/c.svg)" src="art/a.svg">', ["art/a.svg"]),
        ('<img data-src="art/a.svg"><div src="art/b.svg">', []),
        ('<img src="">', []),
    ],
)  # fmt: skip
def test_the_pictures_that_html_shows(html: str, found: list[str]) -> None:
    assert template_lint.list_pictures(html) == found


def test_the_addresses_of_a_style() -> None:
    style = (
        '/* url(art/no.svg) */ .a { background: URL("art/a.png"), url(art/b.png) }\n'
        ".b { content: 'url(art/no.svg)'; mask: url(#m); --c: url( 'art/c.svg' ) }"
    )
    assert template_lint.list_urls(style) == ["art/a.png", "art/b.png", "art/c.svg"]


def test_attributes_are_found_in_tags_alone() -> None:
    html = "<p title='data-fit=1-2'>data-fit=3-4 <b data-at=a:1 data-fit='5-6'>x</b></p>"
    ((start, end, value),) = template_lint.find_attribute(html, "data-fit")
    assert (html[start:end], value) == ("data-fit='5-6'", "5-6")


def test_words_about_pictures_are_words(tmp_path: Path) -> None:
    """Neither looked for, nor lost, nor taken for the size of a text."""
    root = write_game(tmp_path, FILES)
    assert make(root, outputs=("images",)).new_files
