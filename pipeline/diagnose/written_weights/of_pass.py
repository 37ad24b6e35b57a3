"""Compares the literals of one pass's shader with the weights of the model's part that it computes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.compare.repairs import LineEdit
from texelscope.pipeline.diagnose.hypotheses.literals import DifferingNumber, differing_numbers
from texelscope.pipeline.diagnose.written_weights.differing import MOST, Differing, WrittenNumber, differing_literals
from texelscope.pipeline.dialects.mpv.passes import ShaderPlan
from texelscope.pipeline.glsl.lines import Line, line_map
from texelscope.pipeline.glsl.number_literals import NumberLiterals, number_literals
from texelscope.pipeline.operators.families.registry import facts_of
from texelscope.pipeline.plan import Pass, Plan, ProgramSource
from texelscope.pipeline.repair.model_numbers import nodes_of
from texelscope.pipeline.repair.text.patch import row_edits

# A text with fewer literals has no weights.
_FEWEST = 4
# So many numbers that differ alike are no slips; how near alike is, among printed digits.
_ALIKE, _NEAR_PRINTED = 3, 1e-3
# How near a literal is to a number that was read from it.
_NEAR = 1e-6


@dataclass(frozen=True)
class LiteralRepair:
    """Literals that may be wrong, each with the model's number, and the edits of the author's lines that write it."""

    numbers: tuple[DifferingNumber, ...]
    places: tuple[Line, ...]
    edits: tuple[LineEdit, ...]


def has_literals(program: ProgramSource) -> bool:
    """Whether a shader's text may have weights as literals."""
    return bool(program.files) and len(number_literals(program.fragment)) >= _FEWEST


def literal_repairs(plan: Plan, shader_pass: Pass, program: ProgramSource) -> Iterator[LiteralRepair]:
    """Yields sets of literals to replace by the model's numbers, the likeliest first.

    `plan` has the graph of what the pass should compute.
    """
    text = _Text.of(program)
    for found in _found(plan, shader_pass, text):
        edits = row_edits(program, text.edited(found)) if not _is_of_all(found) else None
        if edits is not None:
            ordered = sorted(found, key=lambda each: each.literal)
            places = tuple(text.places[text.rows[each.literal]] for each in ordered)
            yield LiteralRepair(tuple(each.differing for each in ordered), places, edits)


@dataclass(frozen=True)
class _Text:
    """A program with its literals; `rows` has the row of each, `starts` where each row begins, `places` whose it is."""

    program: ProgramSource
    literals: NumberLiterals
    rows: NDArray[np.int64]
    starts: NDArray[np.int64]
    places: Sequence[Line]

    @classmethod
    def of(cls, program: ProgramSource) -> _Text:
        literals = number_literals(program.fragment)
        lengths = [len(line) + 1 for line in program.fragment.split("\n")]
        starts = np.concatenate([[0], np.cumsum(lengths)[:-1]]).astype(np.int64)
        rows = np.searchsorted(starts, literals.starts, "right") - 1
        return cls(program, literals, rows, starts, line_map(program))

    @property
    def lines(self) -> Sequence[int]:
        """Returns the line of each literal in its author's file."""
        return [self.places[row][1] for row in self.rows.tolist()]

    def edited(self, found: Differing) -> dict[int, str]:
        """Returns the rows of the text with the model's numbers, by index."""
        lines, replaced = self.program.fragment.split("\n"), dict[int, list[tuple[int, int, str]]]()
        for each in found:
            value, number = each.differing.wanted, each.literal
            is_turned = each.differing.written * self.literals.values[number] < 0.0  # the text takes it off
            for start, stop, new in self.literals.replaced(number, -value if is_turned else value):
                row = int(np.searchsorted(self.starts, start, "right")) - 1
                replaced.setdefault(row, []).append((start - int(self.starts[row]), stop - int(self.starts[row]), new))
        for row, parts in replaced.items():
            for start, stop, new in sorted(parts, reverse=True):
                lines[row] = lines[row][:start] + new + lines[row][stop:]
        return {row: lines[row] for row in replaced}


def _found(plan: Plan, shader_pass: Pass, text: _Text) -> Iterator[Differing]:
    by_network = _of_network(plan, shader_pass, text)
    if by_network is not None:
        yield by_network
    else:
        yield from differing_literals(weights_of(plan, shader_pass), text.literals, text.lines)


def _is_of_all(found: Differing) -> bool:
    """Whether several numbers differ alike: they are in another order, or all have the same factor.

    That is a fault of what surrounds them, or of whoever wrote all of them; it has other names.
    """
    if len(found) < _ALIKE:
        return False
    written, wanted = (np.array([getattr(each.differing, name) for each in found]) for name in ("written", "wanted"))
    with np.errstate(all="ignore"):
        ratios = written / wanted
    is_moved = np.allclose(np.sort(written), np.sort(wanted), rtol=_NEAR_PRINTED, atol=0.0)
    return bool(is_moved or np.ptp(ratios) <= _NEAR_PRINTED * np.abs(ratios).max())


def weights_of(plan: Plan, shader_pass: Pass) -> Mapping[str, NDArray[Any]]:
    """Returns the float constants of the nodes of a pass that no texture or buffer gives it, by name.

    A single number counts only where it is among the weights of a sum: others are slopes, bounds, factors.
    """
    if plan.graph is None:
        return {}
    read = {plan.textures[key].tensor for key in shader_pass.reads}
    found: dict[str, NDArray[Any]] = {}
    for node in nodes_of(plan, shader_pass):
        for name in node.inputs:
            value = plan.graph.constants.get(name)
            if value is None or name in read or value.dtype.kind != "f":
                continue
            if not np.isfinite(value.astype(np.float32)).all():
                continue
            if value.size > 1 or (value.size == 1 and facts_of(node).window is not None):
                found[name] = value
    return found


def _of_network(plan: Plan, shader_pass: Pass, text: _Text) -> Differing | None:
    """Returns the literals of a network's block that differ from the model's weights of the same names.

    None where the text is no network, or some literal cannot be told from others on its line.
    """
    if not isinstance(plan, ShaderPlan) or plan.graph is None:
        return None
    tensor = plan.textures[shader_pass.output].tensor
    differing = differing_numbers(plan, tensor, text.program, plan.graph.constants)
    if differing is None or not 0 < len(differing) <= MOST:
        return None if differing is None else ()
    of_line: dict[int, list[int]] = {}
    for number, line in enumerate(text.lines):
        of_line.setdefault(line, []).append(number)
    found = []
    for each in differing:
        size = abs(each.written)
        beside = ((number, abs(text.literals.values[number])) for number in of_line.get(each.line, ()))
        alike = [number for number, other in beside if abs(other - size) <= _NEAR * size]
        if len(alike) != 1:
            return None
        found.append(WrittenNumber(alike[0], each))
    return tuple(found)
