"""Odds: exact probabilities of draws and dice, simulations of turns, and statistics of decks.

`draw_probability` counts draws exactly and `turn_simulation` plays games in turns. `chance_rules`
and `simulate_rule` are the kinds of rules about them, and `rule_suggestions` says what would mend a
broken one. Books use them through `odds_queries`.
"""
