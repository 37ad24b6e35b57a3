"""Formats the outcomes of the cases by operator, as the last section of `docs/operators.md`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import moderngl
import onnxruntime

from tests.conformance.contrib.case import Case
from tests.conformance.contrib.cases import CASES
from tests.conformance.workers import shared_programs
from texelscope.pipeline.graph import CONTRIB_DOMAIN
from texelscope.pipeline.model_file.written import described_in

HEADING = "## Operators of ONNX Runtime"
_WORDS = """Exporters, quantisers and ONNX Runtime's own optimiser write operators of the domain `com.microsoft`. A
model with one of these is opened with ONNX's operators instead, and you can look at each of their
passes. A case passes if three results agree: the passes, ONNX Runtime {version}, and a numpy definition
of the operator that was written from its documentation alone. Every pass must also match our oracle.
Whole numbers may be off by one code if the documentation leaves the order of roundings open. Operators
that ONNX Runtime has only for other processors are compared with the definition. [Models](models.md)
that such tools wrote are run as a whole.
"""


@dataclass(frozen=True)
class Outcome:
    """Holds the problem of a case; nothing if it passes."""

    case: Case
    problem: str


def run(context: moderngl.Context, layouts: Sequence[str], cases: Iterable[Case] = CASES) -> list[Outcome]:
    """Runs the cases in each of the layouts."""
    with shared_programs(context):
        return [Outcome(case, _problem(case, context, layouts)) for case in cases]


def _problem(case: Case, context: moderngl.Context, layouts: Sequence[str]) -> str:
    try:
        return case.check(context, layouts)
    except Exception as error:  # noqa: BLE001
        return f"{type(error).__name__}: {error}"


def section(outcomes: Sequence[Outcome]) -> str:
    """Returns the section, with a row for each operator."""
    words = described_in(CONTRIB_DOMAIN)
    by_operator: dict[str, list[Outcome]] = {name: [] for name in sorted(words)}
    for outcome in outcomes:
        by_operator[outcome.case.op_type].append(outcome)
    judged = [outcome for outcome in outcomes if outcome.case.has_kernel]
    complete = [
        name for name, found in by_operator.items() if _passed(found) and all(not each.problem for each in found)
    ]
    return "\n".join(
        [
            HEADING,
            "",
            _WORDS.format(version=onnxruntime.__version__),
            f"{len(complete)} operators, {len({each.case.op_type for each in judged})} of them against ONNX Runtime:"
            f" {sum(not each.problem for each in judged)} of {len(judged)} cases pass.",
            "",
            "| operator | what it does | cases against ONNX Runtime | against the definition alone |",
            "|---|---|---|---|",
            *(f"| {name} | {_cell(words[name])} | {_share(found)} |" for name, found in by_operator.items()),
            "",
        ]
    )


def with_section(page: str, outcomes: Sequence[Outcome]) -> str:
    """Returns the page with that section at its end, in place of an older one."""
    return f"{page.split(HEADING)[0].rstrip()}\n\n{section(outcomes)}"


def failures(outcomes: Iterable[Outcome]) -> list[str]:
    """A line for each case that fails."""
    return [f"FAILED {each.case}: {each.problem}" for each in outcomes if each.problem]


def _passed(outcomes: Iterable[Outcome]) -> bool:
    return any(not each.problem for each in outcomes)


def _share(outcomes: Sequence[Outcome]) -> str:
    def share(found: Sequence[Outcome]) -> str:
        return f"{sum(not each.problem for each in found)} / {len(found)}" if found else "–"

    alone = [each for each in outcomes if not each.case.has_kernel]
    return f"{share([each for each in outcomes if each.case.has_kernel])} | {share(alone)}"


def _cell(content: str) -> str:
    return content.replace("|", "\\|")
