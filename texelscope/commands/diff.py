"""`diff` compares every pass with the oracle, or a run with another run."""

from __future__ import annotations

import argparse
import dataclasses
from pathlib import Path
from typing import TYPE_CHECKING

from texelscope.arguments import add_target, named_target, runs, seconds, whole
from texelscope.diff_folder import is_many
from texelscope.diff_folder import run as run_folder
from texelscope.diff_modes import MODES, refuse_together, report_texts, reviewed_files
from texelscope.output import say, terminal_width, write_text
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.target import Target

if TYPE_CHECKING:
    from texelscope.pipeline.compare.report import Report

HELP = "run the target, compare every pass with the oracle, name the culprit"
DESCRIPTION = (
    "Exit code: 0 no pass is wrong (rounding by the storage is not wrong); 1 a pass is wrong, or differs from the "
    "golden, from --against or from run to run; 2 the target could not run or nothing could be compared. A folder is "
    "compared target by target: 1 if any is wrong, else 2 if any could not run."
)


def add(parser: argparse.ArgumentParser) -> None:
    """Adds the command's arguments."""
    add_target(parser, ".onnx file, pipeline.toml, or a folder of them")
    parser.add_argument(
        "--jobs",
        metavar="N",
        type=whole,
        help="compare N targets of a folder at once, each in its own process (default: one for each core)",
    )
    parser.add_argument("--json", metavar="FILE", help="write the report as JSON")
    parser.add_argument(
        "--html", metavar="FILE", help="write the report as one page to debug in: texels, reads and executions, offline"
    )
    parser.add_argument("--junit", metavar="FILE", help="write the report as JUnit XML, one test case per pass")
    parser.add_argument(
        "--sarif",
        metavar="FILE",
        help="write the findings as SARIF 2.1.0, with places relative to the current folder and repairs as fixes, for "
        "code review and editors",
    )
    parser.add_argument(
        "--fix",
        metavar="FILE",
        help="search longer for repairs of all wrong passes (20 seconds each) and write them as a unified diff, for "
        "patch -p1 or git apply in the target's folder; no other file is changed",
    )
    parser.add_argument(
        "--inject",
        metavar="SOURCE",
        nargs="?",
        const="",
        action="append",
        default=[],
        help="replace passes that cannot run by values, so that later passes run: TENSOR=FILE.npy, a folder of .npy "
        "files, oracle, onnxruntime (default: the oracle's, then ONNX Runtime's); repeatable",
    )
    parser.add_argument(
        "--captured",
        metavar="DIR",
        help="judge another program's dumped tensors instead of a run here (a folder with capture.json, or that file)",
    )
    parser.add_argument(
        "--frames",
        metavar="N",
        type=whole,
        help="compare N frames of a pipeline file, one after another, and show the first that is wrong (default: what "
        "the file says)",
    )
    parser.add_argument(
        "--native",
        action="store_true",
        help="also run each compute shader in WGSL as it is, without translation, and compare (pip install wgpu)",
    )
    _add_diagnosis(parser)
    _add_runs(parser)


def _add_diagnosis(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--diagnose", metavar="PASS", action="append", default=[], help="diagnose this wrong pass without a time limit"
    )
    parser.add_argument(
        "--diagnose-seconds",
        metavar="S",
        type=seconds,
        help="share S seconds out over the wrong passes, for their causes and repairs; 0: no diagnosis (default: a few "
        "passes, 10 seconds)",
    )
    parser.add_argument(
        "--sensitivity",
        action="store_true",
        help="instead of comparing, rank passes by how much half precision in each alone changes the outputs",
    )


def _add_runs(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("comparing runs")
    group.add_argument("--repeat", metavar="N", type=runs, help="run N times and report which passes change")
    group.add_argument("--save-golden", metavar="FILE", help="save this run's tensors in FILE (.npz)")
    group.add_argument("--golden", metavar="FILE", help="compare with a saved run, on its inputs, not with the oracle")
    group.add_argument("--against", metavar="TARGET", help="compare with a run of another target on the same inputs")
    group.add_argument("--against-layout", metavar="LAYOUT", help="compare with a run in another layout")
    group.add_argument(
        "--against-precision", choices=("float32", "float16"), help="compare with a run in another storage"
    )
    group.add_argument(
        "--tolerance",
        metavar="TENSOR=RTOL,ATOL",
        action="append",
        default=[],
        help="tolerance of a tensor, instead of its rounding bound or the golden's tolerance",
    )


def run(options: argparse.Namespace) -> int:
    """Prints or writes the report; returns `pipeline.commands.diff.exit_code` of it."""
    refuse_together(options)
    _settle(options)
    if is_many(options):
        return run_folder(options)
    if options.jobs is not None:
        raise TexelscopeError("--jobs", "a folder of targets", "one target", "Leave it out.")
    target = dataclasses.replace(named_target(options), inject=tuple(options.inject))
    for asked, mode in MODES:
        if asked(options):
            return mode(target, options)
    return _with_oracle(target, options)


def _with_oracle(target: Target, options: argparse.Namespace) -> int:
    from texelscope.pipeline.commands.arguments import parse_tolerances
    from texelscope.pipeline.commands.diff import ComparisonExtras, diff, exit_code, text
    from texelscope.pipeline.diagnose.naming import DiagnosisRequest

    with_page, with_patch = options.html is not None, options.fix is not None
    asked = DiagnosisRequest(tuple(options.diagnose), options.diagnose_seconds, with_patch)
    tolerances = parse_tolerances(options.tolerance)
    if options.captured is None:
        kept = Path(options.save_golden) if options.save_golden is not None else None
        extras = ComparisonExtras(asked, options.repeat or 1, kept, tolerances, say, options.frames, options.native)
        outcome, code_of = diff(target, with_page=with_page, extras=extras), exit_code
    else:
        from texelscope.pipeline.commands.captured import captured_exit_code, diff_captured

        path, code_of = Path(options.captured), captured_exit_code
        outcome = diff_captured(target, path, with_page=with_page, asked=asked, tolerances=tolerances)
    if outcome.page is not None:
        write_text(options.html, outcome.page)
    report, patch = outcome.report, outcome.patch
    if patch is not None:
        write_text(options.fix, patch.text)
        say(f"--fix {'' if options.fix == '-' else options.fix}: {patch.says}".replace("--fix :", "--fix:"))
    report_texts(
        options,
        lambda: text(report, terminal_width()),
        json=lambda: report.as_json() + "\n",
        junit=lambda: _junit(report),
        sarif=lambda: _sarif(report, target),
    )
    return code_of(report)


def _junit(report: Report) -> str:
    from texelscope.pipeline.export.junit import junit_of_report

    return junit_of_report(report)


def _sarif(report: Report, target: Target) -> str:
    from texelscope.pipeline.export.sarif import sarif_of_report

    return sarif_of_report(report, reviewed_files(target))


def _settle(options: argparse.Namespace) -> None:
    """Takes the word after a bare --inject as the target if there is none."""
    if options.target is None and options.inject:
        from texelscope.pipeline.injection.choosing import is_source

        if not is_source(options.inject[-1]):
            options.target, options.inject[-1] = options.inject[-1], ""
