"""Hidden hands drawn from what a seat knows, exactly and directly, by counting.

`plan` writes down what a seat knows and what may lie where, `counting` counts the ways to
complete it, `drawing` draws by these counts, `weighing` says how well a drawn world explains what
the others did, `knowledge` reads what an analyst knows besides, and `worlds` is all of it for
Python. What is assumed of the others' discards stands in `plan`.
"""
