"""Find a policy by what a user writes: a built-in name, a plug-in's, or a file and a name in it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from schmier_sim.errors import InputError
from schmier_sim.policies import plugins
from schmier_sim.policies.base import Policy

DEFAULT = "heuristic"

_FILE: Final = re.compile(r"(?P<path>.*?\.py)(?::(?P<name>[^:=,]*))?(?::(?P<settings>.*))?")


def _random() -> Policy:
    from schmier_sim.policies.random import RANDOM

    return RANDOM


def _plain() -> Policy:
    from schmier_sim.policies.plain import PLAIN

    return PLAIN


def _heuristic() -> Policy:
    from schmier_sim.policies.heuristic import HEURISTIC

    return HEURISTIC


_BUILT_IN: Mapping[str, Callable[[], Policy]] = {
    "heuristic": _heuristic,
    "plain": _plain,
    "random": _random,
}


def names() -> list[str]:
    """Return the names of all built-in policies."""
    return sorted(_BUILT_IN)


def all_names() -> list[str]:
    """Return the names of all policies, installed plug-ins too; none of these is loaded."""
    return [*names(), *sorted(set(plugins.installed()) - set(_BUILT_IN))]


def default() -> Policy:
    """Return the default player."""
    return _BUILT_IN["heuristic" if "heuristic" in _BUILT_IN else DEFAULT]()


def find(name: str) -> Policy:
    """Return the policy of a name, perhaps with some parameters set.

    Parameters
    ----------
    name : str
        ``plain``, ``path/mine.py:Careful``, the name of an installed plug-in; then perhaps
        ``:key=value,key=value``.

    Raises
    ------
    InputError
        If there is none; the message lists those there are, or says what is wrong with the file.
    """
    match = _FILE.fullmatch(name)
    if match:
        player = plugins.from_file(Path(match["path"]), match["name"] or None)
        settings = match["settings"]
    else:
        base, _, settings = name.partition(":")
        player = _named(base)
    return player.with_parameters(_settings(name, settings)) if settings else player


def _named(name: str) -> Policy:
    if name in _BUILT_IN:
        return _BUILT_IN[name]()
    installed = plugins.installed()
    if name in installed:
        return plugins.from_entry_point(installed[name])
    raise InputError(
        f"no policy is called {name[:80]!r}; policies: {', '.join(all_names())}, "
        "or one's own as path/mine.py:Name"
    )


def _settings(name: str, text: str) -> dict[str, str]:
    """Read ``key=value,key=value``."""
    settings: dict[str, str] = {}
    for pair in text.split(","):
        key, equals, value = (part.strip() for part in pair.partition("="))
        if not equals or not key or not value:
            raise InputError(f"policy {name[:80]!r}: write Name:key=value,key=value")
        if key in settings:
            raise InputError(f"policy {name[:80]!r}: {key} is there twice")
        settings[key] = value
    return settings
