"""``schmier-sim replay``: check and score hand records."""

from __future__ import annotations

from typing import Any

import click

from schmier_sim.cli import options as opt
from schmier_sim.cli.lines import Lines
from schmier_sim.cli.output import complain, note, say, say_json


@click.command(epilog="Example: schmier-sim replay hands.jsonl")
@click.argument("file", type=click.Path(allow_dash=True))
@opt.json_option
@opt.quiet_option
def replay(file: str, as_json: bool, quiet: bool) -> int:
    """Check every record of FILE (- is stdin) by the rules, and score it.

    Every line gets its verdict. Exit code 1 if a record is faulty, 2 if the file holds no record
    or ends in the middle of one.
    """
    from schmier_sim.records import check_lines

    records = faulty = 0
    unreadable, is_cut = "", False
    source = Lines(file)
    for verdict in check_lines(source):
        records += verdict.is_record
        faulty += not verdict.ok
        if not verdict.is_record:
            unreadable = unreadable or f"line {verdict.line}: {verdict.faults[0]}"
            is_cut = source.is_cut_in(verdict.line)
        _tell(verdict, as_json)
    source.refuse_without_records(records, unreadable)
    if is_cut:
        complain(source.cut)
        return 2
    if not as_json and not quiet:
        say(f"{records:,} records, {faulty:,} faulty")
    elif quiet and faulty:
        note(f"{faulty:,} of {records:,} records are faulty")
    return 1 if faulty else 0


def _tell(verdict: Any, as_json: bool) -> None:
    if as_json:
        say_json(
            {
                "line": verdict.line,
                "ok": verdict.ok,
                "faults": verdict.faults,
                "points": verdict.points,
                "score": verdict.score,
            }
        )
        return
    for fault in verdict.faults:
        say(f"line {verdict.line}: {fault}")
