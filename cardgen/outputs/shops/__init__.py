"""Pictures and orders for print shops that print single cards.

In: a `Job`. Out: files in the sizes that `catalogue` has of each shop. Called through
`outputs.registry`.
"""
