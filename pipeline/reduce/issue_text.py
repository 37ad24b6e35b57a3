"""Writes the text of an issue about a reduced failure, ready to be posted: Markdown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.layouts.outside_text import in_cell, in_code_block, in_code_span, in_markdown
from texelscope.pipeline.compare.report import Finding, PassReport, Report, ratio_text
from texelscope.pipeline.compare.words import surety_words, tried_words
from texelscope.pipeline.graph import Shape

# So many wrong elements are listed.
_MOST_ELEMENTS = 8


@dataclass(frozen=True)
class Sizes:
    """Compares a tensor's shape in the target with that in the folder."""

    tensor: str
    before: Shape
    now: Shape


@dataclass(frozen=True)
class IssueFacts:
    """The contents of an issue: `report` is the folder's, `expected` and `got` its output in logical shape.

    With `has_code` the folder holds functions, which run only where they are trusted.
    """

    target: str
    report: Report
    expected: NDArray[Any]
    got: NDArray[Any]
    wrong: NDArray[np.bool_]
    sizes: Sequence[Sizes]
    tried: str
    notes: Sequence[str]
    has_code: bool = False


def issue_text(facts: IssueFacts) -> str:
    """Returns the issue."""
    each = next(found for found in facts.report.passes if found.name == facts.report.culprit)
    parts = [
        f"# {in_markdown(title(each))}",
        _what(facts, each),
        _values(facts),
        _findings(each),
        _repairs(each),
        "## Reproduce",
        "In this folder, with Texelscope:",
        f"```console\ntexelscope diff pipeline.toml{' --trust' * facts.has_code}\n```",
        "## Sizes",
        _sizes(facts),
        *(f"- {in_markdown(note)}" for note in facts.notes),
        facts.tried,
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def title(each: PassReport) -> str:
    """Names the fault in a line."""
    name = in_cell(f"{each.operator} '{each.name}'")
    if each.findings:
        return f"{name}: {named(each.findings)}"
    return f"{name}: does not run" if each.verdict == "error" else f"{name}: {each.verdict}, not explained"


def named(findings: Sequence[Finding]) -> str:
    """Returns the first cause with its parameters."""
    first = findings[0]
    return f"{first.cause}{_parameters(first.parameters)}"


def shape_text(shape: Shape) -> str:
    """Formats a shape as tables do."""
    return "x".join(map(str, shape)) or "scalar"


def _parameters(parameters: Mapping[str, Any]) -> str:
    return f" ({', '.join(f'{name}={value}' for name, value in parameters.items())})" if parameters else ""


def _what(facts: IssueFacts, each: PassReport) -> str:
    lines = [
        f"- Pass: {in_markdown(each.operator)} {in_code_span(each.name)}",
        f"- Output: {shape_text(each.shape)} in {each.layout}",
        f"- Reduced from: {in_code_span(facts.target)}",
        f"- Device: {facts.report.device.renderer}, {facts.report.device.version}",
        f"- Verdict: {each.verdict}",
    ]
    if each.isolated is not None:
        figures = each.isolated
        lines.append(
            f"- Off by up to {figures.max_abs:.3g}, {ratio_text(figures.bound_ratio)} times what rounding explains, "
            f"in {figures.mismatched} of {figures.count} elements"
        )
    if each.message:
        lines.append(f"- {in_markdown(each.message)}")
    return "\n".join(lines)


def _values(facts: IssueFacts) -> str:
    places = np.argwhere(facts.wrong)
    if not len(places):
        return ""
    lines = ["| element | expected | got |", "|---|---|---|"]
    for place in places[:_MOST_ELEMENTS]:
        index = tuple(int(i) for i in place)
        lines.append(f"| {list(index)} | {float(facts.expected[index]):.8g} | {float(facts.got[index]):.8g} |")
    left = len(places) - _MOST_ELEMENTS
    return "\n".join(lines) + (f"\n\nand {left} more." if left > 0 else "")


def _findings(each: PassReport) -> str:
    if not each.findings:
        return ""
    lines = ["## Finding"]
    for found in each.findings:
        place = in_code_span(found.place)
        surety = surety_words(found)
        lines.append(
            f"**{found.cause}**{_parameters(found.parameters)} explains {found.explained:.1%}, {place}"
            f"{f' ({surety})' if surety else ''}: {in_markdown(found.evidence)} {in_markdown(found.remedy)}"
        )
    return "\n\n".join(lines)


def _repairs(each: PassReport) -> str:
    """Formats each repair as a diff, with the inputs it was tried on."""
    found = list(dict.fromkeys([*(one.repair for one in each.findings if one.repair is not None), *each.repairs]))
    parts = ["## Written otherwise it matches"] if found else []
    for repair in found:
        parts += [f"With this {tried_words(repair)}:", in_code_block(repair.diff, "diff")]
    return "\n\n".join(parts)


def _sizes(facts: IssueFacts) -> str:
    lines = ["| tensor | in the target | here |", "|---|---|---|"]
    lines += [f"| {in_code_span(e.tensor)} | {shape_text(e.before)} | {shape_text(e.now)} |" for e in facts.sizes]
    return "\n".join(lines)
