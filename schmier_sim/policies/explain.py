"""Say in one line what is wrong with a function of a plug-in: file, line, and the essence."""

from __future__ import annotations

import dis
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import FunctionType, TracebackType
from typing import Final

_OURS: Final = str(Path(__file__).resolve().parent.parent)
_LONGEST: Final = 400
_LOCATIONS: Final = re.compile(
    r'File "(?P<a>[^"]+)", line (?P<b>\d+)|(?:\bat|Raised from) (?P<c>\S+\.py) \((?P<d>\d+)\)'
)
_NOISE: Final = ("Failed in", "During:", "File ")


def shown(path: str | Path) -> str:
    """Return a path as a user knows it: relative, if it is below the current directory."""
    absolute = Path(path).absolute()
    try:
        return str(absolute.relative_to(Path.cwd()))
    except (ValueError, OSError):
        return str(absolute)


def place_of(function: FunctionType, line: int | None = None) -> str:
    """Return ``mine.py:12`` for a function, or a line of its file."""
    code = function.__code__
    return f"{shown(code.co_filename)}:{line or code.co_firstlineno}"


def place_in_traceback(traceback: TracebackType | None, among: Sequence[Path] = ()) -> str | None:
    """Return the innermost place that is neither ours nor a library's, or in given files."""
    found = None
    while traceback is not None:
        file = traceback.tb_frame.f_code.co_filename
        if Path(file) in among if among else _is_users(file):
            found = f"{shown(file)}:{traceback.tb_lineno}"
        traceback = traceback.tb_next
    return found


def _is_users(file: str) -> bool:
    path = str(Path(file).resolve())
    libraries = (_OURS, sys.prefix, sys.base_prefix, "<")
    return not file.startswith("<") and not path.startswith(libraries)


def explain(error: Exception, function: FunctionType, members: Sequence[FunctionType]) -> str:
    """Return one line about an error of the compiler.

    Parameters
    ----------
    function : function
        What was to be compiled.
    members : sequence of function
        All functions of the plug-in, one of which is at fault.
    """
    text = re.sub(r"\x1b\[[0-9;]*m", "", str(error))
    files = {str(Path(each.__code__.co_filename).resolve()) for each in members}
    # Of a missing name, a message tells at most where the function that uses it is called.
    name = re.search(r"name '(\w+)' is not defined|has no attribute '(\w+)'", text)
    found = name and _place_of_name(name[1] or name[2], [function, *members])
    place = found or next(_places(text, files), None) or place_of(function)
    return f"{place}: {_essence(text)[:_LONGEST]}"


def _places(text: str, files: set[str]) -> Iterator[str]:
    """Yield the places in a plug-in that a message names, the innermost first."""
    for match in _LOCATIONS.finditer(text):
        file = str(Path(match["a"] or match["c"]).resolve())
        if file in files:
            yield f"{shown(file)}:{match['b'] or match['d']}"


def _place_of_name(name: str, functions: Sequence[FunctionType]) -> str | None:
    """Return where a function uses a name."""
    for function in functions:
        line = None
        for step in dis.get_instructions(function):
            line = step.starts_line or line
            if step.argval == name:
                return place_of(function, line)
    return None


def _essence(text: str) -> str:
    """Return what a message of the compiler comes down to."""
    if "Cannot modify readonly array" in text or "lowering View." in text:
        return "a view is read only"
    untyped = re.search(r"Untyped global name '(\w+)'.*<class '([\w.]+)'>", text)
    if untyped and untyped[2] == "function":
        return (
            f"{untyped[1]} is a function of Python; write @kernel above it "
            "(from schmier_sim.policies import kernel)"
        )
    if untyped:
        return (
            f"compiled code cannot use {untyped[1]}, a {untyped[2]}; it can use numbers, tuples "
            "of them, and arrays of numpy"
        )
    call = re.search(r">>> (.+)", text)
    if "No implementation of function" in text and call:
        return f"compiled code has no {call[1].strip()}"
    lines = [line.strip() for line in text.splitlines()]
    first = next((line for line in lines if line and not line.startswith(_NOISE)), "")
    first = re.sub(r"\.? ?Raised from .*$", "", first)
    return first or "cannot be compiled"
