"""Rendering of templates to the HTML of faces.

Every opening tag gets the line of its template (`data-at`), so that findings of the typesetter can
be reported there.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from jinja2 import TemplateNotFound, pass_context
from jinja2.exceptions import TemplateSyntaxError, UndefinedError
from jinja2.runtime import Context
from markupsafe import Markup

from cardgen.core import work_limits
from cardgen.core.problems import Problem, Source, Subject, did_you_mean
from cardgen.core.work_limits import LimitExceededError
from cardgen.game import markup_lint
from cardgen.game.card_text import localise_value, render_icon
from cardgen.game.game_folder import TEMPLATES_FOLDER
from cardgen.game.look_templates import LOOK_PREFIX
from cardgen.game.model import Deck, Game, Piece, Player, Text, Value
from cardgen.game.number_formats import get_decimal_sign
from cardgen.looks import geometry_functions, look_functions
from cardgen.runtime import game_files
from cardgen.runtime.content_store import digest_parts
from cardgen.templates import jinja_files, template_context
from cardgen.templates.expression_messages import check_printable, explain_left_out, explain_syntax
from cardgen.templates.expressions import EvaluationError
from cardgen.templates.sandbox import DECIMAL_POINT_MARK, TEMPLATE_ERRORS
from cardgen.templates.template_context import ArtIndex, TemplateCards
from cardgen.templates.template_lint import find_unstyled_classes, lint_template

_MARKUP = re.compile(
    r"""<style\b.*?(?:</style|\Z)|<!--.*?(?:-->|\Z)|<[a-z/!?](?:[^<>"']|"[^"]*"|'[^']*')*>""",
    re.DOTALL | re.IGNORECASE,
)
DRAWING_SUFFIX = ".svg"
DRAWING_PREFIX = "drawn/"
"""Prefix of the addresses of drawings that templates make."""
_TAG_OR_JINJA = re.compile(
    r"\{\{.*?(?:\}\}|\Z)|\{%.*?(?:%\}|\Z)|\{#.*?(?:#\}|\Z)|<!--.*?(?:-->|\Z)"
    r"|<([a-z][a-z0-9]*)(?=[^\S\n]|>)",
    re.DOTALL,
)


def _mark_decimal_point(value: Any) -> Any:
    """Return what `{{ value }}` prints, with a mark for the decimal point of a number."""
    value = check_printable(value)
    return str(value).replace(".", DECIMAL_POINT_MARK) if isinstance(value, float) else value


def _write_decimal_points(html: str, language: str) -> str:
    """Write the decimal signs of a language in text, and points in tags and stylesheets."""
    if DECIMAL_POINT_MARK not in html:
        return html
    html = _MARKUP.sub(lambda match: match[0].replace(DECIMAL_POINT_MARK, "."), html)
    return html.replace(DECIMAL_POINT_MARK, get_decimal_sign(language))


class TemplateFiles:
    """Templates of a game, each read once, so that a build renders what its keys were made of."""

    def __init__(self, game: Game) -> None:
        self.root = game.root
        written = {name: text for deck in game.decks for name, text in deck.look_templates.items()}
        self._texts = {name: (text, "") for name, text in written.items()}
        self.loaded: set[str] = set()

    def read_marked(self, template: str) -> tuple[str, str]:
        """Return a template with its lines marked, and its path. Raise TemplateNotFound."""
        text, why = self.read_template(template)
        if why:
            if "." not in template:
                message = f"there is no picture or template '{template}'; name a picture of art/, "
                message += "or a colour: style: {colours: {back: …}}"
                raise TemplateNotFound(template, message)
            hint = did_you_mean(template, self.list_names()) if "missing" in why else ""
            raise TemplateNotFound(template, f"{TEMPLATES_FOLDER}/{template} {why}{hint}")
        self.loaded.add(template)
        # A drawing is XML; its problems have no lines.
        text = text if template.endswith(DRAWING_SUFFIX) else _mark_lines(text, template)
        return text, f"{TEMPLATES_FOLDER}/{template}"

    def read_template(self, template: str) -> tuple[str, str]:
        """Return the text of a template, and the error if it cannot be read."""
        if template not in self._texts:
            self._texts[template] = game_files.read_text(
                self.root, f"{TEMPLATES_FOLDER}/{template}"
            )
        return self._texts[template]

    def has_text(self, template: str) -> bool:
        """Return whether a look brings a template along."""
        return template in self._texts

    def list_names(self) -> list[str]:
        files = game_files.list_files(self.root, TEMPLATES_FOLDER, ".html", DRAWING_SUFFIX)
        return [file.removeprefix(f"{TEMPLATES_FOLDER}/") for file in files]


def _mark_lines(text: str, name: str) -> str:
    """Add `data-at=name:line` to every opening tag outside Jinja's tags and comments."""

    def mark_tag(match: re.Match[str]) -> str:
        line = text.count("\n", 0, match.start()) + 1
        return f"{match[0]} data-at={name}:{line}" if match[1] else match[0]

    return _TAG_OR_JINJA.sub(mark_tag, text)


class TemplateRenderer:
    """Renders the HTML of faces and collects the problems of templates."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.problems: list[Problem] = []
        self._files = TemplateFiles(game)
        self.art = ArtIndex(game.root)
        self._icons = tuple(game.icons)
        self._environment = jinja_files.make_environment(
            self._files.read_marked, autoescape=True, finalize=_mark_decimal_point
        )
        self._shared: dict[str, dict[str, Any]] = {}
        self._others: dict[str, TemplateCards] = {}
        self._stopped: set[str] = set()
        self.drawings: dict[str, tuple[str, bytes]] = {}
        """Drawings of the rendered faces: address → (template or function, SVG)."""

    def list_sources(self) -> Iterator[str]:
        """Yield the name and the text of every template, for a hash of all."""
        for name in self._files.list_names():
            yield name
            yield self._files.read_template(name)[0]

    def hash_unlisted(self) -> dict[str, str]:
        """Return the hashes of the rendered templates that `list_sources` leaves out.

        These have other suffixes, or are in folders that are links.
        """
        names = sorted(self._files.loaded.difference(self._files.list_names()))
        return {name: digest_parts([self._files.read_template(name)[0]]) for name in names}

    def are_unchanged(self, templates: Mapping[str, str]) -> bool:
        """Return whether the templates still have the texts of these hashes."""
        return all(
            digest_parts([self._files.read_template(name)[0]]) == digest
            for name, digest in templates.items()
        )

    def lint_templates(self) -> list[Problem]:
        """Return the findings in all templates, whether a card uses them or not."""
        pages, sheets = self.read_pages()
        try:
            with work_limits.work_limit(f"{TEMPLATES_FOLDER}: misprints"):
                findings = [(name, each) for name in pages for each in lint_template(pages[name])]
                findings += find_unstyled_classes(pages, sheets.values())
        except LimitExceededError as error:
            message = f"the templates' HTML cannot be read: {error}"
            return [Problem(Source(f"{TEMPLATES_FOLDER}/"), message, "template")]
        return [
            Problem(Source(f"{TEMPLATES_FOLDER}/{name}", line), message, "template", severity)
            for name, (line, message, severity) in findings
        ]

    def read_pages(self) -> tuple[dict[str, str], dict[str, str]]:
        """Return the texts of the readable HTML templates and of the stylesheets, by name."""
        names = [name for name in self._files.list_names() if not name.endswith(DRAWING_SUFFIX)]
        texts = {name: self._files.read_template(name) for name in names}
        sheets = game_files.list_files(self.game.root, TEMPLATES_FOLDER, ".css")
        return (
            {name: text for name, (text, unread) in texts.items() if not unread},
            {name: game_files.read_text(self.game.root, name)[0] for name in sheets},
        )

    def render_face(self, deck: Deck, piece: Piece, side: str, language: str) -> str | None:
        """Return the HTML of a face, or None if its template fails. `side` is front or back."""
        name = deck.get_template(piece, side)
        if name in self._stopped:
            return None
        context = {
            **self._make_game_context(language),
            "deck": self._make_deck_context(deck, language),
            "card": self._make_card_context(piece, language),
            "player": self._make_player_context(piece.player, language),
            "number": piece.number,
            **({"copy": piece.copy or 1} if piece.copy or not piece.copies else {}),
            "first_copy": deck.first_copies[piece.number - 1],
            "stamp": make_stamp(piece, language),
            "side": side,
        }
        face = Subject(deck.id, piece.id, language, side)
        try:
            with work_limits.work_limit(
                f"{TEMPLATES_FOLDER}/{name}: {piece.id} [{language}] {side}",
                expected=TEMPLATE_ERRORS,
            ):
                html = _write_decimal_points(
                    self._environment.get_template(name).render(context), language
                )
            self._report_markup(html, name, face)
            return self.art.complete_addresses(html)
        except TemplateNotFound as error:
            included = _find_template_line(error, name)
            own = piece.sources.get(side) if name in {piece.front, piece.back} else None
            source = included if included.line else own or deck.sources.get(side, deck.source)
            self._report_error(source, str(error.message), Subject(deck.id))
        except TemplateSyntaxError as error:
            source = Source(error.filename or f"{TEMPLATES_FOLDER}/{name}", error.lineno)
            self._report_error(source, self._explain_syntax(error), Subject(deck.id))
        except (*TEMPLATE_ERRORS, EvaluationError, LimitExceededError) as error:
            if isinstance(error, LimitExceededError):
                self._stopped.add(name)
            source = _find_template_line(error, name)
            self._report_error(source, self._explain_error(error, source, context), face)
        return None

    def _get_cards(self, language: str) -> TemplateCards:
        """Return the cards of the game in a language."""
        if language not in self._others:
            self._others[language] = TemplateCards(self.game, language)
        return self._others[language]

    def take_decks_read(self) -> frozenset[str]:
        """Return the decks whose cards templates have read since the last call."""
        decks = frozenset(deck for cards in self._others.values() for deck in cards.decks_read)
        for cards in self._others.values():
            cards.decks_read.clear()
        return decks

    def _report_error(self, source: Source, message: str, subject: Subject) -> None:
        self.problems.append(Problem(source, message, "template", subject=subject))

    def _explain_error(self, error: Exception, source: Source, context: Mapping[str, Any]) -> str:
        """Explain an error, with the full path of an undefined name: `card.name` for `name`."""
        if not isinstance(error, UndefinedError):
            return _explain_failure(error, context)
        name = re.match(r"'(\w+)' is undefined", str(error.message))
        path = _find_path(name[1], context) if name else ""
        text, _ = self._files.read_template(source.path.removeprefix(f"{TEMPLATES_FOLDER}/"))
        lines = text.split("\n")
        line = lines[source.line - 1] if 0 < source.line <= len(lines) else ""
        if context["player"] is None and not name and re.search(r"\bplayer\s*\.", line):
            more = "" if self.game.players else ", and game.yaml has no players"
            return f"player is nothing in a deck without 'for_each: player'{more}"
        hint = f"; did you mean '{path}'?" if path else ""
        return _explain_failure(error, () if path else context) + hint

    def _report_markup(self, html: str, name: str, face: Subject) -> None:
        """Report markup that a face prints literally, at the line of the tag around it."""
        for place, message in markup_lint.check_face_html(html, self.game.icons):
            tag = html[: html.rfind(">", 0, place) + 1].rpartition("data-at=")[2]
            at = re.match(r"([^\s>:]+):(\d+)", tag)
            path, line = (at[1], int(at[2])) if at else (name, 0)
            source = Source(f"{TEMPLATES_FOLDER}/{path}", line)
            self.problems.append(Problem(source, message, "markup", "warning", face))

    @pass_context
    def _drawing(self, names: Context, name: str, **data: Any) -> Markup:
        """Render an SVG template with the names of the template and `data`, as a picture.

        A drawing of a look may name its colours as variables of CSS.
        """
        if not str(name).endswith(DRAWING_SUFFIX):
            raise ValueError(f"a drawing must be a template like map{DRAWING_SUFFIX}, not '{name}'")
        deck = self.game.get_deck(names["deck"]["id"])
        own = f"{LOOK_PREFIX}{deck.look}/{name}" if deck else ""
        written = own if self._files.has_text(own) else str(name)
        svg = self._environment.get_template(written).render({**names.get_all(), **data})
        svg = _write_decimal_points(svg, names["language"])
        if "tint" in names:
            svg = look_functions.fill_variables(svg, names["tint"])
        return self._add_drawing(Path(name).stem, str(name), svg.encode())

    def _qr(self, text: Any, **options: Any) -> Markup:
        """Draw a QR code, as a picture."""
        svg = template_context.make_qr_svg(str(text), **options)
        return self._add_drawing("qr", "qr()", svg, f"QR: {text}")

    def _make_picture(self, function: str, /, *arguments: Any, **options: Any) -> Markup:
        """Draw a picture with a function of `look_functions`, if it draws one."""
        svg = look_functions.PICTURE_FUNCTIONS[function](*arguments, **options)
        return self._add_drawing(function, f"{function}()", svg) if svg else Markup()

    @pass_context
    def _image(self, names: Context, path: str | None, high: float = 0.5) -> Markup:
        """Show the picture of a place of a look, or what the card is called if it has none.

        `high` is the height of the place as a share of the card's.
        """
        if path:
            return Markup('<img src="{}" alt="">').format(path)
        deck, card = names["deck"], names["card"]
        title = getattr(names.get("place"), "title", None) or card.get("name") or card.get("title")
        size = deck["width"] + 6, (deck["height"] + 6) * high
        return self._make_picture(
            "placeholder", card["id"], *size, names["tint"]["accent"],
            name=title, language=names["language"],
        )  # fmt: skip

    def _add_drawing(self, stem: str, by: str, svg: bytes, alt: str = "") -> Markup:
        address = f"{DRAWING_PREFIX}{stem}-{digest_parts([svg])[:16]}{DRAWING_SUFFIX}"
        self.drawings[address] = by, svg
        text = Markup(' alt="{}"').format(alt) if alt else Markup()
        return Markup('<img class="drawing" src="{}"{}>').format(address, text)

    def _explain_syntax(self, error: TemplateSyntaxError) -> str:
        return explain_syntax(str(error.message), self._environment.filter_and_test_names)

    def _make_game_context(self, language: str) -> dict[str, Any]:
        if language not in self._shared:
            title = self._localise(self.game.title, language)
            self._shared[language] = {
                **template_context.describe_game(
                    self.game,
                    language,
                    title,
                    colours=template_context.ColourNames(self.game.colours),
                ),
                "players": [self._make_player_context(p, language) for p in self.game.players],
                "icon": self._icon,
                "qr": self._qr,
                "picture": self.art.picture,
                "image": self._image,
                "drawing": self._drawing,
                **geometry_functions.GEOMETRY_FUNCTIONS,
                **look_functions.LOOK_FUNCTIONS,
                **{
                    name: partial(self._make_picture, name)
                    for name in look_functions.PICTURE_FUNCTIONS
                },
                **{
                    name: partial(self._make_picture, name, language=language)
                    for name in look_functions.NAMED_PICTURES
                },
                **self._get_cards(language).functions,
            }
        return self._shared[language]

    def _make_deck_context(self, deck: Deck, language: str) -> dict[str, Any]:
        key = f"{language}/{deck.id}"
        if key not in self._shared:
            constants = self._localise(deck.constants, language)
            about = template_context.describe_deck(deck, language, self._icons, constants=constants)
            self._shared[key] = {
                **about, "picture": partial(self.art.picture, folder=deck.id)
            }  # fmt: skip
        return self._shared[key]

    def _make_card_context(self, piece: Piece, language: str) -> dict[str, Any]:
        values = {key: self._localise(value, language) for key, value in piece.values.items()}
        return self._get_cards(language).make_card(
            {**values, "id": piece.base_id, "copies": piece.copies_in_all or piece.copies}
        )

    def _make_player_context(self, player: Player | None, language: str) -> dict[str, Any] | None:
        if player is None:
            return None
        return {
            "id": player.id,
            "name": self._localise(player.name, language),
            "colour": player.colour,
            "symbol": player.symbol,
        }

    def _icon(self, name: str) -> Markup:
        return render_icon(template_context.check_icon(name, self._icons), self._icons)

    def _localise(self, value: Value, language: str) -> Any:
        return localise_value(
            value, language, self._icons, self._get_cards(language).resolve_reference
        )


def make_stamp(piece: Piece, language: str) -> str:
    """Return four hex digits of a piece's values in a language, to tell two versions apart."""

    def get_text(value: Any) -> str:
        return value[language] if isinstance(value, Text) else str(value)

    content = json.dumps(piece.values, default=get_text, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(content.encode()).hexdigest()[:4]


def encode_value(value: Any) -> Any:
    """Return the value of a field for JSON."""
    return value.to_key() if isinstance(value, Text) else str(value)


def _explain_failure(error: Exception, known: Iterable[str]) -> str:
    message = jinja_files.explain_error(error, known, "it includes or calls itself endlessly")
    return explain_left_out(message) if isinstance(error, TypeError) else message


def _find_path(name: str, context: Mapping[str, Any]) -> str:
    """Return the path to a name in a template's context, or "" if nothing has it."""
    for place in ("card", "player", "deck", "game", "words"):
        held = context[place] or {}
        if name in held:
            return f"{place}.{name}"
        if place in ("deck", "game") and name in held["constants"]:
            return f"{place}.constants.{name}"
    return ""


def _find_template_line(error: BaseException, name: str) -> Source:
    return jinja_files.find_error_line(error, f"{TEMPLATES_FOLDER}/", f"{TEMPLATES_FOLDER}/{name}")
