"""What went wrong at the table: who answered what, why, and the command that shows the hand."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from schmier_sim._jit import JIT_ENABLED
from schmier_sim.cards import card_names
from schmier_sim.engine.ask import decision_number
from schmier_sim.engine.state import CALL, PHASES, PLAY, TRUMP, VIEW, as_view, new_views
from schmier_sim.errors import InputError, PolicyFault
from schmier_sim.policies.base import Policy
from schmier_sim.policies.explain import place_in_traceback
from schmier_sim.policies.foreign import RAISED, as_answer
from schmier_sim.policies.registry import find
from schmier_sim.rng import decision_start
from schmier_sim.rules import Rules, spell

_PATIENCE = 60.0  # seconds for another process to say what was raised


def policy_fault(
    table: Any, view: Any, policies: Sequence[Policy], where: str, command: str | None = None
) -> PolicyFault:
    """Return the error for the illegal answer that is noted on a table.

    Parameters
    ----------
    table, view : TABLE and VIEW record
        As the answer left them.
    policies : sequence of Policy, length 6
        By seat.
    where : str
        The deal, for people.
    command : str, optional
        What shows the hand (see `showing`).
    """
    seat, phase = int(table["fault_seat"]), int(table["fault"])
    player, answer = policies[seat], int(table["fault_answer"])
    if answer == RAISED:
        why = _asked_again(player, phase, table, view)
        did = f"raised an exception in {PHASES[phase]}{f' ({why})' if why else ''}"
    else:
        did = f"gave the illegal answer {answer} to {PHASES[phase]}"
        where += "; legal: " + _legal(phase, int(view["legal"]), int(view["must_throw"]))
    text = f"policy {player.name!r} in seat {seat} {did}, {where}"
    return PolicyFault(f"{text}; to see it: {command}" if command else text)


def _legal(phase: int, legal: int, must_throw: int) -> str:
    """Say what would have been legal."""
    if phase == CALL:
        return ", ".join(str(bid) for bid in range(7) if legal >> bid & 1)
    if phase == TRUMP:
        return "0 to 3"
    if phase == PLAY:
        return "the id of one of " + " ".join(card_names(legal))
    count = f"{must_throw}" if must_throw else "up to 3"
    return f"the mask of {count} of {' '.join(card_names(legal))}"


def showing(
    policies: Sequence[Policy], rules: Rules, seed: int, index: int, *more: str
) -> str | None:
    """Return the command that shows a hand; None if its players have no names of their own."""
    try:
        if any(find(player.name) != player for player in set(policies)):
            return None
    except InputError:
        return None
    names = [player.name for player in policies]
    common = Counter(names).most_common(1)[0][0]
    words = ["schmier-sim", "deal", "--hands", "1", "--index", str(index), "--seed", str(seed)]
    words += ["--policy", common]
    for seat, name in enumerate(names):
        if name != common:
            words += ["--seat-policy", f"{seat}={name}"]
    for name, value in rules.changes().items():
        words += ["--rule", f"{name}={spell(value)}"]
    return shlex.join([*words, *more, "--pretty"])


# --- What was raised: the same question once more, in Python ------------------------------------


def _asked_again(player: Policy, phase: int, table: Any, view: Any) -> str | None:
    """Return what an exception said, and where; None if it cannot be told."""
    record = new_views(1)
    record[0] = np.asarray(view, VIEW)
    number = decision_number(int(view["n_played"]), phase, int(view["seat"]))
    record["stream"][0] = decision_start(table["policy_key"], number)
    if not JIT_ENABLED:
        return what_is_raised(player, phase, record)
    question = {"name": player.name, "phase": phase, "view": record.tobytes().hex()}
    try:
        done = subprocess.run(
            [sys.executable, "-P", "-m", "schmier_sim.policies.ask_again"],
            input=json.dumps(question), text=True, capture_output=True, check=False,
            timeout=_PATIENCE, env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        )  # fmt: skip
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.strip() or None


def what_is_raised(player: Policy, phase: int, record: Any) -> str | None:
    """Ask with the JIT switched off; return the exception as ``mine.py:9: IndexError: ...``."""
    try:
        as_answer(player.functions[phase](as_view(record[0])))
    except Exception as error:
        place = place_in_traceback(error.__traceback__)
        said = f"{type(error).__name__}: {str(error)[:200]}"
        return f"{place}: {said}" if place else said
    return None
