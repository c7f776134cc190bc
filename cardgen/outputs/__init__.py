"""What a build can make, a module each.

In: a `contract.Job`, which is a game with its faces, the store, and what is asked. Out: files to
be, each with a key, and their bytes. Called by `build` through `registry` and `making`.

Each is a `contract.Output`, asked three times: `prepare` puts into the store what files are named
after and made from, `plan` says which files, and `make`, maybe in another process, is their bytes.
"""
