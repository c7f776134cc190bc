"""What a game brings along to print with: pictures, icons, fonts and hyphenation patterns.

In: files of `art/` and `fonts/`, packages of npm. Out: pictures and fonts that can be set, in the
store, and what would not come out as it was meant. Called by whatever sets pages.
"""
