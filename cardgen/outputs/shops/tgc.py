"""The Game Crafter: pictures at its sizes, and a table of how many of each are wanted."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence

from cardgen.base.problems import Problem
from cardgen.base.store import digest_of
from cardgen.outputs.contract import Artefact, Job, Output
from cardgen.outputs.shops import shop_pictures
from cardgen.outputs.shops.catalogue import TGC
from cardgen.outputs.shops.shop_pictures import BATCH, Card, Picture, Text

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


class Tgc(Output[Picture | Text]):
    """Pictures and a table for The Game Crafter."""

    batch = BATCH

    def plan(self, job: Job) -> tuple[list[Artefact[Picture | Text]], list[Problem]]:
        """`tgc/<size>/<deck>/<piece>.png`, and `cards.csv` beside them, for every language and
        size."""
        products, problems = shop_pictures.fitting(job, TGC)
        artefacts: list[Artefact[Picture | Text]] = []
        for language in job.languages:
            for product, decks in products.items():
                folder = f"{language}/tgc/{product.name}"
                cards = shop_pictures.cards(job, decks, language)
                found, paths = shop_pictures.pictures(job, folder, cards, product, TGC)
                data = _table(cards, paths, folder)
                listed = Artefact(
                    f"{folder}/cards{job.part}.csv", digest_of([data]), Text(data), language
                )
                artefacts += [*found, listed]
        return artefacts, problems

    def make(self, recipes: Sequence[Picture | Text]) -> list[bytes]:
        """The pictures and files of the recipes."""
        return shop_pictures.make(recipes)
