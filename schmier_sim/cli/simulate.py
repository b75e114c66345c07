"""``schmier-sim simulate``: play a batch and tally it."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import click

from schmier_sim.cli import options as opt
from schmier_sim.cli.output import note, progress, say, say_json

_SAVE_EVERY = 10.0  # seconds


@click.command(
    epilog="Example: schmier-sim simulate --hands 2M --experiment bidder --out runs/bidder"
)
@click.option("--hands", type=opt.COUNT, required=True, metavar="N", help="Hands to complete.")
@click.option("--out", type=opt.PATH, required=True, metavar="DIR", help="Where the batch goes.")
@click.option(
    "--experiment", type=click.Choice(["auction", "bidder"]), default="auction", show_default=True,
    help="auction: as the players call. bidder: one seat is the bidder in one suit, both by "
    "turns, the others pass.",
)  # fmt: skip
@click.option("--resume", is_flag=True, help="Go on where a run stopped, or start one.")
@opt.policy_options
@opt.rule_options
@opt.seed_option
@opt.jobs_option
@opt.json_option
@opt.quiet_option
@opt.force_option
def simulate(
    hands: int,
    out: Path,
    experiment: str,
    resume: bool,
    policy: str,
    seat_policy: tuple[str, ...],
    rule: tuple[str, ...],
    rules_file: Path | None,
    seed: int,
    jobs: int | None,
    as_json: bool,
    quiet: bool,
    force: bool,
) -> None:
    """Play a batch of hands and tally it.

    Counts hands by the bid, position, trump suit, composition and points of the bidder.
    The result depends on the seed, the players, the rules and the number of hands alone.
    """
    from schmier_sim import batches
    from schmier_sim.files import make_directory
    from schmier_sim.players import described, parse_seat_policies, seating
    from schmier_sim.provenance import provenance
    from schmier_sim.rules import parse_rules
    from schmier_sim.simulate import BIDDER, Experiment, run
    from schmier_sim.tally import Tally

    rules = parse_rules(rule, rules_file)
    chosen = parse_seat_policies(seat_policy, has_me=experiment == BIDDER)
    seatings = tuple(
        seating(policy, chosen, rules, me if experiment == BIDDER else None) for me in range(6)
    )
    plan = Experiment(experiment, seatings, rules, seed)
    facts = {
        "format": batches.FORMAT,
        "experiment": experiment,
        "levels": [rules.min_bid, rules.max_bid],
        "plays_by_level": plan.levels > 1,
        **provenance(
            rules=rules.changes(), policies=described(policy, chosen, seatings[0]), seed=seed,
            start=0, stop=0,
        ),
    }  # fmt: skip
    before = _earlier(out, facts, resume=resume, force=force)
    done = before.stop if before else 0
    if done > hands:
        raise click.UsageError(f"{out} holds {done:,} hands already, more than --hands {hands:,}")
    is_new = not out.exists()
    make_directory(out)
    earlier = before.tally if before else Tally.empty()
    saver = _Saver(out, facts, earlier)
    with progress(hands, "playing", quiet) as show:

        def after_round(at: int, tally: Tally) -> None:
            show(at)
            saver.keep(at, tally)

        try:
            if done < hands:
                run(plan, done, hands, jobs or opt.all_cores(), after_round)
        finally:
            saver.finish()
            if is_new and saver.batch is None:
                out.rmdir()  # stopped before anything was done
    _report(out, saver, as_json=as_json, quiet=quiet)


def _earlier(out: Path, facts: dict[str, Any], *, resume: bool, force: bool) -> Any:
    """Return the batch to go on from, if there is one that this run may continue."""
    from schmier_sim import batches
    from schmier_sim.files import refuse_existing

    index = out / batches.INDEX
    if resume and index.exists():
        batch = batches.load(out)
        batch.check_same_run(facts)
        return batch
    refuse_existing(index, force or resume)
    return None


class _Saver:
    """Keeps the newest state, and writes it now and then."""

    def __init__(self, out: Path, facts: dict[str, Any], earlier: Any) -> None:
        from schmier_sim import batches

        self.out, self.facts, self.earlier = out, facts, earlier
        self.began = self.saved_at = time.monotonic()
        self.batch: Any = None
        self.is_saved = True
        self.index = batches.index_bytes(out)
        batches.sweep(out)

    def keep(self, at: int, tally: Any) -> None:
        """Take the tally of all hands before ``at``."""
        from schmier_sim import batches

        self.batch = batches.StoredBatch({**self.facts, "stop": at}, self.earlier + tally)
        self.is_saved = False
        if time.monotonic() - self.saved_at > _SAVE_EVERY:
            self.finish()

    def finish(self) -> None:
        """Write what is not written yet."""
        from schmier_sim import batches

        if not self.is_saved:
            self.index = batches.save(self.out, self.batch, self.index)
            self.saved_at, self.is_saved = time.monotonic(), True


def _report(out: Path, saver: _Saver, *, as_json: bool, quiet: bool) -> None:
    from schmier_sim import batches
    from schmier_sim.tally import TOTALS

    batch = saver.batch or batches.load(out)
    totals = {name: batch.tally.total(name) for name in TOTALS}
    if as_json:
        say_json({"out": str(out), "totals": totals, "provenance": dict(batch.facts)})
        return
    if quiet:
        return
    seconds = time.monotonic() - saver.began
    say(
        f"{totals['hands']:,} hands in {out} "
        f"({totals['thrown_in']:,} deals thrown in on the way; {seconds:.1f} s)"
    )
    if totals["unfinished"]:
        note(f"{totals['unfinished']:,} hands had no bid in 500 deals and are not counted")
    note(f"next: schmier-sim table {out}   or: schmier-sim chart {out} --out {out}/charts")
