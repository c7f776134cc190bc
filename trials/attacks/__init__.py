"""The hostile library: every attack that is known, each a small game folder."""

from __future__ import annotations

import importlib
import pkgutil

from trials.attack import Attack


def all_attacks() -> list[Attack]:
    """Every attack of every module here, by name."""
    modules = [
        importlib.import_module(f"{__name__}.{m.name}") for m in pkgutil.iter_modules(__path__)
    ]
    found = [attack for module in modules for attack in module.ATTACKS]
    names = [attack.name for attack in found]
    twice = {name for name in names if names.count(name) > 1}
    assert not twice, f"attacks of one name: {twice}"
    return found
