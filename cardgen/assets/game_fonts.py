"""All fonts of a game, made ready for typesetting: those of its texts, and the icon font."""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from cardgen.assets import coloured_icons, hyphenation
from cardgen.assets.font_files import ICON_FAMILY, FontFile, FontSet, prepare_text_fonts, read_font
from cardgen.core import work_limits
from cardgen.core.problems import Problem, Source
from cardgen.game.card_text import PRIVATE_USE_START, assign_codepoints
from cardgen.game.game_folder import COLOURED_ICONS_FOLDER
from cardgen.game.model import Game
from cardgen.runtime.content_store import Store, digest_parts

LOST_DETAIL_SUFFIX = ".lost"
"""Suffix of the file beside the icon font that lists what each icon loses."""
_ONE_COLOUR_MESSAGE = "an icon is printed in one colour, that of its text"
_UNITS_PER_EM = 1000
_FONT_TIMESTAMP = 2_082_844_800
"""1970-01-01 in seconds since 1904, the epoch of font files."""


def prepare_fonts(game: Game, store: Store) -> tuple[FontSet, list[Problem]]:
    """Make the font files and hyphenation dictionaries the store does not hold yet."""
    cuts, problems = prepare_text_fonts(game.fonts, game.root, store)
    unusable: frozenset[str] = frozenset()
    several: frozenset[str] = frozenset()
    if game.icons:
        icon_cut, losses, icon_problems = _prepare_icon_font(game, store)
        several = frozenset(name for name, what in losses.items() if what is None)
        unusable, found = coloured_icons.check_coloured_icons(
            replace(game, multicoloured_icons=several)
        )
        cuts.append(icon_cut)
        problems += [*found, *icon_problems]
    patterns: dict[str, Path] = {}
    for language, path in game.fonts.patterns.items():
        script = read_font(path, game.root)
        try:
            patterns[language] = hyphenation.make_dictionary(script, store)
        except ValueError as error:
            source = game.fonts.pattern_sources[language]
            problems.append(Problem(source, f"{path.name} {error}", "font"))
    return FontSet(tuple(cuts), patterns, unusable, several), problems


def _prepare_icon_font(
    game: Game, store: Store
) -> tuple[FontFile, dict[str, str | None], list[Problem]]:
    """Make the icon font. Return what each icon loses, None for one of several colours, too.

    An icon that cannot be converted is reported and left blank, so that its faces are laid out
    as they will be. Coloured icons are blank, too: their pictures are laid under the glyphs.
    """
    root, icons = game.root, game.icons
    plain = sorted(icons.keys() - game.coloured_icons.keys())
    sources = {name: read_font(icons[name], root) for name in plain}
    parts = (part for name in sources for part in (name, sources[name]))
    digest = digest_parts(["icons 4", *parts, "blank", *sorted(game.coloured_icons)])
    path = store.get_path("fonts", f"{digest}.ttf")
    problems: list[Problem] = []
    losses = store.read_json(path.with_suffix(LOST_DETAIL_SUFFIX))
    if not store.has_entry(path) or losses is None:
        drawings: dict[str, Any] = {}
        losses = {}
        for name, data in sources.items():
            try:
                with work_limits.work_limit(f"art/icons: {name}", expected=(Exception,)):
                    outline, losses[name] = _trace_icon(data)
                    if losses[name] is not None:
                        drawings[name] = outline
            except Exception as error:
                line = getattr(error, "line", 0)
                where = Source(icons[name].relative_to(root).as_posix(), line)
                problems.append(Problem(where, f"it cannot be an icon: {error}", "art"))
        if problems:
            # The name lists what is missing, so the complete font is made once it can be.
            digest = digest_parts([digest, "without", *sorted(set(sources) - set(losses))])
            path = store.get_path("fonts", f"{digest}.ttf")
        store.write(path, _build_icon_font(icons, drawings))
        store.write_json(path.with_suffix(LOST_DETAIL_SUFFIX), losses)
    for name, what in losses.items():
        if what:
            where = Source(icons[name].relative_to(root).as_posix())
            message = (
                f"{_ONE_COLOUR_MESSAGE}: {what}; cut out with white, colour it in CSS "
                f"(.icon-{name}), or put it into {COLOURED_ICONS_FOLDER}/, where icons keep "
                "their colours"
            )
            problems.append(Problem(where, message, "art", "warning"))
    return FontFile(ICON_FAMILY, 400, "normal", path, digest), losses, problems


def _trace_icon(svg: bytes) -> Any:
    """Return the outline of an icon with y upwards, and a description of what is lost."""
    from cardgen.assets.icon_outlines import trace_icon  # noqa: PLC0415 - skia, only when an icon changed

    return trace_icon(svg, _UNITS_PER_EM)


def _build_icon_font(names: Iterable[str], drawings: Mapping[str, Any]) -> bytes:
    """Return a font with a glyph for each name; a name without a drawing gets a blank one."""
    from fontTools.fontBuilder import FontBuilder  # noqa: PLC0415
    from fontTools.pens.cu2quPen import Cu2QuPen  # noqa: PLC0415
    from fontTools.pens.ttGlyphPen import TTGlyphPen  # noqa: PLC0415

    codes = assign_codepoints(names)
    # Typeset faces refer to glyph numbers. A number follows from the icon's character, not its
    # position, so that adding an icon does not change the others.
    order = [f"gap {number}" for number in range(max(codes.values()) - PRIVATE_USE_START + 2)]
    order[0] = ".notdef"
    for name, code in codes.items():
        order[code - PRIVATE_USE_START + 1] = name
    # One blank glyph for all gaps: there are thousands.
    glyphs = dict.fromkeys(order, TTGlyphPen(None).glyph())
    for name, path in drawings.items():
        pen = TTGlyphPen(None)
        path.draw(Cu2QuPen(pen, max_err=1.0, reverse_direction=True))
        glyphs[name] = pen.glyph()
    builder = FontBuilder(_UNITS_PER_EM, isTTF=True)
    builder.setupGlyphOrder(order)
    builder.setupCharacterMap({code: name for name, code in codes.items()})
    builder.setupGlyf(glyphs, calcGlyphBounds=False)
    metrics = dict.fromkeys(order, (_UNITS_PER_EM, 0))
    for name in drawings:
        glyphs[name].recalcBounds(None)
        metrics[name] = (_UNITS_PER_EM, getattr(glyphs[name], "xMin", 0))
    builder.setupHorizontalMetrics(metrics)
    builder.setupHorizontalHeader(ascent=850, descent=-150)
    builder.setupOS2(sTypoAscender=850, sTypoDescender=-150, usWinAscent=850, usWinDescent=150)
    builder.setupNameTable({"familyName": ICON_FAMILY, "styleName": "Regular"})
    builder.setupPost(keepGlyphNames=True)
    builder.font["head"].created = builder.font["head"].modified = _FONT_TIMESTAMP
    builder.font.recalcTimestamp = False
    out = io.BytesIO()
    builder.save(out)
    return out.getvalue()
