"""Rendering: templates and data become faces with HTML, pictures and a key."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache, partial
from pathlib import Path

from cardgen.assets import artwork
from cardgen.assets.artwork import Art, UnusableArtError
from cardgen.assets.font_files import FontSet
from cardgen.core.problems import Problem, Source, Subject, did_you_mean, find_line
from cardgen.faces.model import Face, FaceSet, format_geometry
from cardgen.game.game_folder import TEMPLATES_FOLDER
from cardgen.game.look_templates import LOOK_PREFIX
from cardgen.game.model import Deck, Game, Piece
from cardgen.runtime import code_version, game_files
from cardgen.runtime.content_store import Store, digest_parts
from cardgen.templates import stylesheet_rules
from cardgen.templates.render_cache import RenderCache
from cardgen.templates.template_lint import list_urls
from cardgen.templates.template_renderer import TemplateRenderer


def render_faces(
    game: Game, fonts: FontSet, decks: Iterable[Deck], languages: Iterable[str], store: Store
) -> FaceSet:
    """Render the selected faces.

    Nothing is typeset. Drawings made by templates are written to the store.
    """
    result = FaceSet(fonts)
    renders = RenderCache(TemplateRenderer(game), store, code_version.digest_code("faces"))
    load_picture = cache(partial(_load_picture, renders))  # many faces share their pictures
    languages = tuple(languages)
    for deck in decks:
        first_problem = len(result.problems)
        styles = tuple(_read_styles(game, deck, result.problems))
        if not deck.is_valid or any(p.kind == "template" for p in result.problems[first_problem:]):
            result.blocked_decks.add(deck.id)
        result.problems += _check_variables(game, styles, renders.templates)
        shared = _compute_shared_key(game, deck, fonts, styles)
        style_art: list[Art] = []
        for name, text in styles:
            locate = partial(locate_in_style, name, text, deck)
            urls = list_urls(text)
            style_art += _find_pictures(game, urls, load_picture, result.problems, locate)
        for language in languages:
            for render in renders.render_deck(deck, language):
                html = partial(renders.render_html, deck, render.piece, render.side, language)
                locate = partial(locate_in_face, game.root, html, deck, render.piece)
                pictures = (name for name in render.pictures if name not in fonts.unusable)
                found = _find_pictures(game, pictures, load_picture, result.problems, locate)
                art = (*style_art, *found)
                key = digest_parts([shared, language, render.digest, *map(compute_art_key, art)])
                face = Face(deck, render.piece, render.side, language, key, art, html, styles)
                result.faces.append(face)
    misprints = renders.lint_templates()
    result.blocked_decks |= _find_blocked_decks(game, misprints)
    result.problems += renders.templates.problems + misprints
    result.problems += check_pictures(art for face in result.faces for art in face.pictures)
    result.render_names = renders.used_names
    return result


def _find_blocked_decks(game: Game, misprints: Iterable[Problem]) -> set[str]:
    """Return the decks whose templates have misprint errors. A shared part blocks all decks."""
    error_files = {p.source.path for p in misprints if p.severity == "error"}
    own = {
        deck.id: {f"{TEMPLATES_FOLDER}/{name}" for name in deck.list_templates()}
        for deck in game.decks
    }
    parts = error_files.difference(*own.values()) if own else set()
    return {deck for deck, files in own.items() if parts or files & error_files}


def check_pictures(pictures: Iterable[Art]) -> list[Problem]:
    """Return the warnings about pictures, each at its file."""
    return [
        Problem(Source(art.name), remark, "art", "warning")
        for art in {art.name: art for art in pictures}.values()
        for remark in art.inspection.warnings
    ]


def _load_picture(renders: RenderCache, written: str) -> Art:
    template = renders.drawings.get(written)
    if template is None:
        return artwork.load_by_address(renders.templates.game.root, written)
    name = f"{TEMPLATES_FOLDER}/{template}"
    return artwork.load_drawing(
        written, renders.get_drawing_path(written), name, renders.store, renders.templates.game.root
    )


def _read_styles(game: Game, deck: Deck, problems: list[Problem]) -> list[tuple[str, str]]:
    found = []
    for name in deck.styles:
        text, why = deck.look_templates.get(name, ""), ""
        if not text:
            text, why = game_files.read_text(game.root, f"{TEMPLATES_FOLDER}/{name}")
        if why:
            files = game_files.list_files(game.root, TEMPLATES_FOLDER, ".css")
            known = [file.removeprefix(f"{TEMPLATES_FOLDER}/") for file in files]
            hint = did_you_mean(name, known) if "missing" in why else ""
            source = deck.sources.get("styles", deck.source)
            message = f"{TEMPLATES_FOLDER}/{name} {why}{hint}"
            problems.append(Problem(source, message, "template", subject=Subject(deck.id)))
            continue
        if "@page" in text:
            source = Source(f"{TEMPLATES_FOLDER}/{name}", find_line(text, "@page"))
            message = "@page is reserved; set the deck's size and bleed in its file"
            problems.append(Problem(source, message, "css", subject=Subject(deck.id)))
        found.append((f"{TEMPLATES_FOLDER}/{name}", text))
    return found


def _check_variables(
    game: Game, styles: Iterable[tuple[str, str]], templates: TemplateRenderer
) -> Iterator[Problem]:
    """Warn about custom properties that no colour, style or template defines."""
    listed = list(styles)
    known = stylesheet_rules.list_colour_variables(game.colours) | set(
        stylesheet_rules.FACE_VARIABLES
    )
    for _, text in listed:
        known |= stylesheet_rules.find_definitions(text)
    unknown = [
        (style, text.count("\n", 0, at) + 1, name)
        for style, text in listed
        for name, at in stylesheet_rules.find_uses(text)
        if name not in known and not style.startswith(f"{TEMPLATES_FOLDER}/{LOOK_PREFIX}")
    ]
    if not unknown:
        return
    for source in templates.list_sources():
        known |= stylesheet_rules.find_definitions(source)
    for style, line, name in unknown:
        if name not in known:
            message = stylesheet_rules.explain_unknown_variable(name, known)
            yield Problem(Source(style, line), message, "css", "warning")


def _compute_shared_key(
    game: Game, deck: Deck, fonts: FontSet, styles: tuple[tuple[str, str], ...]
) -> str:
    geometry = format_geometry(deck)
    colours = " ".join(f"{name}={value}" for name, value in game.colours.items())
    texts = [part for style in styles for part in style]
    return digest_parts(
        [code_version.digest_code("faces"), geometry, colours, fonts.text_digest, *texts]
    )


def compute_art_key(art: Art) -> str:
    """Return what layout depends on: the size of a drawing, the bytes of a raster picture."""
    size = f"{art.width:g}x{art.height:g}"
    kind = "missing" if art.missing else ""
    return f"{art.name} {size}{kind}" if art.vector else f"{art.name} {art.digest}"


def _find_pictures(
    game: Game,
    pictures: Iterable[str],
    load_picture: Callable[[str], Art],
    problems: list[Problem],
    locate: Callable[[str], tuple[Source, Subject]],
) -> list[Art]:
    """Return the pictures at the addresses, a placeholder for each unusable one.

    `locate` returns the line and subject to report for an unusable picture.
    """
    found = []
    for written in pictures:
        try:
            found.append(load_picture(written))
        except UnusableArtError as error:
            source, subject = locate(written)
            problems.append(Problem(source, str(error), "art", subject=subject))
            if placeholder := artwork.make_stand_in(game.root, written):
                found.append(placeholder)
    return found


def locate_in_style(style: str, text: str, deck: Deck, name: str) -> tuple[Source, Subject]:
    """Return the line of a stylesheet that names a picture, and its subject."""
    return Source(style, find_line(text, name)), Subject(deck.id)


def locate_in_face(
    root: Path, make_html: Callable[[], str], deck: Deck, piece: Piece, name: str
) -> tuple[Source, Subject]:
    """Return the template line that names a picture, else the card's line, and its subject."""
    html = make_html()
    before = html[: html.find(name)]
    template = before.rpartition("data-at=")[2].partition(":")[0]
    text, why = game_files.read_text(root, f"{TEMPLATES_FOLDER}/{template}")
    if not why and name in text:
        return Source(f"{TEMPLATES_FOLDER}/{template}", find_line(text, name)), Subject(deck.id)
    return piece.source, Subject(deck.id, piece.id)
