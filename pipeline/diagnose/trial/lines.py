"""Finds the line of the shader to which a finding points: the wrong read, or the wrong statement."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from texelscope.pipeline.diagnose.trial.failing_pass import FailingPass
from texelscope.pipeline.diagnose.trial.hypothesis import LineOf, nowhere
from texelscope.pipeline.glsl.lines import GENERATED, Line
from texelscope.pipeline.glsl.semantics.expressions import FunctionCall
from texelscope.pipeline.glsl.semantics.statements import ParameterMacro

_MACRO, _BENDS = re.compile(r"#\s*define\s+(\w+)\([^)]*\)(.*)", re.DOTALL), re.compile(r"\b(?:max|min|abs|clamp)\(")
# The location and the name of a fragment shader's output.
_LOCATED = re.compile(r"layout\s*\(\s*location\s*=\s*(\d+)\s*\)\s*out\s+\w+\s+(\w+)")
# Endings of names that belong to the other axis.
_OTHER_AXIS = {"x": ("y", "top", "bottom", "height", "rows"), "y": ("x", "left", "right", "width", "columns")}


def behind_supplied(case: FailingPass, line: Line | None, *, fewest: bool = False) -> Line | None:
    """Returns `line`, or the author's call that leads to it, through an engine's functions or an accessor.

    Of several calls the one in most loops, or in `fewest`.
    """
    program = case.evidence.program
    if line is None or line[0] == GENERATED:
        return line
    is_supplied = program.files and line[0] == program.files[0].path and line[1] <= program.supplied_lines
    return _last(case.text.called_behind(line, program.supplied_lines if is_supplied else 0, fewest=fewest)) or line


def read(tensor: str | None = None) -> LineOf:
    """Finds the read of `tensor` (by default the first input that is no constant), a wrong one if recorded."""

    def find(case: FailingPass) -> Line | None:
        found = _read_tensor(case, tensor)
        if found is None:
            return result(case)
        recorded = _recorded(case, found.values.stored.key)
        handed_over = case.text.passed(found.sampler.uniform)
        if recorded is not None and handed_over and case.text.called_behind(recorded):
            recorded = handed_over[-1]  # an accessor of several samplers
        return recorded or _first(case.text.reads(found.sampler.uniform)) or result(case)

    return find


def result(case: FailingPass) -> Line | None:
    """Finds the last statement that assigns the output."""
    lines = case.text.results(_output_name(case))
    return lines[-1] if lines else None


def built_in_output(case: FailingPass) -> Line | None:
    """Finds the last statement that writes an output which the language has, as gl_FragColor."""
    return _last((*case.text.mentions("gl_FragColor"), *case.text.mentions("gl_FragData")))


def declared_output(case: FailingPass) -> Line | None:
    """Finds the declaration of the first output."""
    return _first(tuple(sorted(line for name in case.text.outputs for line in case.text.mentions(name)[:1])))


def _output_name(case: FailingPass) -> str:
    """Returns the shader's name of the output, if it has several and declares their locations."""
    each = case.evidence.shader_pass
    if each.dispatch is not None:
        blocks = {binding.key: binding.block for binding in each.dispatch.buffers}
        return (
            blocks.get(each.output) or {binding.key: binding.uniform for binding in each.dispatch.images}[each.output]
        )
    located = dict(_LOCATED.findall(case.evidence.program.fragment)) if len(each.outputs) > 1 else {}
    return str(located.get(str(each.looked_at), ""))


def number(*values: float) -> LineOf:
    """Finds one of those numbers in the text, else the result."""
    return first(written(*values), result)


def written(*values: float) -> LineOf:
    """Finds one of those numbers in the text; numbers that occur everywhere do not count."""
    return first(*(_numbers(value) for value in values if abs(value) not in (0.0, 1.0)), nowhere)


def rooted(*values: float) -> LineOf:
    """Finds one of those numbers beside a root."""

    def find(case: FailingPass) -> Line | None:
        roots = case.text.calls("sqrt", "inversesqrt", "pow")
        return next((line for value in values for line in case.text.numbers(value) if line in roots), None)

    return find


def repeated(count: int, gap: int) -> LineOf:
    """Finds a statement written out `count` times in a row: the one after number `gap` - 1."""

    def find(case: FailingPass) -> Line | None:
        lines = case.text.repeated(count)
        return lines[min(gap, len(lines) - 1)] if lines else None

    return find


def call(*names: str) -> LineOf:
    """Finds a call of one of those functions, else the result."""
    return first(called(*names), result)


def called(*names: str) -> LineOf:
    """Finds a call of one of those functions, in the author's text before generated text; else nothing."""
    return lambda case: _last_authored(case.text.calls(*names))


def operators(*symbols: str) -> LineOf:
    """Finds the last line with one of those operators, in the author's text before generated text."""
    return first(lambda case: _last_authored(case.text.operators(*symbols)), result)


def summand(tensor: str | None = None) -> LineOf:
    """Finds where a read value is added to the sum, else the read of `tensor`."""
    return first(lambda case: _last_authored(case.text.summands()), read(tensor))


def asked(tensor: str | None = None) -> LineOf:
    """Finds the access to an element of `tensor`, the last in most loops: the call, if a function reads it."""

    def find(case: FailingPass) -> Line | None:
        found = _read_tensor(case, tensor)
        return _last_authored(case.text.uses(found.sampler.uniform)) if found is not None else None

    return first(find, read(tensor))


def handed(tensor: str | None = None, *, last: bool = False) -> LineOf:
    """Finds where the sampler of `tensor` is (first or last) passed to a function that reads, else the read."""

    def find(case: FailingPass) -> Line | None:
        found = _read_tensor(case, tensor)
        calls = case.text.passed(found.sampler.uniform) if found is not None else ()
        return (_last if last else _first)(calls)

    return first(find, read(tensor))


def addressed(tensor: str, *, weights: bool = False) -> LineOf:
    """Finds where the address in `tensor` is computed: where its sampler is passed on with it, else the access.

    For `weights` in a function of the author's own, where that reads them.
    """

    def find(case: FailingPass) -> Line | None:
        found = case.read_of(tensor)
        return _last_authored(case.text.passed(found.sampler.uniform)) if found is not None else None

    def own(case: FailingPass) -> Line | None:
        line = read(tensor)(case)
        return line if weights and line is not None and line[0] != GENERATED else None

    return first(find, own, asked(tensor))


def activation(case: FailingPass) -> Line | None:
    """Finds the nonlinear part: a choice by sign, or max, min, clamp and the like; the last before the result."""
    return first(_bend, result)(case)


def _bend(case: FailingPass) -> Line | None:
    lines = [line for line, text in case.text.conditions() if "0" in text and any(mark in text for mark in "<>")]
    bends = (*lines, *case.text.calls("max", "min", "clamp", "mix", "step"))
    return _last_authored(bends or case.text.calls("exp", "tanh", "abs"))


def before_sum(tensor: str) -> LineOf:
    """Finds the nonlinear part in a macro that reads, or elsewhere; else the read of `tensor`, if the pass reads it."""

    def in_macro(case: FailingPass) -> Line | None:
        return _last_authored(tuple(line for line, _, body in _macros(case) if _BENDS.search(body)))

    def where_read(case: FailingPass) -> Line | None:
        return read(tensor)(case) if tensor in case.model_slice.given else None

    return first(in_macro, _bend, where_read, result)


def macros_used(case: FailingPass, on: Iterable[Line]) -> tuple[Line, ...]:
    """Returns the macros that are called on some lines."""
    some = {*on}
    used = {text.partition("(")[0] for line, text in case.text.every(FunctionCall) if line in some}
    return tuple(line for line, name, _ in _macros(case) if name in used)


def _macros(case: FailingPass) -> Iterator[tuple[Line, str, str]]:
    """Yields line, name and body of macros with parameters."""
    for line, text in case.text.every(ParameterMacro):
        if (found := _MACRO.match(text)) is not None:
            yield line, found[1], found[2]


def target(case: FailingPass) -> Line | None:
    """Finds where the shader computes the element of its texel; if that is the layout's own text, a read."""
    stored = case.output
    if case.text.contains(stored.layout.glsl_element_at(stored.shape, "Y_element")):
        return read()(case)
    return first(
        lambda case: _last(case.text.returns_of("Y_element")),
        lambda case: _last(case.text.mentions("gl_FragCoord")),
        result,
    )(case)


def precision(case: FailingPass) -> Line | None:
    """Finds where the shader declares its precisions."""
    return _last(case.text.precisions())


def discard(case: FailingPass) -> Line | None:
    """Finds where fragments are discarded."""
    return _last(case.text.discards())


def division(case: FailingPass) -> Line | None:
    """Finds the division of the result: among the statements that compute it, else the last division."""
    lines = case.text.operators("/")
    made = (*case.text.results(), *case.text.returns())
    results = [line for line in lines if line in made and line[0] != GENERATED]
    return _last(tuple(results)) or _last_authored(lines) or result(case)


def setting(words: tuple[str, ...], value: float, axis: str = "") -> LineOf:
    """Finds a constant with one of `words` in its name and that value; for `axis` "x" or "y" not the other axis."""
    other = _OTHER_AXIS.get(axis, ())
    return lambda case: _first(case.text.settings(words, value, other))


def sum_or_result(case: FailingPass) -> Line | None:
    """Finds where something is added to the sum, else where the output is assigned."""
    return first(lambda case: _last_authored(case.text.summands()), result)(case)


def root_or_division(case: FailingPass) -> Line | None:
    """Returns the line of a root, else of a division: of a normalisation's divisor."""
    return first(called("sqrt", "inversesqrt", "pow"), division)(case)


def first(*finders: LineOf) -> LineOf:
    """Returns the first line that one of several finders finds."""

    def find(case: FailingPass) -> Line | None:
        return next((line for find in finders if (line := find(case)) is not None), None)

    return find


def _numbers(value: float) -> Callable[[FailingPass], Line | None]:
    return lambda case: _authored(case.text.numbers(value))


def _read_tensor(case: FailingPass, tensor: str | None):  # type: ignore[no-untyped-def]
    if tensor is not None:
        return case.read_of(tensor)
    reads = case.evidence.reads
    return next((each for each in reads if each.values.stored.role != "constant"), reads[0] if reads else None)


def _recorded(case: FailingPass, key: str) -> Line | None:
    """Returns the recorded read of `key` that was wrong most often."""
    counts: dict[Line, int] = {}
    for taps in case.evidence.taps:
        unexpected = taps.unexpected().get(key, frozenset())
        for tap in taps.reads:
            if tap.key == key:
                line = (tap.site.file, tap.site.line)
                wrong = bool(unexpected.intersection(tap.elements)) or tap.outside or (not tap.elements)
                counts[line] = counts.get(line, 0) + wrong
    return max(counts, key=lambda line: counts[line]) if counts else None


def _authored(lines: Iterable[Line]) -> Line | None:
    """Returns the author's line before a generated one."""
    lines = tuple(lines)
    return next((line for line in lines if line[0] != GENERATED), lines[0] if lines else None)


def _last_authored(lines: tuple[Line, ...]) -> Line | None:
    return _last(tuple(line for line in lines if line[0] != GENERATED) or lines)


def _first(lines: tuple[Line, ...]) -> Line | None:
    return lines[0] if lines else None


def _last(lines: tuple[Line, ...]) -> Line | None:
    return lines[-1] if lines else None
