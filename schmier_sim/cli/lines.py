"""The lines of a file of records, or of stdin."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from schmier_sim.errors import InputError


class Lines:
    """The lines of a file, counted; bytes that are no UTF-8 make a line unreadable, no more.

    Attributes
    ----------
    name : str
        Of the file, for people.
    count : int
        The lines so far.
    is_cut : bool
        Whether the last of these does not end as a line does.
    """

    def __init__(self, file: str) -> None:
        self.file = file
        self.name = "stdin" if file == "-" else file
        self.count = 0
        self.is_cut = False

    def __iter__(self) -> Iterator[str]:
        if self.file == "-" and sys.stdin is None:
            raise InputError("stdin is closed; give a file, or records on stdin")
        try:
            stream = sys.stdin.buffer if self.file == "-" else open(self.file, "rb")  # noqa: SIM115
            with stream:
                for raw in stream:
                    self.count += 1
                    self.is_cut = not raw.endswith(b"\n")
                    yield _decoded(raw, "utf-8-sig" if self.count == 1 else "utf-8")
        except OSError as error:
            raise InputError(f"{self.file}: {error.strerror}") from error


def _decoded(raw: bytes, encoding: str) -> str:
    """Decode a line; one that is no UTF-8 becomes one that is no JSON."""
    try:
        return raw.decode(encoding)
    except UnicodeDecodeError as error:
        return f"no UTF-8 at byte {error.start}"
