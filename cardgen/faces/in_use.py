"""What the store keeps of a game's faces, and what of it is forgotten."""

from __future__ import annotations

from collections.abc import Mapping

from cardgen.base.store import Store
from cardgen.faces import contrast, sizes, told
from cardgen.faces.produce import Faces
from cardgen.templates.render import DRAWN

_FEW = ("fonts", "hyphenation", sizes.KIND, told.KIND)


def in_use(result: Faces) -> dict[str, set[str]]:
    """What the store holds of the game as it is now, by kind."""
    arts = [art for face in result.faces for art in face.art]
    return {
        "faces": {
            *(f"{face.key}.{end}" for face in result.faces for end in ("pdf", "json", "facts")),
            *(contrast.name(face, result.fonts) for face in result.faces),
        },
        "rendered": result.rendered,
        "drawn": {art.path.name for art in arts if art.name.startswith(DRAWN)},
        "art": {
            *(f"{art.digest}.pdf" for art in arts),
            *(smaller.path.name for smaller in result.smaller.values()),
        },
        "looks": {f"{art.seen.name}.json" for art in arts},
        "rasters": {art.seen.name for art in arts},
        "fonts": {
            f"{cut.digest}.{end}" for cut in result.fonts.cuts for end in ("ttf", "json", "lost")
        },
        sizes.KIND: {sizes.name(face.deck.id) for face in result.faces},
        told.KIND: {told.name(face.deck.id) for face in result.faces},
        "hyphenation": {path.name for path in result.fonts.patterns.values()},
    }


def sweep(store: Store, used: Mapping[str, set[str]]) -> None:
    """Forget what is old once it is far more than what is in use."""
    for kind, names in used.items():
        store.sweep(kind, names, 3 * len(names) + (40 if kind in _FEW else 400))
