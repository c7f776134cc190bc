"""The banknotes, a module each, and the tools they are engraved with."""
