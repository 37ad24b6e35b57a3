"""Outcomes by operator, as text for a terminal and as the page `docs/operators.md`."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from onnx import defs

from tests.conformance.opsets import Tried
from tests.conformance.runner import Outcome
from tests.conformance.trials import DOMAINS
from texelscope.pipeline.model_file.written import described
from texelscope.pipeline.operators.families.registry import all_operators


@dataclass(frozen=True)
class Row:
    """One operator: its cases that passed of those that apply, its definition's likewise, and why others do not run.

    `opsets` are its versions, `sound` those of them in which every trial is right.
    """

    operator: str
    passed: int
    applicable: int
    defined_passed: int
    defined_applicable: int
    failed: int
    reasons: tuple[tuple[str, int], ...]
    opsets: tuple[int, ...] = ()
    sound: tuple[int, ...] = ()

    @property
    def complete(self) -> bool:
        """Whether it has cases that pass, and none that fails; one without any case is not proven."""
        return self.failed == 0 and self.passed > 0


def rows(outcomes: Iterable[Outcome], tried: Sequence[Tried] = ()) -> list[Row]:
    """A row for every operator with a case or a pass, by name."""
    by_operator: dict[str, list[Outcome]] = {name: [] for name in all_operators() if _versions(name)}
    for outcome in outcomes:
        by_operator.setdefault(outcome.operator, []).append(outcome)
    states: defaultdict[str, dict[int, bool]] = defaultdict(dict)
    for trial in tried:
        versions = states[trial.operator]
        versions[trial.version] = versions.get(trial.version, True) and not trial.problem
    return [_row(name, by_operator[name], states[name]) for name in sorted(by_operator)]


def _row(operator: str, outcomes: Sequence[Outcome], tried: Mapping[int, bool]) -> Row:
    def count(*statuses: str, expanded: bool) -> int:
        return sum(each.status in statuses and each.expanded == expanded for each in outcomes)

    ran = ("passed", "folded", "failed")
    reasons = Counter(each.reason for each in outcomes if each.status == "not_run")
    return Row(
        operator,
        count("passed", "folded", expanded=False),
        count(*ran, expanded=False),
        count("passed", "folded", expanded=True),
        count(*ran, expanded=True),
        count("failed", expanded=False) + count("failed", expanded=True),
        tuple(sorted(reasons.items())),
        tuple(sorted(_history()[operator])),
        tuple(sorted(version for version, sound in tried.items() if sound)),
    )


def text(found: Sequence[Row], outcomes: Sequence[Outcome], tried: Sequence[Tried] = ()) -> str:
    """The table for a terminal, failures last, so that they are in sight."""
    width = max(len(row.operator) for row in found)
    lines = [f"{'operator':{width}}  cases      by definition  not run"]
    for row in found:
        defined = f"{row.defined_passed}/{row.defined_applicable}" if row.defined_applicable else ""
        cases = f"{row.passed}/{row.applicable}" if row.applicable else "-"
        lines.append(f"{row.operator:{width}}  {cases:9}  {defined:13}  {_reasons(row)}".rstrip())
    lines.extend(f"FAILED {each.case}: {each.reason}" for each in outcomes if each.status == "failed")
    lines.append(summary(found, outcomes))
    return "\n".join([*lines, problems(tried), opset_summary(tried)] if tried else lines)


def problems(tried: Sequence[Tried]) -> str:
    """A line for each trial that is not right."""
    return "\n".join(f"FAILED {each.name}: {each.problem}" for each in tried if each.problem)


def opset_summary(tried: Sequence[Tried]) -> str:
    """One sentence with the totals of the trials."""
    versions = {(each.operator, each.version): True for each in tried}
    versions.update({(each.operator, each.version): False for each in tried if each.problem})
    right, operators = sum(versions.values()), {each.operator for each in tried}
    return (
        f"{len(operators)} operators in {len(versions)} versions of ONNX's schemas, {len(tried)} trials:"
        f" {right} versions are right in all, {len(versions) - right} are not."
    )


def summary(found: Sequence[Row], outcomes: Sequence[Outcome]) -> str:
    """One sentence with the totals."""
    states = Counter(each.status for each in outcomes)
    complete = sum(row.complete for row in found)
    return (
        f"{complete} operators complete. Of {len(outcomes)} cases {states['passed'] + states['folded']} run and pass"
        f" ({states['folded']} of them are known before the run), {states['failed']} fail,"
        f" {states['not_run']} do not run."
    )


def page(found: Sequence[Row], outcomes: Sequence[Outcome], tried: Sequence[Tried]) -> str:
    """`docs/operators.md`."""
    own = [row for row in found if row.operator in all_operators() and row.failed == 0]
    defined = [row for row in found if row.operator not in all_operators() and row.passed and row.failed == 0]
    rest = Counter(each.reason for each in outcomes if each.status == "not_run")
    return "\n".join(
        [
            _HEAD.format(summary=summary(found, outcomes), opsets=opset_summary(tried)),
            "## Operators that run as passes",
            "",
            "| operator | what it does | opsets | tried | cases | by definition | not run |",
            "|---|---|---|---|---|---|---|",
            *(_line(row, _cell(all_operators()[row.operator].describe())) for row in own),
            "",
            "## Operators that run as what ONNX defines them by",
            "",
            "ONNX says in terms of other operators what these do; the model is opened with those in their place.",
            "",
            "| operator | opsets | tried | cases | by definition | not run |",
            "|---|---|---|---|---|---|",
            *(_line(row) for row in defined),
            "",
            *(line for title, entries in described().items() for line in _written(title, entries)),
            "## Cases that do not run",
            "",
            "A model with a missing operator opens all the same: the passes before it run, it is shown as not run, and",
            "with the oracle's value in its place (`--inject`, or Ctrl+I in the window) those after it run too.",
            "",
            "| reason | cases |",
            "|---|---|",
            *(
                f"| {_cell(reason)} | {count} |"
                for reason, count in sorted(rest.items(), key=lambda item: (-item[1], item[0]))
            ),
            "",
        ]
    )


_HEAD = """# Operators

Written by `make conformance`; a change by hand is lost.

ONNX's own node cases are the judge. Every case whose inputs and outputs are numeric tensors goes through plan, passes
and read-back in `auto`, `channel_tiles`, `channel_tiles_rgba` and `row_major_rgba`; the result has to be what the case
expects (its rtol of 0.001 and atol of 1e-7; two units in the last place of a float16 or bfloat16) and every pass has to
match our own oracle within its rounding bound.

*Cases* are those of the operator itself, *by definition* those of the same operator written out in terms of others.
A fraction counts passed of applicable ones. A value *known before the run* becomes a constant of the plan.

{summary}

The cases are of the newest versions; models are of any. So every operator is tried at every opset that ever said
something of it, on small inputs: the oracle has to evaluate it, and every pass has to match. *Tried* counts the
versions in which all of that holds.

{opsets}
"""


def _written(title: str, entries: Mapping[str, str]) -> Iterator[str]:
    """A section of operators that are written in plain ones, each tested against its formula or ONNX Runtime."""
    yield from (f"## {title}", "", "A model is opened with plain operators in their place.", "")
    yield from ("| operator | what it does |", "|---|---|")
    yield from (f"| {name} | {_cell(line)} |" for name, line in sorted(entries.items()))
    yield ""


def _line(row: Row, *description: str) -> str:
    cells = (
        row.operator,
        *description,
        _versions(row.operator),
        _share(len(row.sound), len(row.opsets)),
        _share(row.passed, row.applicable),
        _share(row.defined_passed, row.defined_applicable),
        _cell(_reasons(row)),
    )
    return f"| {' | '.join(cells)} |"


def _versions(operator: str) -> str:
    return ", ".join(str(version) for version in sorted(_history()[operator]))


@cache
def _history() -> Mapping[str, set[int]]:
    """By operator, the opsets that say something of it."""
    found: defaultdict[str, set[int]] = defaultdict(set)
    for schema in defs.get_all_schemas_with_history():
        if schema.domain in DOMAINS and not schema.deprecated:
            found[schema.name].add(schema.since_version)
    return found


def _share(passed: int, applicable: int) -> str:
    return f"{passed} / {applicable}" if applicable else ""


def _reasons(row: Row) -> str:
    return ", ".join(f"{reason} ({count})" for reason, count in row.reasons)


def _cell(content: str) -> str:
    return content.replace("|", "\\|")
