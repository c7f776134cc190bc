"""Numbers are printed as the language of a face writes them, and never so within markup."""

from __future__ import annotations

import re

import pytest
from conftest import MakeGame

from cardgen.game import loader
from cardgen.templates.template_renderer import TemplateRenderer

TEMPLATE = """\
<style>.a { width: {{ card.x }}mm }</style>
<p style="left: {{ card.x }}mm" title='{{ card.x }}'>{{ card.x }} kg, {{ card.x * 2 }},
{{ card.n }}, {{ card.x | string }}</p>
<i style="width: {{ card.x ~ "mm" }}">{{ card.x ~ " kg" }}, {{
[card.x, 3, "a.b"] | join("; ") }}</i>
<svg><path d="M{{ [card.x, 1.5] | join(" ") }}"/></svg>{{ {"at 2.25": "found"}["at " ~ card.x] }}
{% set wide %}{{ card.x }}{% endset %}{% if wide | float > 2 %}<b>wide</b>{% endif %}
<svg viewBox="0 0 {{ card.x }} 1"><text x="{{ card.x }}">{{ card.x }}</text></svg>
{{ drawing("map.svg") }}
"""
DRAWING = '<svg xmlns="http://www.w3.org/2000/svg"><path d="M{{ card.x }}"/>{{ card.x }}</svg>'


@pytest.mark.parametrize(("language", "sign"), [("fi", ","), ("de", ","), ("en", "."), ("ru", ",")])
def test_decimal_signs_of_a_face(make_game: MakeGame, language: str, sign: str) -> None:
    root = make_game({
        "game.yaml": f"game: g\ntitle: G\nlanguages: [{language}]\n",
        "cards/d.yaml": "deck: d\ntitle: D\nsize: poker\nfront: a.html\nfields: {x: number, n: "
        "integer}\ncards: [{id: a, x: 2.25, n: 1000}]\n",
        "templates/a.html": TEMPLATE,
        "templates/map.svg": DRAWING,
    })  # fmt: skip
    game, _ = loader.load_game(root)
    assert game is not None
    renderer = TemplateRenderer(game)
    deck = game.decks[0]
    html = renderer.render_face(deck, deck.pieces[0], "front", language)
    assert renderer.problems == []
    assert html is not None
    no_lines = re.sub(r" data-at=[^ >]*", "", html)
    assert ".a { width: 2.25mm }" in html
    assert "style=\"left: 2.25mm\" title='2.25'>" in html
    assert f">2{sign}25 kg, 4{sign}5,\n1000, 2.25</p>" in html
    assert f'<i style="width: 2.25mm">2{sign}25 kg, 2{sign}25; 3; a.b</i>' in no_lines
    assert '<path d="M2.25 1.5"/></svg>found' in no_lines
    assert ">wide</b>" in html
    assert 'viewBox="0 0 2.25 1"' in html
    assert f'x="2.25">2{sign}25</text>' in html
    ((_, svg),) = renderer.drawings.values()
    assert svg.decode().endswith(f'<path d="M2.25"/>2{sign}25</svg>')
