"""Assets a game brings along: pictures, icons, fonts and hyphenation patterns."""
