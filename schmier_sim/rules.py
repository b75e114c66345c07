"""The rules in force: every switch and parameter, what it means, and its place in one integer.

`Rules` is what people and records see. Kernels and policies see one integer, `Rules.packed`, and
ask it through the functions of `engine.switches`; this module needs nothing compiled.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from schmier_sim.errors import InputError

Value = bool | int | str

MAX_DEALS: Final = 500
"""W3: a game, or the search for a hand that somebody bids on, ends after so many deals."""


class Switch(NamedTuple):
    """One thing in which tables differ."""

    name: str
    clause: str
    values: tuple[Value, ...] | range  # the first is not always the default; a range for numbers
    bits: int  # width in the packed integer
    meaning: str

    def legal(self) -> str:
        """The legal values, for people."""
        if isinstance(self.values, range):
            return f"{self.values.start} to {self.values.stop - 1}"
        return ", ".join(spell(value) for value in self.values)


_OFF_ON = (False, True)

SWITCHES: Final = (
    Switch("teams", "P1", ("3x2", "2x3"), 1,
           "Three teams of two, partners opposite (3x2), or two of three, alternating (2x3)."),
    Switch("min_bid", "A1", range(1, 7), 3, "The lowest bid."),
    Switch("max_bid", "A1", range(1, 7), 3, "The highest bid; it ends the auction."),
    Switch("all_pass", "A4", ("redeal", "redeal_next", "stick_dealer", "redeal_without_dealer"), 2,
           "When nobody bids: the same dealer deals again (redeal), the deal passes left "
           "(redeal_next), the dealer has to bid (stick_dealer), or five passes throw the "
           "cards in before the dealer speaks (redeal_without_dealer)."),
    Switch("dealer_steal", "A5", _OFF_ON, 1,
           "The dealer may take the bid by equalling it, his partner's too."),
    Switch("dealer_excess", "E3", ("minimum", "free"), 1,
           "With more than six trumps the taker keeps six trumps and throws only the excess "
           "(minimum), or may throw any unprotected ones and keep plain cards (free)."),
    Switch("rest_to", "E2", ("dealer", "bidder"), 1,
           "Who takes the rest of the stock and discards last."),
    Switch("first_lead", "T1", ("any", "trump"), 1,
           "The bidder's first lead: any card, or a trump if he holds one."),
    Switch("trump_anytime", "T2", _OFF_ON, 1,
           "A trump may be played instead of following a plain suit."),
    Switch("low", "S2", ("player", "taker"), 1,
           "The point for low goes to the team that plays the 2 of trumps, or that takes it."),
    Switch("game_tie", "S4", ("nobody", "bidder"), 1,
           "A tie for game: nobody scores it, or the bidding team if it is in the tie."),
    Switch("target", "W1", range(1, 1001), 10, "The score that ends the game."),
    Switch("top_tie", "W2", ("continue", "shared"), 1,
           "Level at the top between teams that did not bid: another hand, or a shared win."),
    Switch("end", "W1", ("high_score", "bidder_first"), 1,
           "Several teams at the target: the highest wins, or the bidding team if among them."),
    Switch("must_bid_to_win", "W1", _OFF_ON, 1,
           "Only a bidding team that made its bid and stands at the target wins."),
)  # fmt: skip
_BY_NAME = {switch.name: switch for switch in SWITCHES}


def spell(value: Value) -> str:
    """Write a value as it is given on the command line."""
    if isinstance(value, bool):
        return "on" if value else "off"
    return str(value)


_TRUE = {"on", "true", "yes", "1"}
_FALSE = {"off", "false", "no", "0"}


def _check(switch: Switch, value: object) -> Value:
    """Return a value if it is legal, and of the very kind that the switch has."""
    if type(value) is not type(switch.values[0]) or value not in switch.values:
        shown = spell(value) if isinstance(value, bool) else repr(value)
        raise InputError(f"rule {switch.name}: {shown} is not legal; legal: {switch.legal()}")
    assert isinstance(value, (bool, int, str))
    return value


def _from_text(switch: Switch, text: str) -> object:
    """Read a value as people write it; what cannot be read is returned as it is."""
    word = text.strip().lower()
    if switch.values == _OFF_ON:
        return True if word in _TRUE else False if word in _FALSE else text
    if isinstance(switch.values, range):
        return int(word) if word.isascii() and word.isdigit() and len(word) < 10 else text
    return word


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules of one table. All switches and parameters, see ``schmier-sim rules``.

    Raises
    ------
    InputError
        If a value is not legal, or ``min_bid`` is above ``max_bid``.
    """

    teams: str = "3x2"
    min_bid: int = 3
    max_bid: int = 6
    all_pass: str = "redeal"
    dealer_steal: bool = False
    dealer_excess: str = "minimum"
    rest_to: str = "dealer"
    first_lead: str = "any"
    trump_anytime: bool = False
    low: str = "player"
    game_tie: str = "nobody"
    target: int = 21
    top_tie: str = "continue"
    end: str = "high_score"
    must_bid_to_win: bool = False

    def __post_init__(self) -> None:
        for switch in SWITCHES:
            _check(switch, getattr(self, switch.name))
        if self.min_bid > self.max_bid:
            raise InputError(f"rule min_bid={self.min_bid} is above max_bid={self.max_bid}")

    @classmethod
    def of(cls, changes: Mapping[str, object]) -> Rules:
        """Return the default rules with some changes, given by name.

        Raises
        ------
        InputError
            If a name is unknown (the legal ones are listed) or a value is not legal.
        """
        for name in changes:
            if name not in _BY_NAME:
                raise InputError(f"no rule is called {name!r}; rules: {', '.join(_BY_NAME)}")
        if not changes:
            return _DEFAULT
        checked: dict[str, Any] = {
            name: _check(_BY_NAME[name], value) for name, value in changes.items()
        }
        return replace(_DEFAULT, **checked)

    def changes(self) -> dict[str, Value]:
        """Return what differs from the default game, by name."""
        return {
            switch.name: value
            for switch in SWITCHES
            if (value := getattr(self, switch.name)) != getattr(_DEFAULT, switch.name)
        }

    @property
    def n_teams(self) -> int:
        """Number of teams, 3 or 2."""
        return 3 if self.teams == "3x2" else 2

    @property
    def packed(self) -> int:
        """All switches in one integer, for kernels and for ``view.rules``."""
        return _pack(self)

    def describe(self) -> str:
        """Return the changes on one line, ``default rules`` if there are none."""
        changes = [f"{name}={spell(value)}" for name, value in self.changes().items()]
        return ", ".join(changes) or "default rules"


@lru_cache(64)
def _pack(rules: Rules) -> int:
    packed = 0
    for switch in SWITCHES:
        value = getattr(rules, switch.name)
        number = value if isinstance(switch.values, range) else switch.values.index(value)
        packed |= number << SHIFTS[switch.name]
    return packed


_DEFAULT: Final = Rules()


def parse_rules(pairs: Iterable[str], file: Path | None = None) -> Rules:
    """Return the rules of the command line: ``NAME=VALUE`` pairs, on top of a TOML file.

    Raises
    ------
    InputError
        If the file cannot be read, or a name or value is wrong.
    """
    changes: dict[str, object] = _read_toml(file) if file else {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals:
            raise InputError(f"rule {pair!r} is no NAME=VALUE; rules: {', '.join(_BY_NAME)}")
        changes[name.strip().lower().replace("-", "_")] = value
    return Rules.of(
        {
            name: _from_text(_BY_NAME[name], value)
            if isinstance(value, str) and name in _BY_NAME
            else value
            for name, value in changes.items()
        }
    )


def _read_toml(file: Path) -> dict[str, object]:
    import tomllib

    try:
        content: dict[str, Any] = tomllib.loads(file.read_text("utf-8"))
    except OSError as error:
        raise InputError(f"rules file {file}: {error.strerror}") from error
    except (ValueError, RecursionError) as error:  # of which TOMLDecodeError is one
        raise InputError(f"rules file {file}: not TOML: {str(error)[:80]}") from error
    section = content.get("rules", content)
    if not isinstance(section, dict) or (section is not content and len(content) > 1):
        raise InputError(f"rules file {file}: write `name = value` lines, or one [rules] table")
    return dict(section)


def _shifts() -> dict[str, int]:
    shifts, at = {}, 0
    for switch in SWITCHES:
        shifts[switch.name] = at
        at += switch.bits
    return shifts


SHIFTS: Final = _shifts()
"""By switch: its lowest bit in `Rules.packed`."""
assert tuple(_BY_NAME) == tuple(field.name for field in fields(Rules))
