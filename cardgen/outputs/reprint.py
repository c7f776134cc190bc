"""Which sheets show cards that are to be printed anew, by the numbers that `--sheets` takes."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from cardgen.changes.compare import Key
from cardgen.changes.diff.model import ToPrint
from cardgen.outputs import sheets
from cardgen.outputs.contract import Job
from cardgen.sheets import arrange
from cardgen.sheets.numbers import Numbers, spans_of


def sheets_with(job: Job, cards: Collection[Key]) -> Iterator[ToPrint]:
    """The sheets of a job's language that show one of the cards. No face need be set."""
    (language,) = job.languages
    wanted = {
        (face.key, face.piece.id)
        for face in job.faces.faces
        if face.language == language
        and face.side == "front"
        and (face.deck.id, face.piece.id) in cards
    }
    ids = {deck.id for deck in job.decks}
    for name, _, found in sheets.numbered(job, language):
        shown = {
            number: sheet
            for number, sheet in enumerate(found, 1)
            if any((pair.front.key, pair.name) in wanted for pair in sheet.pieces)
        }
        if shown:
            count, total = arrange.papers(shown.values()), arrange.papers(found)
            numbers = Numbers(spans_of(shown))
            yield ToPrint(language, name, name if name in ids else "", numbers, count, total)
