"""The shortest command that prints an answer again."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterator

from schmier_sim.advise import DEFAULT_HANDS, DEFAULT_SEED, Advice
from schmier_sim.cards import SUITS, card_name
from schmier_sim.hidden import ERROR
from schmier_sim.phrases import INDENT, WIDTH
from schmier_sim.players import seats_by_role
from schmier_sim.policies.catalogue import DEFAULT
from schmier_sim.rules import spell
from schmier_sim.situation import ME, Situation


def _place(situation: Situation) -> Iterator[str]:
    said = [call for call in situation.calls if call >= 0]
    if any(said):
        words = " ".join(str(call) if call else "pass" for call in said)
        yield f'--calls "{words}"' if len(said) > 1 else f"--calls {words}"
    if situation.position > 1 and (not any(said) or len(said) < situation.position - 1):
        yield f"--position {situation.position}"
    if any(situation.scores):
        between = "=" if situation.scores[0] < 0 else " "
        yield f"--scores{between}" + ",".join(map(str, situation.scores))


def _players(advice: Advice) -> Iterator[str]:
    names = [policy.name for policy in advice.policies]
    most = DEFAULT if DEFAULT in names else Counter(names).most_common(1)[0][0]
    if most != DEFAULT:
        yield f"--policy {shlex.quote(most)}"
    for role, seats in seats_by_role(ME, advice.situation.rules).items():
        own = {names[seat] for seat in seats}
        if len(own) == 1 and own != {most}:
            yield f"--seat-policy {shlex.quote(f'{role}={own.pop()}')}"
        elif len(own) > 1:
            others = [f"{seat}={names[seat]}" for seat in seats if names[seat] != most]
            yield from (f"--seat-policy {shlex.quote(each)}" for each in others)


def options(advice: Advice, asked: int | None) -> list[str]:
    """Return hand and options, each a piece that is not broken."""
    situation = advice.situation
    hand = "".join(card_name(card) for card in situation.cards)
    parts = [f"schmier-sim advise {hand}"]
    parts += [f"--bid {asked}"] if asked is not None else []
    parts += _place(situation)
    parts += [f"--know {shlex.quote(fact.text)}" for fact in situation.known]
    parts += [f"--error {advice.table.error!r}"] if advice.table.error != ERROR else []
    parts += [f"--trump {SUITS[advice.named]}"] if advice.named is not None else []
    parts += _players(advice)
    parts += [f"--rule {k}={spell(v)}" for k, v in situation.rules.changes().items()]
    first, precision = advice.searched or (advice.wanted, None)
    parts += [f"--hands {first}"] if first != DEFAULT_HANDS else []
    parts += [f"--precision {precision}"] if precision is not None else []
    parts += [f"--seed {advice.seed}"] if advice.seed != DEFAULT_SEED else []
    return parts


def command(advice: Advice, asked: int | None) -> str:
    """Return the command on one line."""
    return " ".join(options(advice, asked))


def command_lines(advice: Advice, asked: int | None, most: int) -> list[str]:
    """Return the command on lines that a shell joins; what does not fit is ``... and N more``."""
    parts = options(advice, asked)
    lines = [f"{'Again':{INDENT}}{parts[0]}"]
    for n, part in enumerate(parts[1:], 1):
        left = f" ... and {len(parts) - n} more"
        room = WIDTH - (2 if len(lines) < most else len(left) if n < len(parts) - 1 else 0)
        if len(lines[-1]) + 1 + len(part) <= room:
            lines[-1] += " " + part
        elif len(lines) < most:
            lines[-1] += " \\"
            lines.append(" " * INDENT + "  " + part)
        else:
            lines[-1] += left
            break
    return lines
