"""The Game Crafter: pictures at its sizes, and a table of how many of each are wanted."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence

from cardgen.base.store import digest_of
from cardgen.outputs.contract import Artefact, Job
from cardgen.outputs.shops.catalogue import TGC
from cardgen.outputs.shops.shop_pictures import Folder, Picture, ShopOutput, Text
from cardgen.outputs.single_cards import Card

COLUMNS = ("front", "back", "copies")


def _table(cards: Sequence[Card], paths: Mapping[str, str], folder: str) -> bytes:
    """A line a card; a one-sided card has no back."""
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    for card in cards:
        names = [paths[face.key] if face else "" for face in (card.front, card.back)]
        writer.writerow([*(name.removeprefix(f"{folder}/") for name in names), card.copies])
    return out.getvalue().encode()


class Tgc(ShopOutput):
    """Pictures and a table (`cards.csv`) for The Game Crafter."""

    word, shop = "tgc", TGC

    def orders(
        self, job: Job, folder: Folder, cards: Sequence[Card], paths: Mapping[str, str]
    ) -> Iterator[Artefact[Picture | Text]]:
        """The table."""
        data = _table(cards, paths, folder.path)
        path = f"{folder.path}/cards{job.part}.csv"
        yield Artefact(path, digest_of([data]), Text(data), folder.language)
