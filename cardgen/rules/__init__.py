"""Composition rules: cards/rules.yaml is read and checked against cards and typeset faces.

`rule_file` reads and checks the rules. `rule_kinds` lists their kinds and gives their present
figures, and `rule_keys` declares the keys that they have.
"""
