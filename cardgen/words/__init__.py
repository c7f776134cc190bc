"""Every word that cardgen prints in a game, one file per language: `en`, `fi`, `ru`."""
