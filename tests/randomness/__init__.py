"""Is the randomness good? Checks by exact laws, for `test_randomness` and ``scripts/verify``.

`laws` holds the laws, `evenness` compares packs with them, `sources` draws what is compared, and
`checks` puts these together. Packs are arrays of int8 of shape (53, deals): first the place.
"""
