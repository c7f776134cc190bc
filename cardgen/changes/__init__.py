"""Only what changed: states of a game, what differs between two, and what that means in print."""
