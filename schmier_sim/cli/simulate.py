"""``schmier-sim simulate``: play a batch and tally it."""

from __future__ import annotations

import shlex
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from schmier_sim.cli import options as opt
from schmier_sim.cli.output import INTERRUPTED, complain, note, progress, say, say_json

_SAVE_EVERY = 10.0  # seconds between two writings, however often a state is handed out


@click.command(
    epilog="Example: schmier-sim simulate --hands 2M --experiment bidder --out runs/bidder"
)
@click.option("--hands", type=opt.COUNT, required=True, metavar="N", help="How many hands.")
@click.option(
    "--start", type=opt.INDEX, default=0, show_default=True, metavar="I",
    help="The first hand's number: hands I to I + N - 1 are played.",
)  # fmt: skip
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
@click.option(
    "--chunk", type=opt.COUNT, default=None, metavar="N",
    help="The most hands that a thread takes at a time; results do not depend on it.  "
    "[default: 20,000]",
)  # fmt: skip
@opt.json_option
@opt.quiet_option
@opt.force_option
def simulate(
    hands: int,
    start: int,
    out: Path,
    experiment: str,
    resume: bool,
    policy: str,
    seat_policy: tuple[str, ...],
    rule: tuple[str, ...],
    rules_file: Path | None,
    seed: int,
    jobs: int | None,
    chunk: int | None,
    as_json: bool,
    quiet: bool,
    force: bool,
) -> int:
    """Play a batch of hands and tally it.

    Counts hands by the bid, position, trump suit, composition and points of the bidder.
    The result depends on the seed, the players, the rules and the range of hands alone; ranges
    that adjoin can be played apart, and put together by `schmier-sim runs merge`.
    """
    from schmier_sim.threads import load

    load("schmier_sim.batches")
    from schmier_sim.files import filling
    from schmier_sim.players import described, parse_seat_policies, seating
    from schmier_sim.rules import parse_rules
    from schmier_sim.simulate import BIDDER, CHUNK, Experiment, run

    rules = parse_rules(rule, rules_file)
    chosen = parse_seat_policies(seat_policy, has_me=experiment == BIDDER)
    seatings = tuple(
        seating(policy, chosen, rules, me if experiment == BIDDER else None) for me in range(6)
    )
    plan = Experiment(experiment, seatings, rules, seed)
    facts = _facts(plan, described(policy, chosen, seatings[0]), start)
    before = _earlier(out, facts, resume=resume, force=force)
    at, stop = before.stop if before else start, start + hands
    if at > stop:
        raise click.UsageError(
            f"{out} holds {at - start:,} hands already, more than --hands {hands:,}"
        )
    with filling(out), progress(hands, "playing", quiet) as show:
        saver = _Saver(out, facts, before, show)
        try:
            if at < stop:
                run(plan, at, stop, jobs or opt.all_cores(), saver, chunk or CHUNK)
        except KeyboardInterrupt:
            saver.interrupted = True
        finally:
            saver.finish()
    if saver.interrupted:
        complain(_how_far(saver, hands))
        return INTERRUPTED
    _report(saver, as_json=as_json, quiet=quiet)
    return 0


def _facts(plan: Any, players: list[str], start: int) -> dict[str, Any]:
    """Return what the index of a batch says; it does not depend on threads or time."""
    from schmier_sim import batches
    from schmier_sim.provenance import provenance

    rules = plan.rules
    return {
        "format": batches.FORMAT,
        "experiment": plan.kind,
        "levels": [rules.min_bid, rules.max_bid],
        "plays_by_level": plan.levels > 1,
        **provenance(
            rules=rules.changes(), policies=players, seed=plan.seed, start=start, stop=start
        ),
    }


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
    """Watches a run: shows how it goes on, and writes the newest state now and then.

    Attributes
    ----------
    kept : dict or None
        The facts of the newest state, on disk or not.
    totals : dict
        Its totals by name.
    """

    def __init__(
        self, out: Path, facts: dict[str, Any], earlier: Any, show: Callable[[int], None]
    ) -> None:
        from schmier_sim import batches

        self.out, self.facts, self.earlier, self.show = out, facts, earlier, show
        self.began = self.saved_at = time.monotonic()
        self.interrupted = False
        self.kept: dict[str, Any] | None = None
        self.totals: dict[str, int] = {}
        self._unsaved: Any = None
        if earlier:
            self._take(earlier)
        self.index = batches.index_bytes(out)
        batches.sweep(out)

    def progress(self, done: int) -> None:
        """Show how many hands are done."""
        self.show(done + (self.earlier.stop - self.earlier.start if self.earlier else 0))

    def keep(self, at: int, tally: Any) -> None:
        """Take the tally of this run's hands before ``at``."""
        from schmier_sim import batches

        whole = self.earlier.tally + tally if self.earlier else tally
        self._unsaved = batches.StoredBatch({**self.facts, "stop": at}, whole)
        self._take(self._unsaved)
        if time.monotonic() - self.saved_at > _SAVE_EVERY:
            self.finish()

    def _take(self, batch: Any) -> None:
        from schmier_sim.tally import TOTALS

        self.kept = dict(batch.facts)
        self.totals = {name: batch.tally.total(name) for name in TOTALS}

    def finish(self) -> None:
        """Write what is not written yet."""
        from schmier_sim import batches
        from schmier_sim.threads import undisturbed

        if self._unsaved:
            with undisturbed():
                self.saved_at = time.monotonic()
                self.index = batches.save(self.out, self._unsaved, self.index)
                self._unsaved = None  # its memory is wanted for the next state


def _how_far(saver: _Saver, hands: int) -> str:
    """Say how far a run came that was stopped, and how it is taken up again."""
    if saver.kept is None:
        return "interrupted"
    done = saver.kept["stop"] - saver.kept["start"]
    text = f"interrupted; kept {done:,} hands in {saver.out}"
    return f"{text}; go on with: {_again()}" if done < hands else text


def _again() -> str:
    """Return the command that goes on with this one."""
    context = click.get_current_context()
    words = ["schmier-sim", "simulate"]
    for option in context.command.params:
        value = context.params[option.name or ""]
        given = context.get_parameter_source(option.name or "") is ParameterSource.COMMANDLINE
        if not given or option.name in ("resume", "force"):
            continue
        if isinstance(value, bool):
            words += [option.opts[0]] if value else []
            continue
        for each in value if isinstance(value, tuple) else (value,):
            words += [option.opts[0], str(each)]
    return shlex.join([*words, "--resume"])


def _report(saver: _Saver, *, as_json: bool, quiet: bool) -> None:
    out, totals = saver.out, saver.totals
    if as_json:
        say_json({"out": str(out), "totals": totals, "provenance": saver.kept})
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
