"""Whatever a table holds, the game begun from it holds every cell, or reports it at its line."""

from __future__ import annotations

import csv
import io
import tempfile
from collections.abc import Iterator
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from cardgen.core import yaml_nodes
from cardgen.core.problems import Source
from cardgen.game import loader, table_rows
from cardgen.game.card_tables import UNDECIDED_WORD
from cardgen.game.field_types import read_cell
from cardgen.game.markup import convert_html
from cardgen.game.model import Field, Piece, Text
from cardgen.looks import look_catalogue
from cardgen.starting import new_game
from cardgen.starting.starter_files import NewGame, NewGameRequest

HEADINGS = [
    "Name", "Qty", "Cost", "Rules Text", "Type", "id", "copies", "front", "back", "look", "Art",
    "Count", "Round", "Name (FI)", "Name (EN)", "text_fi", "text_en", "Nimi", "Teksti", "Название",
    "Values", "Attack", "", "1st", "a: b", "#", '"quoted"', "{x}", "Tags", "Total", "items",
    "class", "Symbol", "colour", "Tracks", "Value", "Serial", "value", "left",
]  # fmt: skip
words = st.text(st.characters(exclude_categories=("Cs", "Cc", "Cn", "Co")), max_size=12)
cells = words | st.sampled_from([
    "", "", "1", "3", "007", "1.10", "1,5", "-4", "x", "-", "yes", "true", "null", "red; blue",
    "red, blue", "{{ card }}", "{coin}", "<b>bold</b>", "**", "=cmd|'/c calc'!A0", "- a", "a: b #c",
    "../../x", "1e999", "٣", "a\nb", "%}", "& *", "Ship", "Quay", "12345678901234567890123",
    "art/x.png", "C:\\new", "&nbsp;", "1; 2; 3", "Morale: 0-10",
])  # fmt: skip


@st.composite
def tables(draw: st.DrawFn) -> list[list[str]]:
    """Rows, of which the first has the headings; the others are as wide."""
    heads = draw(
        st.lists(st.sampled_from(HEADINGS) | words, min_size=1, max_size=6).filter(
            lambda names: any(name.strip() for name in names)
        )
    )
    row = st.lists(cells, min_size=len(heads), max_size=len(heads))
    return [heads, *draw(st.lists(row, min_size=1, max_size=5))]


def begin(
    rows: list[list[str]], look: str, languages: tuple[str, ...]
) -> tuple[NewGame, list[str]]:
    """The game from such a table, or why there is none."""
    out = io.StringIO(newline="")
    csv.writer(out, delimiter=",", quoting=csv.QUOTE_ALL).writerows(rows)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "cards.csv"
        path.write_bytes(out.getvalue().encode())
        made, problems = new_game.create_game(
            NewGameRequest("Game", look_catalogue.load_look(look), "", languages, path)
        )
    return made, [str(problem) for problem in problems]


def said(piece: Piece) -> Iterator[str]:
    """All that a card says, as it is written."""

    def within(value: object) -> Iterator[str]:
        if isinstance(value, Text):
            yield from (value[language] for language in value)
        elif isinstance(value, tuple):
            yield ";".join(str(part) for part in value)
        else:
            yield str(value)

    yield from (piece.id, str(piece.copies))
    for value in piece.values.values():
        yield from within(value)


def compared(text: str) -> str:
    """A cell without what a list or a tick may be written with otherwise."""
    plain = "".join(text.split()).replace(",", ";").replace("|", ";").replace("/", ";").strip(";")
    node = read_cell(text.strip(), Field("", "boolean", Source("")), Source(""))
    return plain if node.boolean is None else str(node.boolean)


def columns_of(made: NewGame) -> dict[str, object]:
    node, _ = yaml_nodes.load(made.files[f"cards/{made.deck}.yaml"].decode(), "deck")
    assert node is not None
    columns = node.get("columns")
    found: dict[str, object] = columns.to_plain() if columns else {}
    return found


def is_comment(row: list[str]) -> bool:
    """Whether a row is a comment: one cell, which begins so."""
    filled = [cell for cell in row if cell.strip()]
    return len(filled) == 1 and filled[0].startswith(("# ", "//"))


@settings(max_examples=60)
@given(
    tables(),
    st.sampled_from(look_catalogue.list_looks()),
    st.sampled_from([(), ("fi",), ("fi", "en")]),
)
def test_every_cell_is_held(rows: list[list[str]], look: str, languages: tuple[str, ...]) -> None:
    made, refused = begin(rows, look, languages)
    if refused:
        # Nothing but a table without cells, or one in other languages, is refused.
        names = [table_rows.get_column_name(head) for head in rows[0]]
        heads = [n for n, name in enumerate(names) if name and names.count(name) == 1]
        asked = languages and any(code in name.lower() for name in names for code in ("fi", "en"))
        assert asked or not any(row[n].strip() for row in rows[1:] for n in heads), refused
        return
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        for name, data in made.files.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_bytes(data)
        game, problems = loader.load_game(root)
    assert game is not None
    table = f"cards/{made.deck}.csv"
    reported = {problem.source.line for problem in problems if problem.source.path == table}
    others = [problem for problem in problems if problem.source.path != table]
    assert [str(problem) for problem in others if problem.severity == "error"] == []
    specs = columns_of(made)
    left_out = {head for head, field in specs.items() if field == UNDECIDED_WORD}
    assert len(left_out) == sum("not used yet" in problem.message for problem in others)
    html = {head for head, field in specs.items() if isinstance(field, dict) and "html" in field}
    held = [{compared(text) for text in said(piece)} for piece in game.decks[0].pieces]
    names = table_rows.name_columns(rows[0])
    kept = [n for n, name in enumerate(names) if name not in left_out]
    unheld = {p.source.line for p in problems if "left out" in p.message}
    first = 2
    lines, written = [], []
    for row in rows[1:]:
        cells = [
            convert_html(row[n].strip()) if names[n] in html
            else row[n].strip()
            for n in kept if row[n].strip()
        ]  # fmt: skip
        if cells and first not in unheld and not is_comment(row):
            written.append(cells)
            lines.append(first)
        first += 1 + "".join(row).count("\n")
    if "headings in row" in made.messages[0]:
        return
    assert len(held) == len(written)
    for line, cells, card in zip(lines, written, held, strict=True):
        assert line in reported or {compared(cell) for cell in cells} - card == set()
