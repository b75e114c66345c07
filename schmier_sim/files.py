"""Write files so that none is ever left half-written."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

from schmier_sim.errors import InputError


def refuse_existing(path: Path, force: bool) -> None:
    """Raise InputError if something is there that may not be overwritten."""
    if path.exists() and not force:
        raise InputError(f"{path} exists; --force overwrites it")


def make_directory(path: Path) -> None:
    """Make a directory, and check that files can be made in it.

    Raises
    ------
    InputError
        If that is not so; the message says why.
    """
    try:
        path.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=path):
            pass
    except OSError as error:
        raise InputError(f"cannot write to directory {path}: {error.strerror}") from error


@contextlib.contextmanager
def filling(directory: Path) -> Iterator[None]:
    """Make a directory for a block that fills it; a new one is gone again if nothing comes in.

    Raises
    ------
    InputError
        If no files can be made in it.
    """
    is_new = not directory.exists()
    make_directory(directory)
    try:
        yield
    finally:
        if is_new:
            with contextlib.suppress(OSError):  # something is in it
                directory.rmdir()


@contextlib.contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Give a temporary file beside `path`, which takes its place if all goes well.

    Raises
    ------
    InputError
        If the file cannot be written.
    """
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp{path.suffix}")
    try:
        yield temporary
        os.replace(temporary, path)
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror or error}") from error
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink()
