"""Puts causes, figures and repairs into words for people; JSON has their names and numbers."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

from texelscope.layouts.outside_text import one_line
from texelscope.pipeline.compare.repairs import LineEdit, Repair, common_ends
from texelscope.pipeline.compare.report import LARGEST_RATIO, Figures, Finding, PassReport, Report
from texelscope.pipeline.short_text import cut

# Words for causes whose names are not readable alone.
_NAMES = {
    "clamped_0_1": "clamped to 0 … 1",
    "srgb_encoded": "sRGB encoded",
    "nan_source": "NaN source",
    "inf_source": "infinity source",
    "quantized_8bit": "quantized to 8 bits",
}
_WHERE = {"read": "where it reads", "stored": "where it stores"}


# By the values that a page's agree with, in a cell of a table; `neither` where this device's are right is no agreement.
_PAGE = {"both": "same", "device": "as here", "meaning": "as meant", "neither": "differs"}


def whole_words(report: Report) -> str:
    """Says what is known of the whole: of all frames, and end to end; empty without either."""
    parts = frames_words(report), report.end_to_end.message if report.end_to_end is not None else ""
    return " ".join(part for part in parts if part)


def beside_verdict(report: PassReport) -> str:
    """Returns what stands beside a verdict: ` (inherits)`, or ` (recorded)` where what was recorded is the oracle."""
    inherits = ["inherits"] if report.inherited else []
    recorded = ["recorded"] if report.compared_with == "recording" and report.isolated is not None else []
    words = ", ".join([*inherits, *recorded])
    return f" ({words})" if words else ""


def frames_words(report: Report) -> str:
    """Says of a run of several frames which one differs first, and which one is shown; empty for a single frame."""
    frames = report.frames
    if frames is None:
        return ""
    count = f"{frames.count} frames" if frames.count != 1 else "1 frame"
    if frames.count < frames.planned:
        count = f"{frames.count} of {frames.planned} frames, the last of which did not compute what the next one reads"
    if frames.first_mismatch is None:
        is_compared = any(each.verdict not in ("not_compared", "not_run") for each in report.passes)
        return f"{count}: {'none differs' if is_compared else 'nothing was compared'}. This is frame {frames.shown}."
    return f"{count}: frame {frames.shown} is the first that differs, in pass '{frames.first_mismatch.name}'."


def page_words(report: PassReport) -> str:
    """Says briefly whose values a recorded page's are; empty where they are unknown, or the oracle."""
    return _PAGE[report.page.agrees_with] if report.page is not None else ""


def native_words(report: PassReport) -> str:
    """Says briefly whether an untranslated run agrees with the run here; empty without one."""
    return report.native.agrees.replace("_", " ") if report.native is not None else ""


def cause_words(finding: Finding) -> str:
    """Names what is wrong, without its details: `half precision`."""
    return name_of_cause(finding.cause)


def name_of_cause(cause: str) -> str:
    """Returns the name that people read for a cause."""
    return _NAMES.get(cause, cause.replace("_", " "))


def detail_words(finding: Finding) -> str:
    """Formats the details of a cause: `where it reads`, `by (1, 0)`, `0.1 in place of 0.2`; empty without any."""
    left = dict(finding.parameters)
    if "map" in left and len(left) > 2:  # the evidence names the tensor and the map
        del left["map"]
        left.pop("tensor", None)
    if finding.repair is not None:  # the diff shows these lines
        left = {key: value for key, value in left.items() if key not in ("before", "after")}
    left.pop("settings", None)  # of uniforms, which the evidence names
    said = []
    if {"dx", "dy"} <= left.keys():
        said.append(f"by ({_value(left.pop('dx'))}, {_value(left.pop('dy'))})")
    if {"expected", "got"} <= left.keys():
        said.append(f"{_value(left.pop('got'))} in place of {_value(left.pop('expected'))}")
    if left.get("where") in _WHERE:
        said.append(_WHERE[left.pop("where")])
    if "sides" in left:
        said.append(f"beyond {_value(left.pop('sides'))}")
    others = ", ".join(f"{_named(key)} {_value(value)}" for key, value in left.items())
    return " ".join([*said, *([f"({others})"] if others else [])])


def finding_words(finding: Finding) -> str:
    """Formats cause and details together."""
    return f"{cause_words(finding)} {detail_words(finding)}".rstrip()


def ratio_words(ratio: float) -> str:
    """Formats an error relative to its rounding bound, as a clause."""
    if ratio == 0.0:
        return "none"
    if ratio <= 1.0:
        return f"{ratio:.2g} of what rounding explains"
    if ratio <= LARGEST_RATIO:
        return f"{grouped(ratio)} times what rounding explains"
    return "far beyond what rounding explains"


def relative_words(figures: Figures) -> str:
    """Formats the largest error over the expected value; relative to an expected 0 it has no number."""
    if math.isinf(figures.max_rel):
        return "expected 0" if math.isfinite(figures.max_abs) else "not finite"
    return _percent(figures.max_rel)


def _percent(share: float) -> str:
    if share == 0.0:
        return "0"
    if share < 1e-4:
        return f"{share:.1e}"
    if share < 0.1:
        return f"{share:.2%}".replace("%", " %")
    return f"{grouped(100.0 * share)} %" if share < 100.0 else f"{grouped(share)} times"


def grouped(number: float) -> str:
    """Formats a positive number in three digits, with thousands separators."""
    return f"{float(f'{number:.3g}'):,.0f}" if number >= 100.0 else f"{number:.3g}"


def _named(key: str) -> str:
    return key.replace("_", " ")


def _value(value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{_named(str(key))} {_value(each)}" for key, each in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(f"({_value(each)})" if isinstance(each, list | tuple) else _value(each) for each in value)
    return f"{value:.4g}" if isinstance(value, float) else str(value)


# Letters of code in a sentence; a diff has the whole line.
_MOST_LETTERS = 60
_TOKEN = re.compile(r"[A-Za-z_]\w*(?:\.\w+)*|\.?\d[\w.]*|\s+|[<>=!+\-*/%]=|&&|\|\||\+\+|--|.", re.DOTALL)
_OPENING = {")": "(", "]": "["}
_OPERATORS = frozenset((*"+-*/%=<>!&|^?:", "<=", ">=", "==", "!=", "+=", "-=", "*=", "/=", "%=", "&&", "||"))


def repair_words(repair: Repair, beside: str = "") -> str:
    """Describes the edits and their effect: `line 36: `a + 1.0` -> `a`; all 16,384 elements match, …`.

    Lines of the file `beside`, which the reader already sees, are given without its name.
    """
    edits = ", ".join(_placed(edit, beside) for edit in repair.in_file)
    return one_line(f"{edits}; {tried_words(repair)}")


def tried_words(repair: Repair) -> str:
    """Says on how many elements, inputs and sizes a repair was tried."""
    inputs = f", on {repair.inputs_tried} inputs" if repair.inputs_tried > 1 else ", on this input alone"
    sizes = f" and at {repair.sizes_tried} sizes" if repair.sizes_tried > 1 else ""
    sizes = ", at this size alone" if repair.sizes_not_tried else sizes
    return f"all {repair.elements:,} elements match{inputs}{sizes}"


def edit_words(edit: LineEdit) -> str:
    """Describes how the line changes, without its number."""
    if edit.before is None:
        return f"insert `{_short(edit.after or '')}` before it"
    if edit.after is None:
        return f"remove `{_short(edit.before)}`"
    old, new = changed(edit.before, edit.after)
    return f"`{_short(old)}` -> `{_short(new)}`"


def surety_words(finding: Finding) -> str:
    """Returns `sure`; `one of: shift, stride` where no evidence separates the causes; else empty."""
    if finding.one_of:
        causes = finding.one_of if finding.cause in finding.one_of else (finding.cause, *finding.one_of)
        return f"one of: {', '.join(causes)}"
    return "sure" if finding.sure else ""


def repairs_of(finding: Finding, repairs: Sequence[Repair]) -> tuple[Repair, ...]:
    """Returns the repairs of a finding: its own, then equally good ones of its pass; none where it has none."""
    own = finding.repair
    return () if own is None else (own, *(each for each in repairs if each != own))


def other_repairs(findings: Sequence[Finding], repairs: Sequence[Repair]) -> tuple[Repair, ...]:
    """Returns the repairs that no finding shows: all of them where nothing names the bug."""
    return () if any(finding.repair is not None for finding in findings) else tuple(repairs)


def changed(before: str, after: str) -> tuple[str, str]:
    """Returns the changed part of a line and its replacement, each readable code by itself."""
    old, new = _TOKEN.findall(before), _TOKEN.findall(after)
    start, end = common_ends(old, new)
    for _ in range(len(old) + len(new)):
        left, right = _wanting(old[start : len(old) - end]), _wanting(new[start : len(new) - end])
        to_left = (left[0] or right[0]) and start > 0
        to_right = (left[1] or right[1]) and end < len(old)
        if to_left:
            start = _operand_before(old, start)
        if to_right:
            end = len(old) - _operand_behind(old, len(old) - end)
        if not to_left and not to_right:
            break
    return tuple("".join(tokens[start : len(tokens) - end]).strip() for tokens in (old, new))  # type: ignore[return-value]


def _placed(edit: LineEdit, beside: str) -> str:
    file = "" if edit.file == beside else f"{edit.file} "
    return f"{file}line {edit.line}: {edit_words(edit)}"


def _short(code: str) -> str:
    return cut(" ".join(code.split()), _MOST_LETTERS)


def _wanting(tokens: Sequence[str]) -> tuple[bool, bool]:
    """Whether a piece needs more code at its left, and at its right, to be readable by itself."""
    said = [token for token in tokens if not token.isspace()]
    if not said:
        return True, False
    depth = lowest = 0
    for token in said:
        depth += (token in "([") - (token in ")]")
        lowest = min(lowest, depth)
    return said[0] in _OPERATORS or lowest < 0, said[-1] in _OPERATORS or depth > lowest


def _operand_before(tokens: Sequence[str], start: int) -> int:
    """Returns the start of the operand before `start`; a sign or a bracket counts as one."""
    at = start - 1
    while at > 0 and tokens[at].isspace():
        at -= 1
    opening, depth = _OPENING.get(tokens[at]), 0
    while opening is not None and at > 0:
        depth += (tokens[at] in _OPENING) - (tokens[at] in _OPENING.values())
        if depth == 0:
            return at - 1 if re.fullmatch(r"[\w.]+", tokens[at - 1]) else at
        at -= 1
    return max(at, 0)


def _operand_behind(tokens: Sequence[str], stop: int) -> int:
    """Returns the end of the operand at `stop`."""
    at = stop
    while at < len(tokens) - 1 and tokens[at].isspace():
        at += 1
    depth = 0
    if at + 1 < len(tokens) and tokens[at + 1] == "(" and re.fullmatch(r"[\w.]+", tokens[at]):
        at += 1
    while (at < len(tokens) and tokens[at] in "([") or depth > 0:
        if at >= len(tokens):
            return len(tokens)
        depth += (tokens[at] in "([") - (tokens[at] in ")]")
        at += 1
        if depth == 0:
            return at
    return min(at + 1, len(tokens))
