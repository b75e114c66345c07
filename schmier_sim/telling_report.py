"""The report of what calls tell, part by part: each writes its files into a folder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any

import pandas as pd

from schmier_sim.cards import parse_suit
from schmier_sim.policies.base import Policy
from schmier_sim.policies.registry import find
from schmier_sim.rules import Rules
from schmier_sim.situation import situation
from schmier_sim.tables import write_table
from schmier_sim.telling import count
from schmier_sim.telling_chart import write_telling
from schmier_sim.telling_moves import move_rows
from schmier_sim.telling_rows import Effort, auction_rows, enemy_rows, hand_rows
from schmier_sim.threads import threads


def write_parts(facts: Mapping[str, Any], folder: Path, jobs: int = 1) -> pd.DataFrame:
    """Write all parts but the summary, and return that.

    Parameters
    ----------
    facts : mapping
        ``policy hands seed``; ``other``, another ``policy`` and ``hands``; ``heard`` for
        `write_hands`; ``moves`` for `move_rows`.
    jobs : int
        Number of threads; the numbers do not depend on it.
    """
    policies = (find(facts["policy"]),) * 6
    table = write_auctions(facts, policies, folder, jobs)
    write_hands(facts, policies, folder, jobs)
    other = facts["other"]
    counts = count((find(other["policy"]),) * 6, other["hands"], facts["seed"], jobs)
    write_table(auction_rows(counts), folder / f"{other['policy']}.csv")
    moves = move_rows(facts["moves"], policies, facts["seed"], jobs)
    write_table(moves, folder / "moves.csv")
    return table


def write_auctions(
    facts: Mapping[str, Any], policies: Sequence[Policy], folder: Path, jobs: int
) -> pd.DataFrame:
    """Count auctions: write what they tell of enemies, and the chart; return the summary."""
    counts = count(policies, facts["hands"], facts["seed"], jobs)
    write_table(enemy_rows(counts), folder / "enemies.csv")
    table = auction_rows(counts)
    title = (
        "What my partner's call tells of his cards, of a suit fixed beforehand and (last) of the "
        f"suit he names\nall players: {facts['policy']}; {facts['hands']:,} deals, seed "
        f"{facts['seed']}; {Rules().describe()}"
    )
    write_telling(table, title, folder / "what-calls-tell.png")
    return table


def write_hands(
    facts: Mapping[str, Any], policies: Sequence[Policy], folder: Path, jobs: int
) -> None:
    """Ask the sampler with some hands of mine, and check it by deals around them.

    Parameters
    ----------
    facts : mapping
        ``seed``, and in ``heard``: ``hands`` (six cards and a suit each), ``calls`` (before mine),
        ``worlds deals errors``.
    """
    asked = facts["heard"]
    effort = Effort(asked["worlds"], asked["deals"], asked["errors"], facts["seed"])

    def heard(case: tuple[tuple[str, str], str]) -> pd.DataFrame:
        (hand, suit), calls = case
        return hand_rows(situation(hand, calls=calls), parse_suit(suit), policies, effort)

    with threads(jobs) as pool:
        parts = list(pool.map(heard, product(asked["hands"], asked["calls"])))
    write_table(pd.concat(parts), folder / "hands.csv")
