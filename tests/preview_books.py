"""A small game with a rulebook of several pages."""

from __future__ import annotations

from small_games import TEXT_GAME

SAID = "The convoy waits until somebody pays for another tank of fuel, and then it goes on. "
SECOND = "The second chapter begins with a sentence of its own."
BOOK = f"""\
---
title: Small rules
---
## Setting up

There are {{{{ count("loot") }}}} kinds of loot.
They lie in the barn.

- a barn
- a shop

  which is late

| What | Cargo |
|---|--:|
| Wagon | 3 |

![The barn](card:loot/barn)

::: note Mind
The tide turns[^tide].
:::

[^tide]: Twice a day.

## Second {{.page}}

{SECOND}

{SAID * 8}

## Third {{.page}}

{SAID * 5}

Three masts.
"""
WITH_BOOK = {**TEXT_GAME, "rulebook/en.md": BOOK}
