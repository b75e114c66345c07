"""Ask a policy: fill in what is the seat's own, and call its function for the phase."""

from __future__ import annotations

from typing import Any

from schmier_sim._jit import inlined_kernel, kernel
from schmier_sim.engine.state import N_PHASES, as_view, call_at, position_of


@inlined_kernel
def ask(table: Any, view: Any, answers: Any, seat: int, phase: int, legal: int) -> int:
    """Return the answer of a seat's policy, unchecked.

    Its random numbers are keyed by the deal, the seat, the phase and the trick, not by what
    others drew: the same view gets the same answer.

    Parameters
    ----------
    table, view : TABLE and VIEW record
    answers : ndarray of int64, shape (24,)
        Addresses of the policies' functions, four for each seat in the order of the phases.
    """
    view.seat = seat
    view.position = position_of(seat, view.dealer)
    view.hand = table.hands[seat]
    view.thrown = table.thrown[seat]
    view.legal = legal
    view.stream[0] = table.policy_key
    view.stream[1] = 1 + (view.n_played * N_PHASES + phase) * 6 + seat
    return call_at(answers[seat * N_PHASES + phase], as_view(view))


@kernel
def blame(table: Any, seat: int, phase: int, answer: int) -> None:
    """Note an illegal answer; the deal is not played on."""
    table.fault = phase
    table.fault_seat = seat
    table.fault_answer = answer
