"""What a build can make, a module each.

In: a `contract.Job`, which is a game with its faces, the store, and what is asked. Out: files to
be, each with a key, and their bytes. Called by `build` alone, through `registry`.

- plan(job) -> (artefacts, problems): which files, under which keys, from which recipes
- make(recipes) -> bytes of each, in that order; it may run in another process
- OF_DECKS: whether it shows the decks asked for; if not, what the game's books show
- BATCH: how many recipes are handed to `make` at once
"""
