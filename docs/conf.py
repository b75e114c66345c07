"""How the documentation is built: ``sphinx-build docs docs/_build``."""

from schmier_sim._version import __version__

project = "schmier_sim"
release = __version__
extensions = ["myst_parser", "sphinx_click"]
exclude_patterns = ["_build", "examples"]
html_theme = "alabaster"
