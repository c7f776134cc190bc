"""Templates: a piece and a side become the HTML of a face. Nothing is typeset here.

Every opening tag learns the template's line it came from (`data-at`), so that what the
typesetter finds later can be told at its source.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from jinja2 import BaseLoader, Environment, TemplateNotFound
from jinja2.exceptions import TemplateError, TemplateSyntaxError, UndefinedError
from markupsafe import Markup

from cardgen import geometry, paths
from cardgen.model import Deck, Game, Piece, Player, Text, Value
from cardgen.problems import Problem, Source, did_you_mean
from cardgen.sandbox import OutOfTime, Sandbox, deadline, explain_undefined, plain_words
from cardgen.store import digest_of
from cardgen.texts import icon_markup, localised

FOLDER = "templates"
DRAWING = ".svg"
DRAWN = "drawn/"
"""What the addresses of drawings begin with that templates make."""
_TAG = re.compile(r"<(?=[a-z][a-z0-9]*[\s>])([a-z][a-z0-9]*)")
_JINJA = re.compile(r"\{\{.*?\}\}|\{%.*?%\}|\{#.*?#\}|<!--.*?-->", re.DOTALL)


_FAILURES = (TemplateError, ArithmeticError, LookupError, TypeError, ValueError, RecursionError)
"""What a template's own mistakes raise; anything else is a bug of cardgen."""


class _Loader(BaseLoader):
    def __init__(self, root: Path) -> None:
        self.root = root

    def get_source(
        self, environment: Environment, template: str
    ) -> tuple[str, str, Callable[[], bool]]:
        text, why = paths.read_text(self.root, f"{FOLDER}/{template}")
        if why:
            hint = did_you_mean(template, self.names()) if "missing" in why else ""
            raise TemplateNotFound(template, f"{FOLDER}/{template} {why}{hint}")
        # A drawing is XML, and told of as a whole.
        text = text if template.endswith(DRAWING) else _with_lines(text, template)
        return text, f"{FOLDER}/{template}", lambda: True

    def names(self) -> list[str]:
        folder = self.root / FOLDER
        files = sorted([*folder.rglob("*.html"), *folder.rglob(f"*{DRAWING}")])
        return [path.relative_to(folder).as_posix() for path in files]


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
        self._loader = _Loader(game.root)
        self._icons = tuple(game.icons)
        self._environment = Sandbox(
            loader=self._loader,
            autoescape=True,
            finalize=lambda value: "" if value is None else value,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self._shared: dict[str, dict[str, Any]] = {}
        self._too_slow: set[str] = set()
        self.drawn: dict[str, tuple[str, bytes]] = {}
        """The drawings that faces have asked for: address → its template, and the SVG it made."""

    def sources(self) -> Iterator[str]:
        """Every template's name and text, for a hash of all."""
        for name in self._loader.names():
            yield name
            yield paths.read_text(self.game.root, f"{FOLDER}/{name}")[0]

    def render(self, deck: Deck, piece: Piece, side: str, language: str) -> str | None:
        """The HTML of a face; `side` is front or back."""
        name = deck.front if side == "front" else deck.back
        if name in self._too_slow:
            return None
        context = {
            **self._game_context(language),
            "deck": self._deck_context(deck, language),
            "card": self._card_context(piece, language),
            "player": self._player_context(piece.player, language),
            "number": piece.number,
            "first_copy": 1 + sum(other.copies for other in deck.pieces[: piece.number - 1]),
            "stamp": stamp(piece),
            "side": side,
        }
        context["drawing"] = partial(self._drawing, context)
        try:
            with deadline():
                return self._environment.get_template(name).render(context)
        except TemplateNotFound as error:
            included = _template_line(error, name)
            source = included if included.line else deck.sources.get(side, deck.source)
            self.problems.append(Problem(source, str(error.message), "template"))
        except TemplateSyntaxError as error:
            source = Source(error.filename or f"{FOLDER}/{name}", error.lineno)
            self.problems.append(Problem(source, self._syntax(error), "template"))
        except _FAILURES as error:
            if isinstance(error, OutOfTime):
                self._too_slow.add(name)
            who = f"{piece.id} [{language}] {side}"
            source, message = _template_line(error, name), _explain(error, context)
            self.problems.append(Problem(source, message, "template", subject=who))
        return None

    def _drawing(self, context: Mapping[str, Any], name: str, **data: Any) -> Markup:
        """A template of SVG, filled in with the face's names and with `data`, as a picture."""
        if not str(name).endswith(DRAWING):
            raise ValueError(f"a drawing is a template such as map{DRAWING}, not '{name}'")
        svg = self._environment.get_template(str(name)).render({**context, **data}).encode()
        address = f"{DRAWN}{Path(name).stem}-{digest_of([svg])[:16]}{DRAWING}"
        self.drawn[address] = str(name), svg
        return Markup('<img class="drawing" src="{}">').format(address)

    def _syntax(self, error: TemplateSyntaxError) -> str:
        message = str(error.message).removesuffix(".")
        unknown = re.match(r"No (filter|test) named '(\w+)'", message)
        if unknown:
            environment = self._environment
            known = environment.filters if unknown[1] == "filter" else environment.tests
            hint = did_you_mean(unknown[2], known)
        else:
            hint = "; is a {{ or {% before it not closed?" if message.startswith("unexp") else ""
        return f"{message}{hint}"

    def _game_context(self, language: str) -> dict[str, Any]:
        if language not in self._shared:
            icons = self._icons
            self._shared[language] = {
                "game": {
                    "id": self.game.id,
                    "title": self._localised(self.game.title, language),
                    "edition": self.game.edition,
                    "date": self.game.date,
                    "constants": self._localised(self.game.constants, language),
                    "colours": self.game.colours,
                    "languages": self.game.languages,
                },
                "players": [self._player_context(p, language) for p in self.game.players],
                "words": self._localised(self.game.words, language),
                "language": language,
                "icon": lambda name: _icon(name, icons),
                **geometry.FUNCTIONS,
            }
        return self._shared[language]

    def _deck_context(self, deck: Deck, language: str) -> dict[str, Any]:
        key = f"{language}/{deck.id}"
        if key not in self._shared:
            self._shared[key] = {
                "id": deck.id,
                "title": self._localised(deck.title, language),
                "count": deck.count,
                "pieces": len(deck.pieces),
                "constants": self._localised(deck.constants, language),
                "width": deck.size.width,
                "height": deck.size.height,
            }
        return self._shared[key]

    def _card_context(self, piece: Piece, language: str) -> dict[str, Any]:
        values = {key: self._localised(value, language) for key, value in piece.values.items()}
        return {**values, "id": piece.id, "copies": piece.copies}

    def _player_context(self, player: Player | None, language: str) -> dict[str, Any] | None:
        if player is None:
            return None
        return {
            "id": player.id,
            "name": self._localised(player.name, language),
            "colour": player.colour,
            "symbol": player.symbol,
        }

    def _localised(self, value: Value, language: str) -> Any:
        return localised(value, language, self._icons)


def stamp(piece: Piece) -> str:
    """Four hex digits of a piece's content, to tell two versions apart at the table."""
    content = json.dumps(piece.values, default=plain, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(content.encode()).hexdigest()[:4]


def plain(value: Any) -> Any:
    """For JSON: what a value of a field is made of."""
    return dict(value) if isinstance(value, Text) else str(value)


def _icon(name: str, icons: Iterable[str]) -> Markup:
    if name not in icons:
        raise LookupError(f"no icon '{name}' in art/icons{did_you_mean(str(name), icons)}")
    return icon_markup(name, icons)


def _explain(error: Exception, known: Iterable[str]) -> str:
    if isinstance(error, UndefinedError):
        return explain_undefined(error, known)
    if isinstance(error, RecursionError):
        return "it includes or calls itself without end"
    text = (str(error) or type(error).__name__).splitlines()[0]
    return plain_words(text.strip("\"'") if isinstance(error, KeyError) else text)


def _template_line(error: BaseException, name: str) -> Source:
    """The innermost line of a template in a traceback: Jinja maps its code back to it."""
    found = Source(f"{FOLDER}/{name}")
    trace = error.__traceback__
    while trace is not None:
        filename = trace.tb_frame.f_code.co_filename
        if filename.startswith(f"{FOLDER}/"):
            found = Source(filename, trace.tb_lineno)
        trace = trace.tb_next
    return found
