"""The commands that print the golden files: for the tests and ``scripts/regenerate-goldens``."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

FOLDER: Final = Path(__file__).parent / "golden"

_FEW = ("--hands", "2000", "--policy", "plain")
_MIXED = "AC KC 3S 6H 7H QH"
_ADVISED = {
    "yes": ["AS KS JS JC 2S JO", "--bid", "4"],
    "no": ["3D 5D 6D QC TH 2S", "--bid", "4", "--calls", "pass 3"],
    "close": ["2S AD JS 3S KH QH", "--bid", "3", "--position", "4", "--seed", "3"],
    "none-asked": [_MIXED, "--position", "6"],
    "explain": [_MIXED, "--rule", "low=taker", "--explain"],
    "show": [_MIXED, "--bid", "3", "--show", "17", "--seed", "2"],
}
ADVISE: Final = {
    f"advise-{name}.txt": ["advise", *words, *_FEW] for name, words in _ADVISED.items()
}
DEALS: Final = {
    "hands-seed-7.jsonl": ["deal", "--hands", "6", "--seed", "7", "--policy", "random"],
    "game-seed-7.jsonl": ["deal", "--hands", "1", "--seed", "7", "--game"],
    "hand-seed-3.txt": ["deal", "--seed", "3", "--pretty"],
}
BATCH: Final = ["simulate", "--hands", "1200", "--experiment", "bidder", "--out"]
"""The directory of the batch follows, likewise below."""
TABLE: Final = ["table", "--by", "trumps,bid", "--format", "csv"]
TABLE_FILE: Final = "table-seed-1.csv"
SIGNATURE_FILE: Final = "signature.json"
SHARES: Final = (1, 100)
"""Of the signature's hands: all, and one in a hundred."""


def without_source(text: str) -> str:
    """Leave out the line of an answer that names the sources."""
    return re.sub(r"\n +schmier-sim \d.*", "", text)


def golden(name: str) -> str:
    """Return what a golden file holds."""
    return (FOLDER / name).read_text("utf-8")
