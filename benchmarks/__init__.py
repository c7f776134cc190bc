"""How fast cardgen is, beside its peers and beside itself. Run by `make benchmark`."""
