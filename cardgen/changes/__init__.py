"""Changes of a game since it was last printed or since a commit.

`card_changes` describes the current cards and compares two states, `baselines` loads an earlier
state from printed.yaml or git, and `change_list` typesets the list that is printed with the changed
cards.
"""
