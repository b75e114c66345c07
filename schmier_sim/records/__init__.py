"""Hand records, format ``schmier-hand/1``: write, read, check, show. See ``docs/formats.md``."""

from schmier_sim.records.check import Verdict, check_lines

__all__ = ["Verdict", "check_lines"]
