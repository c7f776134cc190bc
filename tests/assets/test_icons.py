"""Icons in one colour: what is drawn, what is cut out, and what is told as lost."""

from __future__ import annotations

import pytest
from conftest import TESTS, MakeGame

from cardgen.assets import game_fonts, icon_outlines
from cardgen.rules import rule_file
from cardgen.runtime.content_store import Store

SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">{}</svg>'
DISC = '<circle cx="12" cy="12" r="10" {}/>'
SQUARE = '<path d="M8 8h8v8h-8z" {}/>'


def made(inside: str) -> tuple[int, str | None]:
    """How much of the em is covered, in percent, and what is lost; None: several colours."""
    path, lost = icon_outlines.trace_icon(SVG.format(inside).encode(), 1000)
    return round(abs(path.area) / 10_000), lost


@pytest.mark.parametrize(
    ("inside", "lost"),
    [
        (DISC.format("") + SQUARE.format('fill="#fff"'), ""),
        (DISC.format('fill="#333"'), ""),
        (DISC.format('fill="#000"') + SQUARE.format('fill="#211d1a"'), ""),
        (DISC.format('fill="currentColor"'), ""),
        (SQUARE.format('fill="red"') + DISC.format('fill="#000"'), ""),
        (DISC.format('fill="gold"') + SQUARE.format('fill="#c00"'), None),
        (DISC.format('fill="#ddd"') + SQUARE.format('fill="#333"'), None),
        (DISC.format('fill="#fc0" stroke="#000"'), None),
        (DISC.format('fill="#c0392b"'), "#c0392b is lost"),
        (DISC.format('style="fill: #c0392b"'), "#c0392b is lost"),
        (
            '<path d="M0 0h8v8H0z" fill="red"/><path d="M16 0h8v8h-8z" fill="blue"/>',
            None,
        ),
        (DISC.format('fill="url(#shine)"'), "gradients are not kept"),
        (DISC.format('fill-opacity="50%"'), "opacity is not kept"),
        (f'<g opacity="0.5">{DISC.format("")}</g>', "opacity is not kept"),
        (DISC.format('stroke="#000" stroke-dasharray="2"'), "dashes are not kept"),
        (f'<g mask="url(#m)" clip-path="url(#c)">{DISC.format("")}</g>',
         "clipping and masks are not kept"),
    ],
)  # fmt: skip
def test_what_is_lost(inside: str, lost: str | None) -> None:
    assert made(inside)[1] == lost


@pytest.mark.parametrize(
    "inside",
    [
        SQUARE.format('fill="none"'),
        SQUARE.format('fill="transparent"'),
        SQUARE.format('fill="rgba(0, 0, 0, 0)"'),
        SQUARE.format('opacity="0"'),
        SQUARE.format('display="none"'),
        SQUARE.format('visibility="hidden"'),
        SQUARE.format('style="fill:none"'),
        f"<defs>{SQUARE.format('')}</defs>",
        f'<clipPath id="c">{SQUARE.format("")}</clipPath>',
        f'<mask id="m">{SQUARE.format("")}</mask>',
        f'<symbol id="s">{SQUARE.format("")}</symbol>',
    ],
)
def test_what_is_not_to_be_seen_is_not_drawn(inside: str) -> None:
    rest = '<path d="M0 0h4v4H0z"/>'
    assert made(inside + rest) == made(rest)


@pytest.mark.parametrize(
    "white",
    ["white", "#FFF", "#ffffff", "rgb(255,255,255)", "rgb(100% 100% 100%)", "hsl(0,0%,100%)"],
)
def test_every_white_cuts_out(white: str) -> None:
    assert made(DISC.format("") + SQUARE.format(f'fill="{white}"')) == (43, "")


def test_what_is_lost_is_told_again_when_the_font_is_there(make_game: MakeGame) -> None:
    root = make_game(like=TESTS / "problems" / "coloured-icon")
    game, _ = rule_file.load_game(root)
    assert game is not None
    store = Store(root / "build" / ".store")
    first, second = (game_fonts.prepare_fonts(game, store)[1] for _ in range(2))
    assert [problem.source.path for problem in first] == [
        "art/icons/glass.svg",
        "art/icons/heart.svg",
    ]
    assert second == first
