"""The game on a virtual table: what lies where, sheets of faces, and what a save holds."""
