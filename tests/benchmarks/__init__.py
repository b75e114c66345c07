"""How long things take: ``scripts/benchmark``. Not a part of the tests, which ask for no times."""
