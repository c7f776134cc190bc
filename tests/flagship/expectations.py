"""What must be said on the flagship's cards: roles of `sayings` and their values, from the data."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import groupby
from typing import Any

Card = Mapping[str, Any]
Said = dict[str, list[Any]]

STATES = ("damaged", "alert", "drunk", "doped", "otherwise")
OWN_UNITS = 3
"""Units of a player while graft is played: none is lost yet."""
ASSAULT_REACH, ARTILLERY_FROM = 2, 2
"""Assault damage is done from places 1–2, artillery damage from place 2 on."""
SLEEP_TAKES = 2
"""Fatigue markers that a good night's sleep takes off."""
FINE_FUEL = 1
"""Fuel that goes if a fine is not paid."""


def said(**values: Any) -> Said:
    """Roles with a value each; what is nothing, 0 or False is not said. `from_` means from."""
    return {role.rstrip("_"): [value] for role, value in values.items() if value}


def joined(*parts: Mapping[str, Iterable[Any]]) -> Said:
    """Roles of several parts, in their order."""
    together: Said = {}
    for part in parts:
        for role, values in part.items():
            together.setdefault(role, []).extend(values)
    return {role: values for role, values in together.items() if values}


def amounts(record: Mapping[str, Any] | None, sign: int = 1) -> Said:
    """A record of supplies or substances."""
    return {kind: [sign * amount] for kind, amount in (record or {}).items() if amount}


def whom(strike: Card) -> tuple[str, str]:
    """Whom a strike or an aim hits, and which end of the queue settles it."""
    rear = " from rear" if strike["from"] == "rear" else ""
    number = f"{strike['count']} × " if (strike.get("count") or 1) > 1 else ""
    if strike["by"] in ("type", "state"):
        return number + str(strike[strike["by"]]), strike["from"]
    if strike["by"] == "middle":
        return f"middle{rear}", strike["from"]
    if strike["by"] == "bridge":
        return f"{number}bridge behind {strike['behind']}{rear}", ""
    if strike["by"] == "players":
        names = {"all": "all players", "most": "players with most"}
        return number + names.get(strike["players"], "nobody") + rear, ""
    return f"{number}place {strike['place']}{rear}", strike["from"] if number else ""


def targets(strikes: Iterable[Card]) -> Said:
    """Whom all strikes hit, a repetition said once; variants by state after their strike."""
    found = []
    for strike in strikes:
        found.append(whom(strike))
        found += [(state, "") for state in ("alert", "drunk") if strike.get(state) is not None]
    once = [one for one, _ in groupby(found)]
    return {"who": [who for who, _ in once], "order": [order for _, order in once if order]}


def area(card: Card) -> Said:
    """The attack of an area."""
    strikes = card["attack"]
    last = strikes[-1]
    may_fail = last["by"] == "state" or last["exact"] or last["from_units"]
    figures = [strike[kind] for strike in strikes for kind in ("damage", "alert", "drunk")]
    return joined(
        targets(strikes),
        {"damage": [figure for figure in figures if figure is not None]},
        *[amounts(strike["loses"], -1) for strike in strikes],
        *[said(units=strike["from_units"], exact=strike["exact"]) for strike in strikes],
        said(nothing=may_fail),
    )


def night(card: Card) -> Said:
    """What a night attack or foreign aid does besides its result."""
    return joined(
        amounts(card["loses"], -1), said(draws=card["draws"], units=card["draws_from_units"])
    )


def action(card: Card) -> Said:
    """An action card: what it needs, and what it does better."""
    bridge = card["action"] == "quick-bridge"
    directs = card["directs"] or {}
    plain = ("overtakes", "at_once", "draws", "turns_up", "loots", "removes_loot", "own_choice",
             "clears", "looks_at", "capacity", "mends", "barters", "uses", "leaves_behind",
             "damage")  # fmt: skip
    return joined(
        said(**{name: card[name] for name in plain}),
        {"ammunition": [] if card["ammunition"] is None else [card["ammunition"]]},
        said(at_most=card["removes_loot"] and not card["exactly"]),
        said(bridges=bridge and card["clears"], away=card["reach"]),
        said(next=directs.get("next"), later=directs.get("later")),
        {"reach": reach(card)},
        amounts(card["gives"]),
    )


def reach(card: Card) -> list[str]:
    """From which places, with which kind of damage."""
    if not card["places"]:
        return [card["damage_kind"]] if card["damage_kind"] else []
    first, last = card["places"]["first"], card["places"]["last"]
    if card["damage_kind"] == "by-place":
        near, far = f"{first}–{ASSAULT_REACH}", f"{ARTILLERY_FROM}–{last}"
        return [near, "assault", far, "artillery"]
    return [f"{first}–{last}", *([card["damage_kind"]] if card["damage_kind"] else [])]


def graft(card: Card) -> Said:
    """A graft card, the other evil after the first."""
    instead = card["instead"] or {}
    plain = ("swaps", "from_own", "debt", "wage", "bonus", "cash", "fills", "drunken",
             "atrocity", "draws", "place")  # fmt: skip
    both = ("fatigue", "slots", "own_deck")
    return joined(
        said(**{name: card[name] for name in plain}),
        said(aid=card["atrocity"], each_cigarettes=instead.get("each_cigarettes")),
        said(goods=len(card["goods"])),
        {"worth": list(card["goods"])},
        *[said(**{name: part.get(name)}) for name in both for part in (card, instead)],
        amounts(card["supplies"]),
        amounts(instead.get("supplies")),
        amounts(card["gives"]),
    )


def commander(card: Card) -> Said:
    """A commander's ability. To be spared, damage must exceed what is left at least."""
    spared = (card["less_damage"] or 0) + (card["least_damage"] or 0)
    names = ("per", "fed", "less_damage", "more_damage", "next_to", "overtakes_any")
    return joined(said(**{name: card[name] for name in names}), said(from_=spared))


def loot(card: Card) -> Said:
    """The rule of a loot card; goods and cash are printed by the template."""
    states = [state for state in (card["drunk"], card["doped"]) if state]
    base = card["damage"] if states else None
    taken = joined(amounts(card["supplies"]), amounts(card["gives"]), amounts(card["loses"], -1))
    return joined(
        taken,
        *[said(of_state=state["damage"], instead_of=base) for state in states],
        said(damage=card["damage"], fatigue=card["fatigue"], pays=card["pays"]),
        said(fuel=-FINE_FUEL if card["pays"] else 0, drunken=card["drunken"]),
        said(loses_dearest=card["loses_dearest"], tractor=card["tractor"]),
        said(sleeps=card["sleep"], sleep=SLEEP_TAKES if card["sleep"] else 0),
    )


GRAFT_SIGNS = {
    "cash": "cash", "bonus": "cash", "fatigue": "fatigue", "own_deck": "calendar", "draws": "card",
}  # fmt: skip
"""Fields of graft whose figure stands in the ledger beside an icon; the sign is the figure's."""


def ledger(card: Card) -> list[tuple[str, str]]:
    """The entries of a graft card's ledger: icons and figures, sorted."""
    instead = card["instead"] or {}
    found = []
    for part in (card, instead):
        for name, icon in GRAFT_SIGNS.items():
            found += [(icon, f"{part[name]:+}")] if part.get(name) else []
        for kinds in (part.get("supplies"), part.get("gives")):
            found += [(kind, f"{n:+}") for kind, n in (kinds or {}).items() if n]
        found += [("damage", str(-part["slots"]))] if part.get("slots") else []
    if card["from_own"]:
        own = card["from_own"]
        others = OWN_UNITS - 1
        found += [("cigarettes", f"+{others * own}"), *[("cigarettes", f"-{own}")] * others]
    found += [("cash", f"-{card[name]}") for name in ("debt", "wage") if card[name]]
    found += [("goods", f"-{card['fills']}")] if card["fills"] else []
    found += [("goods", "+".join(map(str, card["goods"])))] if card["goods"] else []
    each = instead.get("each_cigarettes")
    found += [("cigarettes", f"{OWN_UNITS * each:+}")] if each else []
    found += [("drunk", "")] if card["drunken"] else []
    found += [("atrocity", "")] if card["atrocity"] else []
    found += [("assault", ""), ("artillery", "")] if card["swaps"] else []
    found += [({"first": "head", "last": "rear"}[card["place"]], "")] if card["place"] else []
    return sorted(found)


def signs(card: Card, paid: str) -> tuple[list[int], list[str]]:
    """The figures and icons of what a loot card or one of its coupons gives or does, sorted."""
    found: list[tuple[str, int | None]] = [("crate", worth) for worth in card.get("goods") or ()]
    found += [(paid, card["cash"])] if card.get("cash") else []
    for record in ("supplies", "gives", "loses"):
        found += [(kind, n) for kind, n in (card.get(record) or {}).items() if n]
    found += [(name, card[name]) for name in ("damage", "fatigue") if card.get(name)]
    found += [("cash", card["pays"]), ("fuel", FINE_FUEL)] if card.get("pays") else []
    found += [("goods", 1)] if card.get("loses_dearest") else []
    marks = {"drunken": "drunk", "sleep": "sleep", "tractor": "tractor"}
    found += [(icon, None) for name, icon in marks.items() if card.get(name)]
    if card.get("category") == "harmful" and card.get("atrocity"):
        found += [("atrocity", None)]
    return sorted(n for _, n in found if n is not None), sorted(icon for icon, _ in found)
