"""Who sits where: from what a user writes to a policy for each seat."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from schmier_sim.errors import InputError
from schmier_sim.policies import registry
from schmier_sim.policies.base import Policy
from schmier_sim.rules import Rules

_ROLES = ("me", "partner", "opponents")


def parse_seat_policies(pairs: Iterable[str], *, has_me: bool) -> dict[str, str]:
    """Read ``WHO=NAME`` pairs; WHO is a seat 0-5, or a role where there is a "me".

    Raises
    ------
    InputError
        If a pair is of another form, WHO is unknown or given twice.
    """
    chosen: dict[str, str] = {}
    legal = (*"012345", *_ROLES) if has_me else tuple("012345")
    for pair in pairs:
        who, equals, name = (part.strip() for part in pair.partition("="))
        if not equals or not name:
            raise InputError(f"--seat-policy {pair!r}: write WHO=NAME, like 3=random")
        if who not in legal:
            raise InputError(f"--seat-policy {pair!r}: no seat {who!r}; one of {', '.join(legal)}")
        if who in chosen:
            raise InputError(f"--seat-policy: {who} is there twice")
        chosen[who] = name
    return chosen


def _role(seat: int, me: int, rules: Rules) -> str:
    if seat == me:
        return "me"
    return "partner" if (seat - me) % rules.n_teams == 0 else "opponents"


def seating(
    all_seats: str, chosen: dict[str, str], rules: Rules, me: int | None = None
) -> tuple[Policy, ...]:
    """Return the policies of six seats; a seat's number goes before its role.

    Parameters
    ----------
    all_seats : str
        The policy of whoever has none of his own.
    chosen : dict
        From `parse_seat_policies`.
    me : int, optional
        The seat to which the roles refer.
    """
    names = []
    for seat in range(6):
        role = _role(seat, me, rules) if me is not None else ""
        names.append(chosen.get(str(seat)) or chosen.get(role) or all_seats)
    return tuple(registry.find(name) for name in names)


def seats_by_role(me: int, rules: Rules) -> dict[str, list[int]]:
    """Return the seats of ``me``, ``partner`` and ``opponents``."""
    return {role: [seat for seat in range(6) if _role(seat, me, rules) == role] for role in _ROLES}


def names_of(policies: Iterable[Policy]) -> str:
    """Return the names of some players, each once: ``plain/random``."""
    return "/".join(dict.fromkeys(policy.name for policy in policies))


def described(all_seats: str, chosen: dict[str, str], policies: Sequence[Policy]) -> list[str]:
    """Return what provenance says of the players: names by seat, or who is not `all_seats`."""
    if any(who in _ROLES for who in chosen):
        of = {name: registry.find(name).identity for name in (all_seats, *chosen.values())}
        return [of[all_seats], *sorted(f"{who}={of[name]}" for who, name in chosen.items())]
    return [policy.identity for policy in policies]
