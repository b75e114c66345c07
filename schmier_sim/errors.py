"""The errors that a user can cause or meet, each with one clear line."""

from __future__ import annotations

from typing import Any


class SchmierError(Exception):
    """Base of all errors that the command line prints as one line."""

    exit_code = 2


class InputError(SchmierError):
    """Something given by the user is wrong: says what, where, and what would be right."""


class PolicyFault(SchmierError):
    """A policy gave an answer that the rules do not allow, or none.

    Attributes
    ----------
    deal : Deal, optional
        All that happened before, where it was kept.
    """

    exit_code = 1
    deal: Any = None
