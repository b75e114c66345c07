"""Find a policy by what a user writes: a built-in name, a plug-in's, or a file and a name in it."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path
from typing import Final

from schmier_sim.errors import InputError
from schmier_sim.policies import catalogue, plugins
from schmier_sim.policies.base import Policy
from schmier_sim.policies.catalogue import BUILT_IN, DEFAULT

_FILE: Final = re.compile(r"(?P<path>.*?\.py)(?::(?P<name>[^:=,]*))?(?::(?P<settings>.*))?")


def names() -> list[str]:
    """Return the names of all built-in policies."""
    return sorted(BUILT_IN)


def default() -> Policy:
    """Return the default player."""
    return _built_in(DEFAULT)


def _built_in(name: str) -> Policy:
    module, _, attribute = BUILT_IN[name].where.partition(":")
    found = getattr(import_module(module), attribute)
    assert isinstance(found, Policy)
    return found


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
    if name in BUILT_IN:
        return _built_in(name)
    installed = catalogue.installed()
    if name in installed:
        return plugins.from_entry_point(installed[name])
    raise InputError(
        f"no policy is called {name[:80]!r}; policies: {', '.join(catalogue.all_names())}, "
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
