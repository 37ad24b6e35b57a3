"""Runs what `diff` offers beside the oracle: a golden, another target, sensitivities; writes reports."""

from __future__ import annotations

import argparse
import dataclasses
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from texelscope.output import show, terminal_width, write_text
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.target import DEFAULT_PRECISION, Target

if TYPE_CHECKING:
    from texelscope.pipeline.export.sarif import ReviewedFiles

# Options that each write a file; - is standard output, which takes one.
_REPORTS = ("--json", "--html", "--junit", "--sarif", "--fix")
# Each option excludes these others, which run or report otherwise.
_APART = {
    "--frames": ("--captured", "--golden", "--against", "--sensitivity"),
    "--captured": ("--golden", "--against", "--sensitivity", "--repeat", "--save-golden", "--inject", "--fix"),
    "--sensitivity": (
        *("--golden", "--against", "--repeat", "--save-golden", "--html", "--junit", "--diagnose", "--tolerance"),
        *("--inject", "--fix", "--sarif"),
    ),
    "--golden": ("--against", "--repeat", "--html", "--diagnose", "--save-golden", "--inject", "--fix"),
    "--against": ("--repeat", "--html", "--diagnose", "--save-golden", "--inject", "--fix"),
}


def refuse_together(options: argparse.Namespace) -> None:
    """Raises TexelscopeError for options that exclude each other, and for two reports on standard output."""
    shown = [name for name in _REPORTS if _given(options, name) == "-"]
    if len(shown) > 1:
        raise TexelscopeError(shown[-1], "one report on standard output", "two", "Write one of them to a file.")
    if options.sensitivity and options.precision != DEFAULT_PRECISION:
        raise TexelscopeError(
            "--sensitivity", f"--precision {DEFAULT_PRECISION}", options.precision, "It tries half precision by itself."
        )
    for first, others in _APART.items():
        for other in others:
            if _given(options, first) and _given(options, other):
                raise TexelscopeError(other, f"no {first} beside it", "both", "Leave one of the two out.")


def report_texts(options: argparse.Namespace, as_table: Callable[[], str], **reports: Callable[[], str]) -> None:
    """Writes the requested reports, and prints the table unless a report goes to standard output.

    `reports` make those of the options that have their names.
    """
    for name, text in reports.items():
        if (path := getattr(options, name)) is not None:
            write_text(path, text())
    if "-" not in (_given(options, name) for name in _REPORTS):
        show(as_table())


def _given(options: argparse.Namespace, name: str) -> object:
    if name == "--against":
        return options.against or options.against_layout or options.against_precision
    return getattr(options, name[2:].replace("-", "_"))


def _runs(target: Target, options: argparse.Namespace) -> int:
    """Compares a run with a golden or with another run."""
    from texelscope.pipeline.commands.arguments import parse_tolerances
    from texelscope.pipeline.commands.diff import MATCH, MISMATCH
    from texelscope.pipeline.export.junit import junit_of_difference
    from texelscope.pipeline.export.sarif import sarif_of_difference
    from texelscope.pipeline.runs.against import against_golden, against_target
    from texelscope.pipeline.runs.difference import DIFFERENT
    from texelscope.pipeline.runs.table import render

    tolerances = parse_tolerances(options.tolerance)
    if options.golden is not None:
        found = against_golden(target, Path(options.golden), tolerances)
    else:
        other = other_target(target, options)
        assert other is not None
        found = against_target(target, other, tolerances)
    report_texts(
        options,
        lambda: render(found, terminal_width()),
        json=lambda: found.as_json() + "\n",
        junit=lambda: junit_of_difference(found),
        sarif=lambda: sarif_of_difference(found, reviewed_files(target)),
    )
    return MISMATCH if found.sameness in DIFFERENT else MATCH


def reviewed_files(target: Target) -> ReviewedFiles:
    """Returns where the target's files are for a review of the current folder, which is the checkout's root in CI."""
    from texelscope.pipeline.export.sarif import ReviewedFiles
    from texelscope.pipeline.patches.patch import AuthorsFiles

    files = AuthorsFiles(target.path)
    return ReviewedFiles(Path(target.path).resolve(), files.folder, Path.cwd().resolve(), files.text)


def other_target(target: Target, options: argparse.Namespace) -> Target | None:
    """Returns the target to compare with: the same but for --against and --against-…; None without these."""
    if not _given(options, "--against"):
        return None
    from texelscope.pipeline.importers.registry import applicable

    changed = {
        name: value
        for name, value in (("layout", options.against_layout), ("precision", options.against_precision))
        if value is not None
    }
    path = options.against if options.against is not None else target.path
    inputs = {} if options.against is not None else target.inputs
    return Target(path, dataclasses.replace(applicable(path, target.options), **changed), inputs)


def print_difference(target: Target, other: Target) -> int:
    """Prints the table of a run against that of another target; returns the exit code."""
    from texelscope.pipeline.commands.diff import MATCH, MISMATCH
    from texelscope.pipeline.runs.against import against_target
    from texelscope.pipeline.runs.difference import DIFFERENT
    from texelscope.pipeline.runs.table import render

    found = against_target(target, other, {})
    show(render(found, terminal_width()))
    return MISMATCH if found.sameness in DIFFERENT else MATCH


def _sensitivity(target: Target, options: argparse.Namespace) -> int:
    """Measures what half precision of each pass alone does to the outputs."""
    from texelscope.pipeline.commands.diff import MATCH
    from texelscope.pipeline.compare.comparer import Comparer
    from texelscope.pipeline.opening import open_and_run
    from texelscope.pipeline.sensitivity.effects import render, sensitivity

    with open_and_run(target) as session:
        plan = session.plan
        inputs = {plan.textures[key].tensor: session.tensor(key) for key in plan.inputs}
        found = sensitivity(session, Comparer(plan).expected(inputs), _tell)
    report_texts(options, lambda: render(found, terminal_width()), json=lambda: found.as_json() + "\n")
    return MATCH


def _tell(share: float) -> None:
    """Prints the progress in a line of a terminal that is overwritten."""
    if sys.stderr.isatty():
        print(f"\r{share:.0%} " if share < 1.0 else "\r      \r", end="", file=sys.stderr, flush=True)


# The options that replace the comparison with the oracle, and their functions.
MODES: tuple[tuple[Callable[[argparse.Namespace], bool], Callable[[Target, argparse.Namespace], int]], ...] = (
    (lambda options: bool(options.sensitivity), _sensitivity),
    (lambda options: bool(options.golden or _given(options, "--against")), _runs),
)
