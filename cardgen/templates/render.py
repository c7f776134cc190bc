"""Templates: a piece and a side become the HTML of a face. Nothing is typeset here.

Every opening tag learns the template's line it came from (`data-at`), so that what the
typesetter finds later can be told at its source.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from jinja2 import TemplateNotFound
from jinja2.exceptions import TemplateSyntaxError, UndefinedError
from markupsafe import Markup

from cardgen.base import guard, paths
from cardgen.base.guard import Stopped
from cardgen.base.problems import Problem, Source, Subject, did_you_mean
from cardgen.base.store import digest_of
from cardgen.game import slips
from cardgen.game.folder import TEMPLATES
from cardgen.game.model import Deck, Game, Piece, Player, Text, Value
from cardgen.game.texts import icon_markup, localised
from cardgen.templates import codes, filling, geometry, look_functions, offered
from cardgen.templates.art_names import ArtNames
from cardgen.templates.expressions import CannotEvaluate
from cardgen.templates.misprints import found, unstyled
from cardgen.templates.other_cards import OtherCards
from cardgen.templates.sandbox import FAILURES
from cardgen.templates.syntax import explained
from cardgen.templates.wording import left_out

FOLDER = TEMPLATES
DRAWING = ".svg"
DRAWN = "drawn/"
"""What the addresses of drawings begin with that templates make."""
_TAG = re.compile(r"<(?=[a-z][a-z0-9]*[\s>])([a-z][a-z0-9]*)")
_JINJA = re.compile(r"\{\{.*?\}\}|\{%.*?%\}|\{#.*?#\}|<!--.*?-->", re.DOTALL)


class _Files:
    """Reads each template once: what a build renders is what its keys were made of."""

    def __init__(self, game: Game) -> None:
        self.root = game.root
        written = {name: text for deck in game.decks for name, text in deck.written.items()}
        self._texts = {name: (text, "") for name, text in written.items()}
        self.loaded: set[str] = set()

    def read(self, template: str) -> tuple[str, str]:
        """A template with its lines marked, and its path."""
        text, why = self.text(template)
        if why:
            hint = did_you_mean(template, self.names()) if "missing" in why else ""
            raise TemplateNotFound(template, f"{FOLDER}/{template} {why}{hint}")
        self.loaded.add(template)
        # A drawing is XML, and told of as a whole.
        text = text if template.endswith(DRAWING) else _with_lines(text, template)
        return text, f"{FOLDER}/{template}"

    def text(self, template: str) -> tuple[str, str]:
        """A template's text, and why it cannot be read."""
        if template not in self._texts:
            self._texts[template] = paths.read_text(self.root, f"{FOLDER}/{template}")
        return self._texts[template]

    def names(self) -> list[str]:
        files = paths.listed(self.root, FOLDER, ".html", DRAWING)
        return [file.removeprefix(f"{FOLDER}/") for file in files]


def _with_lines(text: str, name: str) -> str:
    """The template with `data-at=name:line` in every opening tag outside Jinja's own brackets."""
    pieces: list[str] = []
    position, line = 0, 1
    for match in [*_JINJA.finditer(text), None]:
        end = match.start() if match else len(text)
        for part in re.split(r"(\n)", text[position:end]):
            pieces.append(_TAG.sub(rf"<\1 data-at={name}:{line}", part))
            line += part == "\n"
        if match:
            pieces.append(match[0])
            line += match[0].count("\n")
            position = match.end()
    return "".join(pieces)


class Templates:
    """Renders faces. Problems are collected; a face that failed is None."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.problems: list[Problem] = []
        self._files = _Files(game)
        self.art = ArtNames(game.root)
        self._icons = tuple(game.icons)
        self._environment = filling.environment(self._files.read, autoescape=True)
        self._shared: dict[str, dict[str, Any]] = {}
        self._others: dict[str, OtherCards] = {}
        self._stopped: set[str] = set()
        self.drawn: dict[str, tuple[str, bytes]] = {}
        """The drawings that faces have asked for: address → its template, and the SVG it made."""

    def sources(self) -> Iterator[str]:
        """Every template's name and text, for a hash of all."""
        for name in self._files.names():
            yield name
            yield self._files.text(name)[0]

    def unlisted(self) -> dict[str, str]:
        """The templates rendered so far that `sources` does not tell: of other endings, or in
        folders that are links. Each with the hash of its text."""
        names = sorted(self._files.loaded.difference(self._files.names()))
        return {name: digest_of([self._files.text(name)[0]]) for name in names}

    def are(self, templates: Mapping[str, str]) -> bool:
        """Whether those templates still have the text of that hash."""
        return all(
            digest_of([self._files.text(name)[0]]) == digest for name, digest in templates.items()
        )

    def misprints(self) -> list[Problem]:
        """What stands in the templates' HTML and can hardly be meant, whether a card shows it or
        not."""
        pages, sheets = self.pages()
        try:
            with guard.at(f"{FOLDER}: misprints"):
                told = [(name, slip) for name, text in pages.items() for slip in found(text)]
                told += unstyled(pages, sheets.values())
        except Stopped as error:
            message = f"the templates' HTML cannot be read: {error}"
            return [Problem(Source(f"{FOLDER}/"), message, "template")]
        return [
            Problem(Source(f"{FOLDER}/{name}", line), message, "template", severity)
            for name, (line, message, severity) in told
        ]

    def pages(self) -> tuple[dict[str, str], dict[str, str]]:
        """The text of every template of HTML that can be read, and of every stylesheet, by name."""
        names = [name for name in self._files.names() if not name.endswith(DRAWING)]
        texts = {name: self._files.text(name) for name in names}
        sheets = paths.listed(self.game.root, FOLDER, ".css")
        return (
            {name: text for name, (text, unread) in texts.items() if not unread},
            {name: paths.read_text(self.game.root, name)[0] for name in sheets},
        )

    def render(self, deck: Deck, piece: Piece, side: str, language: str) -> str | None:
        """The HTML of a face; `side` is front or back."""
        name = deck.template(piece, side)
        if name in self._stopped:
            return None
        context = {
            **self._game_context(language),
            "deck": self._deck_context(deck, language),
            "card": self._card_context(piece, language),
            "player": self._player_context(piece.player, language),
            "number": piece.number,
            "first_copy": deck.first_copies[piece.number - 1],
            "stamp": stamp(piece, language),
            "side": side,
        }
        context["drawing"] = partial(self._drawing, context)
        face = Subject(deck.id, piece.id, language, side)
        try:
            with guard.at(f"{FOLDER}/{name}: {piece.id} [{language}] {side}", known=FAILURES):
                html = self._environment.get_template(name).render(context)
            self._tell_slips(html, name, face)
            return html
        except TemplateNotFound as error:
            included = _template_line(error, name)
            own = piece.sources.get(side) if name in {piece.front, piece.back} else None
            asked = own or deck.sources.get(side, deck.source)
            self._tell(included if included.line else asked, str(error.message), Subject(deck.id))
        except TemplateSyntaxError as error:
            source = Source(error.filename or f"{FOLDER}/{name}", error.lineno)
            self._tell(source, self._syntax(error), Subject(deck.id))
        except (*FAILURES, CannotEvaluate, Stopped) as error:
            if isinstance(error, Stopped):
                self._stopped.add(name)
            source = _template_line(error, name)
            self._tell(source, self._explained(error, source, context), face)
        return None

    def _in(self, language: str) -> OtherCards:
        """The game's cards in a language."""
        if language not in self._others:
            self._others[language] = OtherCards(self.game, language)
        return self._others[language]

    def looked_at(self) -> frozenset[str]:
        """The decks whose cards templates looked at since this was last asked."""
        found = frozenset(deck for others in self._others.values() for deck in others.seen)
        for others in self._others.values():
            others.seen.clear()
        return found

    def _tell(self, source: Source, message: str, subject: Subject) -> None:
        self.problems.append(Problem(source, message, "template", subject=subject))

    def _explained(self, error: Exception, source: Source, context: Mapping[str, Any]) -> str:
        """What is wrong, and where the name was meant that is not there: `card.name` for `name`."""
        if not isinstance(error, UndefinedError):
            return _explain(error, context)
        name = re.match(r"'(\w+)' is undefined", str(error.message))
        meant = _meant(name[1], context) if name else ""
        lines = self._files.text(source.path.removeprefix(f"{FOLDER}/"))[0].split("\n")
        written = lines[source.line - 1] if 0 < source.line <= len(lines) else ""
        if context["player"] is None and not name and re.search(r"\bplayer\s*\.", written):
            none = "" if self.game.players else ", and game.yaml has no players"
            return f"player is nothing in a deck without 'for_each: player'{none}"
        hint = f"; did you mean '{meant}'?" if meant else ""
        return _explain(error, () if meant else context) + hint

    def _tell_slips(self, html: str, name: str, face: Subject) -> None:
        """Markup that a face prints as it stands, at the line of the tag around it."""
        for place, message in slips.in_face(html, self.game.icons):
            tag = html[: html.rfind(">", 0, place) + 1].rpartition("data-at=")[2]
            at = re.match(r"([^\s>:]+):(\d+)", tag)
            source = Source(f"{FOLDER}/{at[1]}", int(at[2])) if at else Source(f"{FOLDER}/{name}")
            self.problems.append(Problem(source, message, "markup", "warning", face))

    def _drawing(self, context: Mapping[str, Any], name: str, **data: Any) -> Markup:
        """A template of SVG, filled in with the face's names and with `data`, as a picture."""
        if not str(name).endswith(DRAWING):
            raise ValueError(f"a drawing is a template such as map{DRAWING}, not '{name}'")
        svg = self._environment.get_template(str(name)).render({**context, **data}).encode()
        return self._drawn(Path(name).stem, str(name), svg)

    def _qr(self, text: Any, **wishes: Any) -> Markup:
        """A QR code, as a picture."""
        return self._drawn("qr", "qr()", codes.qr(str(text), **wishes), f"QR: {text}")

    def _made(self, name: str, *given: Any, **wishes: Any) -> Markup:
        """A picture that a function of `look_functions` makes."""
        svg = look_functions.DRAWINGS[name](*given, **wishes)
        return self._drawn(name, f"{name}()", svg)

    def _drawn(self, stem: str, by: str, svg: bytes, alt: str = "") -> Markup:
        address = f"{DRAWN}{stem}-{digest_of([svg])[:16]}{DRAWING}"
        self.drawn[address] = by, svg
        said = Markup(' alt="{}"').format(alt) if alt else Markup()
        return Markup('<img class="drawing" src="{}"{}>').format(address, said)

    def _syntax(self, error: TemplateSyntaxError) -> str:
        return explained(str(error.message), self._environment.named)

    def _game_context(self, language: str) -> dict[str, Any]:
        if language not in self._shared:
            title = self._localised(self.game.title, language)
            self._shared[language] = {
                **offered.of_game(self.game, language, title, colours=self.game.colours),
                "players": [self._player_context(p, language) for p in self.game.players],
                "icon": self._icon,
                "qr": self._qr,
                "picture": self.art.picture,
                **geometry.FUNCTIONS,
                **look_functions.FUNCTIONS,
                **{name: partial(self._made, name) for name in look_functions.DRAWINGS},
                **self._in(language).functions,
            }
        return self._shared[language]

    def _deck_context(self, deck: Deck, language: str) -> dict[str, Any]:
        key = f"{language}/{deck.id}"
        if key not in self._shared:
            constants = self._localised(deck.constants, language)
            self._shared[key] = offered.of_deck(deck, language, self._icons, constants=constants)
        return self._shared[key]

    def _card_context(self, piece: Piece, language: str) -> dict[str, Any]:
        values = {key: self._localised(value, language) for key, value in piece.values.items()}
        return self._in(language).own({**values, "id": piece.id, "copies": piece.copies})

    def _player_context(self, player: Player | None, language: str) -> dict[str, Any] | None:
        if player is None:
            return None
        return {
            "id": player.id,
            "name": self._localised(player.name, language),
            "colour": player.colour,
            "symbol": player.symbol,
        }

    def _icon(self, name: str) -> Markup:
        return icon_markup(offered.known_icon(name, self._icons), self._icons)

    def _localised(self, value: Value, language: str) -> Any:
        return localised(value, language, self._icons, self._in(language).referred)


def stamp(piece: Piece, language: str) -> str:
    """Four hex digits of what a piece says in a language, to tell two versions apart."""

    def said(value: Any) -> str:
        return value[language] if isinstance(value, Text) else str(value)

    content = json.dumps(piece.values, default=said, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(content.encode()).hexdigest()[:4]


def plain(value: Any) -> Any:
    """For JSON: what a value of a field is made of."""
    return value.plain() if isinstance(value, Text) else str(value)


def _explain(error: Exception, known: Iterable[str]) -> str:
    said = filling.explained(error, known, "it includes or calls itself without end")
    return left_out(said) if isinstance(error, TypeError) else said


def _meant(name: str, context: Mapping[str, Any]) -> str:
    """The path to what bears that name in a template's context; "" if nothing does."""
    for place in ("card", "player", "deck", "game", "words"):
        held = context[place] or {}
        if name in held:
            return f"{place}.{name}"
        if place in ("deck", "game") and name in held["constants"]:
            return f"{place}.constants.{name}"
    return ""


def _template_line(error: BaseException, name: str) -> Source:
    return filling.line_of(error, f"{FOLDER}/", f"{FOLDER}/{name}")
