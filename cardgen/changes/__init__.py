"""Changes of a game since it was last printed or since a commit.

`card_states` describes the current cards, `baselines` loads an earlier state from printed.yaml or
git, `card_changes` compares the two, and `change_list` typesets the list that is printed with the
changed cards.
"""
