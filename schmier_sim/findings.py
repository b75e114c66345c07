"""The paragraphs of an answer: points, danger, why, what would change it, how sure it is."""

from __future__ import annotations

from collections.abc import Sequence

from schmier_sim.advise import FEWEST_HANDS, INDIFFERENCE, Advice, CallResult
from schmier_sim.cards import card_sign
from schmier_sim.phrases import (
    INDENT,
    WIDTH,
    about,
    call_name,
    capital,
    fit,
    how_often,
    listed,
    note,
    percent,
)  # fmt: skip
from schmier_sim.players import names_of, seats_by_role
from schmier_sim.reasons import Danger, Reasons
from schmier_sim.rules import spell
from schmier_sim.situation import ME
from schmier_sim.stats import rate_interval
from schmier_sim.variations import Variation

_WIDE = 19  # the labels of what would change it
PLAYER_NOTES = {
    "heuristic": "a sound club table",
    "plain": "a simple club table",
    "random": "no plan at all",
}


def point_lines(why: Reasons, hopeless: bool, most: int) -> list[str]:
    """Return the points that are sure by the rules, and how often each other one is won.

    Of a hopeless bid only those that are sure.
    """
    if why.deals < FEWEST_HANDS:
        return note("Sure", ", ".join(why.sure), 1) if why.sure else []
    lines = []
    needed = max(why.bid - len(why.sure), 0)
    if why.sure:
        tell = f": {len(why.sure)} of the {why.bid} points you need" if needed else ": enough"
        lines += note("Sure", ", ".join(why.sure) + tell, 1)
    rates = [f"{rate.name} {about(rate.won / rate.deals)}" for rate in why.likely]
    if not rates or hopeless:
        return lines
    short = f": {needed} needed" if needed else ""
    name = "Likely" if why.likely[0].won * 2 >= why.deals else "Others"
    return lines + note(name, ", ".join(rates) + short, most - bool(why.sure) or 1)


def danger_text(danger: Danger, bid: int) -> str:
    """Return what most often goes wrong, in a sentence."""
    rate, rest = danger.rates
    held = how_often(danger.with_fact, danger.deals)
    if danger.loses == "bid":
        share = about(danger.failed_with_fact / danger.failed)
        return (
            f"{danger.fact} ({held}): {bid} then makes {about(rate)}, else {about(rest)}. "
            f"That is {share} of the set deals."
        )
    return f"{danger.fact} ({held}): {danger.loses} is won {about(rate)} then, else {about(rest)}."


def _brief_danger(danger: Danger) -> str:
    rate, rest = danger.rates
    if danger.loses != "bid":
        return f"{danger.fact}: {danger.loses} is won {about(rate)}, else {about(rest)}."
    short = danger.fact.replace("A K Q and the bauers", "A K Q, bauers")
    rates = f"{about(rate)}, else {about(rest)}."
    ways = [f"{danger.fact}: makes it {rates}", f"{danger.fact}: makes {rates}"]
    return fit([*ways, f"{short}: makes {rates}"], WIDTH - INDENT)


def danger_lines(
    advice: Advice, row: CallResult | None, why: Reasons | None, most: int
) -> list[str]:
    """Return what is missing, where the answer is no, and what most often goes wrong."""
    if row is None or why is None or why.deals < FEWEST_HANDS:
        return []
    text = ""
    failed = why.deals - int(row.made[: len(row.facts)].sum())
    if why.danger:
        tell = danger_text(why.danger, why.bid) if most > 1 else _brief_danger(why.danger)
        text = capital(tell)
    elif failed:
        text = f"Set {how_often(failed, why.deals)}; no single card or holding stands out."
    if advice.verdict(row.call) == "no" and why.missing and most > 1:
        names = ", ".join(card_sign(card, why.trump) for card in why.missing)
        return note("Missing", f"{names}. {text}", most)
    return note("Danger", text, most) if text else []


def _worth(row: CallResult) -> str:
    """``+3.4 when made, -4.6 when set``."""
    parts = []
    for holds, name in ((row.made, "made"), (row.got & ~row.made, "set")):
        if holds.any():
            parts.append(f"{row.values[holds].mean():+.1f} when {name}")
    return ", ".join(parts)


def _lower(advice: Advice, row: CallResult) -> str:
    """What the next lower bid does worse."""
    below = [each for each in advice.calls if 0 < each.call < row.call]
    if not below:
        return ""
    lower = max(below, key=lambda each: each.call)
    got, hands = lower.gets
    outbid = f"{lower.call} is outbid {how_often(hands - got, hands)}"
    behind = lower.behind_best.mean - row.behind_best.mean
    return f"{outbid}, and {_cost(behind)}." if hands > got else f"{lower.call} {_cost(behind)}."


def _cost(points: float) -> str:
    if abs(points) < INDIFFERENCE:
        return "is worth as much"
    return f"costs {points:.2f}" if points > 0 else f"is worth {-points:.2f} more"


def _higher(advice: Advice, row: CallResult) -> str:
    """What the next higher bid adds: how much oftener it wins the auction, and is set."""
    above = [each for each in advice.calls if each.call > row.call]
    if not above:
        return ""
    higher = min(above, key=lambda each: each.call)
    more = higher.gets[0] - row.gets[0]
    wins = "gets it no more often" if more <= 0 else "gets it hardly more often"
    if more >= 0.01 * higher.gets[1]:
        wins = f"gets it {percent(*higher.gets)} of the time"
    made, got = higher.make
    fails = f", is set {how_often(got - made, got)}" if got > made else ""
    behind = higher.behind_best.mean - row.behind_best.mean
    return f"{higher.call} {wins}{fails}, and {_cost(behind)}."


def reason_lines(advice: Advice, row: CallResult | None, brief: bool) -> list[str]:
    """Return why this level; or, of a bid that is no better than a pass, what it is worth."""
    if row is None or advice.hands < FEWEST_HANDS:
        return []
    verdict, passing = advice.verdict(row.call), advice.of(0)
    if verdict == "yes" or passing is None:
        best = advice.best if advice.best.call else row
        start = (
            ""
            if brief
            else ("You score all you win: a higher bid earns no more, it only buys the auction. ")
        )
        rest = [part for part in (_lower(advice, best), _higher(advice, best)) if part]
        return note(f"Why {best.call}", start + " ".join(rest), 2 if brief else 3) if rest else []
    difference = advice.versus_pass(row.call)
    assert difference is not None
    worth = f"Worth {_worth(row)}" if row.got.any() else "It is always outbid"
    if verdict == "close":
        tell = f"{worth}: all in all {round(difference.mean, 2) + 0.0:+.2f} to a pass."
        return note("Why close", tell, 2)
    return note("Why not", f"{worth}; all in all it costs {-difference.mean:.2f}.", 2)


def decided_text(advice: Advice) -> str:
    """Say whether the sampled deals decide."""
    hands = f"{advice.hands:,} deal" + ("s" if advice.hands != 1 else "")
    if advice.decided:
        return f"decided after {hands}"
    if advice.equal and advice.equal[0] is advice.calls[1]:
        names = f"{call_name(advice.best)} and {call_name(advice.calls[1])}"
        return f"{names} are equal after {hands}"
    return f"not decided after {hands} (--precision plays on)"


def players_text(advice: Advice) -> str:
    """Name the players, by role if they differ."""
    names = {policy.name for policy in advice.policies}
    if len(names) == 1:
        name = names.pop()
        described = PLAYER_NOTES.get(name)
        return f"all `{name}`" + (f", {described}" if described else "")
    seats = seats_by_role(ME, advice.situation.rules)
    return ", ".join(
        f"{role} `{names_of(advice.policies[seat] for seat in own)}`" for role, own in seats.items()
    )


def trusted_range(
    advice: Advice, row: CallResult, variations: Sequence[Variation]
) -> tuple[float, float, float, float] | None:
    """Return (sampling ±, players ±, low, high) of the make rate; None without other players."""
    made, got = row.make
    others = [
        each.make[0] / each.make[1]
        for each in variations
        if each.kind == "players" and each.make[1]
    ]
    if not got or not others:
        return None
    low, high = (float(limit) for limit in rate_interval(made, got))
    rate = made / got
    spread = max(abs(other - rate) for other in others)
    return (high - low) / 2, spread, min(low, *others), max(high, *others)


def _sampling(advice: Advice, row: CallResult | None) -> str:
    text = decided_text(advice)
    if row is None or not row.got.any() or advice.hands < FEWEST_HANDS:
        return text
    low, high = rate_interval(*row.make)
    half = 50 * float(high - low)
    return f"{text}; makes it ± {half:.1f} %" if half >= 0.05 else f"{text}; makes it ± <0.1 %"


def _luck(row: CallResult | None, why: Reasons | None, verdict: str | None, hopeless: bool) -> str:
    """What no study can know: the cards of this very deal."""
    if row is None or not row.got.any() or len(row.got) < FEWEST_HANDS:
        return ""
    made, got = row.make
    if hopeless:
        return ""
    if verdict == "close" and why and why.danger and why.danger.loses == "bid":
        return f"nobody can know whether {why.danger.fact}"
    if made * 2 < got and verdict != "yes":
        return f"made {how_often(made, got)} all the same; nobody can know which"
    if made == got:
        return "none is needed, as far as was sampled"
    return f"set {how_often(got - made, got)} all the same; nobody can know which"


def sure_lines(
    advice: Advice,
    row: CallResult | None,
    why: Reasons | None,
    variations: Sequence[Variation],
    less: int = 0,
) -> list[str]:
    """Return the three kinds of doubt, each by itself: sampling, players, luck.

    ``less`` 1 leaves out what is not weighed, 2 luck too.
    """
    verdict = advice.verdict(row.call) if row is not None else None
    close = verdict == "close"
    known = trusted_range(advice, row, variations) if close and row else None
    sampling = decided_text(advice) if known else _sampling(advice, row)
    lines = note("How sure", f"Sampling: {sampling}.", 2)
    lines += note("", f"Players: {players_text(advice)}; better ones change this.", 2)
    luck = _luck(row, why, verdict, row is not None and advice.is_hopeless(row))
    if luck and less < 2:
        lines += note("", f"Luck: {luck}.", 2)
    if known:
        error, spread, low, high = (100 * each for each in known)
        lines += note(
            "",
            f"Sampling ± {error:.1f}, players ± {spread:.0f}: trust the range "
            f"{low:.0f}-{high:.0f} %.",
        )
    if less < 1:
        silent = advice.situation.calls and not advice.table.hidden.weighs
        calls = ", and what the calls tell of hidden hands" if silent else ""
        lines += note("", f"Not weighed: the score{calls}.")
    return lines


def known_lines(advice: Advice) -> list[str]:
    """Return what is known besides of hidden cards, on one line; nothing if nothing is."""
    known = [fact.text for fact in advice.situation.known]
    return listed("Known", known, 1) if known else []


def rule_lines(advice: Advice) -> list[str]:
    """Return the house rules on one line, none for the default game."""
    changes = advice.situation.rules.changes()
    items = [f"{name}={spell(value)}" for name, value in changes.items()]
    return listed("Rules", items, 1) if items else []
