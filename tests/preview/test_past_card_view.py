"""Earlier versions of a card, in a browser."""

from __future__ import annotations

from pathlib import Path

import chromium
from chromium import Page
from previews import BARN, face, opened, previewing
from small_games import edit
from test_past_worker import commit, git

pytestmark = chromium.needs_browser


def choose(page: Page, selector: str, value: str) -> None:
    page.run(
        f"void (document.querySelector({selector!r}).value = {value!r}, "
        f"document.querySelector({selector!r}).dispatchEvent(new Event('change')))"
    )


def test_a_card_over_its_earlier_version(root: Path, window: Page) -> None:
    window.size(1280, 900)
    (root / ".gitignore").write_text("build/\n")
    git(root, "init", "-q")
    commit(root, "first")
    with previewing(root) as preview:
        opened(window, preview)
        window.wait(face(BARN))
        first = window.run(face(BARN))
        window.run("void document.querySelector('[data-card=\"loot/barn\"]').click()")
        window.wait("document.querySelector('#card .face img')")
        assert window.run("document.querySelector('.against').hidden")
        window.run("void document.querySelector('[data-guide=before]').click()")
        then = "document.querySelector('.then').textContent"
        window.wait(f"{then} === 'It has not changed since the preview began.'")
        edit(root, "cards/loot.yaml", "Barn", "Old barn")
        over = "document.querySelector('#card .before img')"
        window.wait(f"{over}?.src.includes({first!r})")
        edit(root, "cards/loot.yaml", "Old barn", "Older barn")
        window.wait(f"{over} && !{over}.src.includes({first!r})")
        choose(window, ".against select", "commit")
        window.wait(f"{over}?.src.includes({first!r}) && {over}.naturalWidth > 0", 60)
        assert (
            window.run("document.querySelector('.edits').textContent") == "name en Barn Older barn"
        )
        slider = "document.querySelector('#card .before input')"
        window.run(f"void ({slider}.value = 10, {slider}.dispatchEvent(new Event('input')))")
        assert (
            window.run("document.querySelector('#card .before').style.cssText") == "--split: 10%;"
        )
        choose(window, ".against input", "v9")
        window.wait(f"{then}.includes(\"'v9' is no commit\") && !{over}", 60)
        choose(window, ".against select", "printed")
        window.wait(f"{then}.startsWith('Nothing is recorded as printed yet')", 60)
