"""What a build can make. An output is a module with `plan` and `make`, and one line here.

- plan(job) -> (artefacts, problems): which files, under which keys, from which recipes
- make(recipes) -> bytes of each, in that order; it may run in another process
- BATCH: how many recipes are handed to `make` at once
"""

from cardgen.outputs import contact, images, sheets

OUTPUTS = {"sheets": sheets, "images": images, "contact": contact}

STANDARD = ("sheets", "images")
"""What is made when nothing is named."""
