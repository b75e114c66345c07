"""The lines of a file of records, or of stdin."""

from __future__ import annotations

import contextlib
import os
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

    def total(self) -> int:
        """Count the lines of a file beforehand; 0 if it can be read only once."""
        if not os.path.isfile(self.file):
            return 0
        with contextlib.suppress(OSError), open(self.file, "rb") as stream:
            return sum(1 for _ in stream)
        return 0

    def is_cut_in(self, line: int) -> bool:
        """Whether a line, counted from 1, is the last one read and does not end as a line does."""
        return self.is_cut and line == self.count

    @property
    def cut(self) -> str:
        """What to say of a file whose last line was cut."""
        return f"{self.name}: line {self.count} is cut in the middle; the file is not complete"

    def refuse_without_records(self, n_records: int, unreadable: str) -> None:
        """Refuse, after the last line, a file without a record.

        Parameters
        ----------
        n_records : int
            How many there are.
        unreadable : str
            What is wrong with the first line that is none; empty if there are only blank lines.

        Raises
        ------
        InputError
            If there is no record.
        """
        if not self.count:
            raise InputError(f"{self.name}: empty; one hand record a line is expected")
        if not n_records:
            cut = "; the file ends in the middle of a line" if unreadable and self.is_cut else ""
            raise InputError(
                f"{self.name}: no hand record in it; {unreadable or 'only blank lines'}{cut}"
            )


def _decoded(raw: bytes, encoding: str) -> str:
    """Decode a line; one that is no UTF-8 becomes one that is no JSON."""
    try:
        return raw.decode(encoding)
    except UnicodeDecodeError as error:
        return f"no UTF-8 at byte {error.start}"
