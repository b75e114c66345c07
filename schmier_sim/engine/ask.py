"""Ask a policy: fill in what is the seat's own, and call its function for the phase."""

from __future__ import annotations

from typing import Any

from schmier_sim._jit import inlined_kernel, kernel
from schmier_sim.engine.state import N_PHASES, as_view, call_at, position_of
from schmier_sim.rng import decision_start


@inlined_kernel
def decision_number(n_played: int, phase: int, seat: int) -> int:
    """Return a number of its own for each decision of a deal."""
    return (n_played * N_PHASES + phase) * 6 + seat


@inlined_kernel
def ask(table: Any, view: Any, seat: int, phase: int, legal: int) -> int:
    """Return the answer of a seat's policy, unchecked.

    Its random numbers are keyed by the deal, the seat, the phase and the trick, not by what
    others drew: the same view gets the same answer.

    Parameters
    ----------
    table, view : TABLE and VIEW record
    """
    view.seat = seat
    view.position = position_of(seat, view.dealer)
    view.hand = table.hands[seat]
    view.thrown = table.thrown[seat]
    view.legal = legal
    number = decision_number(view.n_played, phase, seat)
    view.stream[0] = decision_start(table.policy_key, number)
    return call_at(table.answers[seat * N_PHASES + phase], as_view(view))


@kernel
def blame(table: Any, seat: int, phase: int, answer: int) -> None:
    """Note an illegal answer; the deal is not played on."""
    table.fault = phase
    table.fault_seat = seat
    table.fault_answer = answer
