"""Writes an execution and its sum as compact JSON, which a page inflates and steps through.

Texts and lines stand in tables, once each; steps and assignments are arrays whose order `templates/trace.js` knows.
Floats are the shortest decimals that read back as the same float32.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from texelscope.layouts.outside_text import in_json, printable
from texelscope.pipeline.export.live_page.packed import packed_bytes
from texelscope.pipeline.step_trace.sums import FragmentSum
from texelscope.pipeline.step_trace.terms import SumTerm
from texelscope.pipeline.step_trace.trace import Assigned, Number, TexelRead, Trace, TraceStep

# Returns the number of a file of the page by its path, and of a texture by its key; -1 for one that it lacks.
Numbered = Callable[[str], int]


def written_trace(
    trace: Trace, summed: FragmentSum | None, most_steps: int, file_of: Numbered, texture_of: Numbered
) -> str:
    """Returns the first `most_steps` steps of an execution, with its sum, deflated."""
    tables = _Tables()
    steps = trace.steps[:most_steps]
    last = steps[-1].number if steps else -1
    data = {
        "place": list(trace.place),
        "first": trace.first,
        "total": trace.total,
        "discarded": trace.discarded,
        "agrees": trace.agrees,
        "before": [_assigned(each, tables) for each in trace.before],
        "steps": [_step(each, tables, file_of, texture_of) for each in steps],
        "outputs": {printable(name): _numbers(value) for name, value in trace.outputs.items()},
        "given": _given(trace),
        "sum": None if summed is None else _sum(summed, last),
        "texts": tables.texts,
    }
    return packed_bytes(in_json(data, separators=(",", ":")).encode("ascii"))


class _Tables:
    """Gives each text a number, in the order of their first use."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def number(self, text: str) -> int:
        return self._numbers.setdefault(printable(text), len(self._numbers))

    @property
    def texts(self) -> list[str]:
        return list(self._numbers)


def _step(step: TraceStep, tables: _Tables, file_of: Numbered, texture_of: Numbered) -> list[Any]:
    row: list[Any] = [
        tables.number(step.text),
        file_of(step.line[0]),
        step.line[1],
        tables.number(step.function),
        step.call,
        step.depth,
        list(step.turns),
        [_assigned(each, tables) for each in step.assigned],
        [_read(each, tables, texture_of) for each in step.reads],
    ]
    if step.branch is not None or step.end:
        row += [step.branch, step.end, _numbers(step.returned)]
    return row


def _assigned(made: Assigned, tables: _Tables) -> list[Any]:
    return [
        tables.number(made.name),
        tables.number(made.type),
        _numbers(made.value),
        made.begun,
        tables.number(made.function),
        made.call,
    ]


def _read(read: TexelRead, tables: _Tables, texture_of: Numbered) -> list[Any]:
    lanes = read.lanes or (0, 1, 2, 3)
    return [
        texture_of(read.key),
        read.texel[0],
        read.texel[1],
        tables.number(read.uniform),
        _numbers([read.value[lane] for lane in lanes]),
        int(read.outside),
    ]


def _given(trace: Trace) -> list[list[Any]]:
    values = {**trace.uniforms, **trace.constants, "gl_FragCoord": trace.frag_coord}
    return [[printable(name), _numbers(value)] for name, value in values.items()]


def _sum(summed: FragmentSum, last: int) -> dict[str, Any]:
    """Returns the terms up to the last step; those that were never added may stand behind it."""
    terms = [term for term in summed.terms if term.step <= last]
    first = summed.first_wrong if summed.first_wrong is not None and summed.first_wrong < len(terms) else None
    return {
        "accumulator": printable(summed.accumulator),
        "reason": printable(summed.reason),
        "firstWrong": first,
        "terms": [_term(term) for term in terms],
    }


def _term(term: SumTerm) -> list[Any]:
    numbers = (term.value, term.weight, term.product, term.expected, term.running, term.expected_running)
    return [term.step, term.fault, printable(term.text), *(_number(each) for each in numbers)]


def _numbers(values: Sequence[Number]) -> list[Any]:
    return [_number(each) for each in values]


def _number(value: Number | None) -> Any:
    if value is None or isinstance(value, bool | int):
        return value
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    return float(str(np.float32(value)))
