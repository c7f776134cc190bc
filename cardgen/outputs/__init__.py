"""Outputs of a build, a module each, with their contract and registry.

To add an output, see `contract`.
"""
