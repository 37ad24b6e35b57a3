"""Derives findings from a repair: each edit by its text, by the reads that it changes, and by a number's role.

A cause's row says what contradicts and what confirms it: `pipeline.diagnose.causes`. A number in the nodes of a pass
 is a weight, a constant of an activation, an epsilon or a factor.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from texelscope.pipeline.compare.judge import WHOLE
from texelscope.pipeline.compare.repairs import LineEdit, Repair
from texelscope.pipeline.compare.report import Finding
from texelscope.pipeline.diagnose import causes
from texelscope.pipeline.diagnose.causes import Cause
from texelscope.pipeline.diagnose.hypotheses.registry import causes_where
from texelscope.pipeline.graph import Graph, Node
from texelscope.pipeline.operators.families.registry import facts_of
from texelscope.pipeline.plan import Pass, Plan, ProgramSource, StoredTensor
from texelscope.pipeline.repair.classify.edit_words import (
    are_exchanged,
    asks_for_steps,
    holds,
    is_half,
    is_of_lanes,
    is_of_numbers,
    is_summand_moved,
    multiplies,
    puts_in,
    started,
    statements_exchanged,
    takes_a_function_away,
    takes_off,
    written,
)
from texelscope.pipeline.repair.classify.meaning import Meaning, done_otherwise, is_the_largest_of, meaning, meanings
from texelscope.pipeline.repair.model_numbers import nodes_of
from texelscope.pipeline.repair.read_diff import Reading, Readings

Role = Literal["weight", "alpha", "epsilon", "scale"]
# A factor that changes nothing.
_OF_A_FACTOR = 1.0
# The precision with which people write numbers.
_NEAR = 1e-4
# An epsilon, which keeps a division from zero, is at most this.
_SMALL = 0.1
# For each class of edits: the cause, its description, and the remedy.
BY_MEANING: Mapping[Meaning, tuple[Cause, str, str]] = {
    "element": (causes.INDEX_MAP, "this line reads another element", "Compute the index as the repair does."),
    "tensor": (causes.WRONG_INPUT, "this line reads another sampler", "Read the sampler that the repair reads."),
    "partner": (
        causes.WRONG_PARTNER,
        "this line uses a value that belongs elsewhere",
        "Use the value that the repair uses.",
    ),
    "before": (
        causes.ACTIVATION_BEFORE_BIAS,
        "this line applies a function before the sum is complete",
        "Add first, as the repair does.",
    ),
    "set": (causes.MISSING_CHANNELS, "this line assigns a sum instead of adding to it", "Add, as the repair does."),
    "more turns": (causes.MISSING_CHANNELS, "this loop ends too early", "End the loop where the repair does."),
    "fewer turns": (causes.DOUBLE_COUNTED, "this loop runs too often", "Run it as often as the repair does."),
    "function": (causes.WRONG_FUNCTION, "this line calls another function", "Call the function that the repair calls."),
    "number": (causes.WRONG_LITERAL, "this line has another number", "Write the number that the repair has."),
    "applied": (causes.ACTIVATION_MISSING, "this line omits a function", "Apply it as the repair does."),
    "taken away": (causes.ACTIVATION_EXTRA, "this line applies a function that the model does not have", "Remove it."),
    "count": (causes.AVERAGE_COUNT, "this line divides by another count", "Divide by the count that the repair has."),
    "epsilon": (causes.EPSILON, "this line has another epsilon, or has it elsewhere", "Write it as the repair does."),
    "lanes": (causes.DROPPED_LANE, "this line omits lanes of a vector", "Use all lanes, as the repair does."),
    "left out": (
        causes.MISSING_TAPS,
        "this line omits a value that was read for it",
        "Use each read once, as the repair does.",
    ),
    "setting": (causes.WRONG_LITERAL, "this line has another number", "Write the number that the repair has."),
    "filter": (causes.WRONG_FUNCTION, "this line has another filter", "Filter as the repair does."),
    "wrap": (causes.PADDING_MODE, "this line has another wrap mode", "Wrap as the repair does."),
    "order": (causes.WRONG_LAYOUT, "this line has the elements in another order", "Order them as the repair does."),
    "layout": (causes.WRONG_LAYOUT, "this line gives a tensor another layout", "Use the repair's layout."),
    "size": (causes.INDEX_MAP, "this line has the size of something else", "Use the repair's size."),
    "half": (causes.HALF_PRECISION, "this line stores the result in half precision", "Store it in float32."),
    "bytes": (causes.QUANTIZED_8BIT, "this line stores the result in 256 steps", "Store it in float32 or float16."),
    "turned": (causes.FILTER_IO_SWAP, "this line has a matrix on the other side", "Multiply as the repair does."),
    "factor": (causes.SCALE, "this line has another factor", "Multiply as the repair does."),
    "sign": (causes.SCALE, "this line has another sign", "Write the sign that the repair has."),
    "across": (
        causes.KERNEL_TRANSPOSE,
        "this line confuses rows and columns of a window",
        "Count them as the repair does.",
    ),
    "guard": (causes.EXTRA_CHANNELS, "this line adds values beyond the last one", "Add only where the repair does."),
    "steps": (causes.STRIDE, "this line includes values between two steps", "Leave them out, as the repair does."),
    "reset": (causes.ACCUMULATOR_NOT_RESET, "a sum is not reset", "Reset it where the repair does."),
    "capped": (causes.CLAMPED_0_1, "this line clamps a value to 0 … 1", "Remove the clamp."),
    "summand": (causes.BIAS_MISSING, "this line omits an addend", "Add it, as the repair does."),
    "set in the file": (
        causes.UNSET_UNIFORM,
        "the pipeline file does not set this uniform, which is 0",
        "Set it in the pipeline file.",
    ),
    "half texel": (causes.HALF_TEXEL, "this line is off by half a texel", "Add it, or omit it, as the repair does."),
}
# If the repair's text has no class: how the pass's reads differ from the repaired pass's.
BY_READING: Mapping[Reading, tuple[Cause, str, str]] = {
    "alike": (causes.WRONG_FUNCTION, "this line does something else with the values read", "Do what the repair does."),
    "left out": (causes.MISSING_TAPS, "some values of an element are not read", "Read what the repair reads."),
    "other channels left out": (
        causes.MISSING_CHANNELS,
        "some channels are not read",
        "Read those that the repair reads.",
    ),
    "too many": (
        causes.EXTRA_CHANNELS,
        "more values are read for an element than it has",
        "Stop where the repair does.",
    ),
    "no bias": (causes.BIAS_MISSING, "a bias is not read", "Add it, as the repair does."),
    "unread": (causes.MISSING_TAPS, "some values of an element are not read", "Read what the repair reads."),
    "a bias twice": (causes.BIAS_DOUBLED, "a bias is read more than once", "Add it once, as the repair does."),
    "twice": (causes.DOUBLE_COUNTED, "the same value is read more than once", "Read it as often as the repair does."),
    "beyond": (causes.PADDING_MODE, "a read lies beyond the border", "Omit what the repair omits."),
    "past the tile": (causes.TILE_BLEED, "a read lies beyond the tile", "Stay inside, as the repair does."),
    "another bias": (causes.BIAS_OFFSET, "another bias is added", "Add the bias that the repair adds."),
    "moved": (causes.SHIFT, "all reads are some texels off", "Read where the repair does."),
    "other steps": (causes.STRIDE, "the reads move by other steps", "Move by the repair's steps."),
    "other distances": (causes.DILATION, "the reads are at other distances", "Read at the repair's distances."),
    "elsewhere": (causes.INDEX_MAP, "other elements are read", "Read those that the repair reads."),
    "another tensor": (causes.WRONG_INPUT, "another tensor is read", "Read the tensor that the repair reads."),
}
_OF_PLACES: frozenset[Reading] = frozenset(
    {"another bias", "moved", "other steps", "other distances", "past the tile", "beyond"}
)
_OTHERS: frozenset[Reading] = frozenset({"elsewhere", "another tensor", "a bias twice"})
_OF_LOOPS: frozenset[Reading] = frozenset({"left out", "other channels left out", "too many", "twice"})
# For each class of edits the changes of reads that are more specific: an element's place, a number's meaning.
READ_FIRST: Mapping[Meaning, frozenset[Reading]] = {
    "element": _OF_PLACES,
    "partner": _OF_PLACES,
    "function": _OF_PLACES | {"elsewhere"},  # of a place
    "number": _OF_PLACES | _OTHERS,
    **dict.fromkeys(("setting", "size", "more turns", "fewer turns"), _OF_PLACES | _OF_LOOPS | _OTHERS),
}
# A replaced number's role in the model.
BY_ROLE: Mapping[Role, tuple[Cause, str, str]] = {
    "weight": BY_MEANING["number"],
    "alpha": (
        causes.ALPHA,
        "this line has another constant of the activation",
        "Write the constant that the repair has.",
    ),
    "epsilon": BY_MEANING["epsilon"],
    "scale": (causes.SCALE, "this line has another factor", "Write the factor that the repair has."),
}
# Without a window over a picture the elements of a row are not taps, and no border lies beyond its end.
OF_ROWS: Mapping[Cause, Cause] = {
    causes.MISSING_TAPS: causes.MISSING_CHANNELS,
    causes.PADDING_MODE: causes.EXTRA_CHANNELS,
    causes.STRIDE: causes.INDEX_MAP,
    causes.DILATION: causes.INDEX_MAP,
    causes.KERNEL_TRANSPOSE: causes.INDEX_MAP,
    causes.SHIFT: causes.INDEX_MAP,
}
# Changes of reads that an omitted factor may cause.
_UNREAD = frozenset[Reading | None]({"unread", "left out", "other channels left out", "no bias"})
# No window, or one of multiplied rows.
_NO_WINDOW = (None, "product")
# The axes of a batch of pictures.
_AXES = 4


def role_of(plan: Plan, shader_pass: Pass, number: float | None) -> Role | None:
    """Returns the role that a number has in the model's part of a pass; None if it has no known role.

    A number that no node has is a constant of an activation that is written out, if the pass has one.
    """
    graph = plan.graph
    if graph is None or number is None:
        return None
    nodes = nodes_of(plan, shader_pass)
    for node in nodes:
        if (role := _in_attributes(node, number) or _as_scalar(graph, node, number)) is not None:
            return role
    if any(_is_among(graph, node, number) for node in nodes):
        return "weight"
    return "alpha" if any(facts_of(node).is_activation for node in nodes) else None


def _in_attributes(node: Node, number: float) -> Role | None:
    names = [name for name, value in node.attributes.items() if isinstance(value, float) and _is_near(value, number)]
    if "epsilon" in names:
        return "epsilon"
    facts = facts_of(node)
    return "alpha" if names and (facts.is_activation or {*names} & {*facts.shaped_by}) else None


def _as_scalar(graph: Graph, node: Node, number: float) -> Role | None:
    """Returns its role as a constant of one element among a node's inputs."""
    values = {name: graph.constants[name] for name in node.inputs if name in graph.constants}
    if not any(value.size == 1 and _is_near(float(value.reshape(-1)[0]), number) for value in values.values()):
        return None
    facts = facts_of(node)
    if facts.is_activation:
        return "alpha"
    if facts.adds:
        users = [other for other in graph.nodes if {*node.outputs} & {*other.inputs}]
        is_below = bool(users) and not any(facts_of(other).adds for other in users)
        return "epsilon" if is_below and abs(number) <= _SMALL else None
    return "scale" if facts.pointwise and _OF_A_FACTOR in facts.neutral else None


def _is_among(graph: Graph, node: Node, number: float) -> bool:
    arrays = (graph.constants[name] for name in node.inputs if name in graph.constants)
    return any(
        value.size > 1 and value.dtype.kind == "f" and bool(np.isclose(value, number, rtol=_NEAR, atol=0.0).any())
        for value in arrays
    )


def _is_near(one: float, other: float) -> bool:
    return bool(np.isclose(one, other, rtol=_NEAR, atol=0.0))


@dataclass(frozen=True)
class EditFinding:
    """An edit with the finding that it implies, or None, and the causes that it contradicts."""

    edit: LineEdit
    finding: Finding | None
    at_odds: frozenset[str]


class SaidByRepair:
    """The findings that repairs of one pass imply."""

    def __init__(self, program: ProgramSource, plan: Plan, shader_pass: Pass) -> None:
        """`program` is the wrong one that `shader_pass` ran."""
        self._program, self._plan, self._pass = program, plan, shader_pass
        nodes = nodes_of(plan, shader_pass)
        self._operators = frozenset(node.op_type for node in nodes)
        read, made = [plan.textures[key] for key in shader_pass.reads], plan.textures[shader_pass.output]
        self._has_window = (
            plan.graph is None and any(_is_a_picture(one) or _is_wider(made, one) for one in read)
        ) or any(facts.window not in _NO_WINDOW or facts.may_move for facts in map(facts_of, nodes))

    def by_edit(self, repairs: Sequence[Repair], readings: Readings) -> tuple[EditFinding, ...]:
        """Returns each edit of the shortest of some repairs with its finding.

        `readings` belong to that repair. If other repairs differ in class, the text of its only edit decides nothing.
        """
        return self._by_edit(repairs, readings, repairs[0])

    def of_half(self, repairs: Sequence[Repair], readings: Readings) -> Finding | None:
        """Returns the finding of edits that fix one of two faults, if all lines of the shortest of them agree."""
        found = [of.finding for of in self._by_edit(repairs, readings, None)]
        return found[0] if len({each.cause if each is not None else None for each in found}) == 1 else None

    def _by_edit(self, repairs: Sequence[Repair], readings: Readings, mends: Repair | None) -> tuple[EditFinding, ...]:
        read = dict(readings)
        said = meanings(self._program, repairs[0], self._operators)
        if len(said) == 1:
            meant = meaning(self._program, repairs, self._operators)
            is_one_of = meant == "partner" and self._is_otherwise_by(repairs[1:])
            said = ((said[0][0], None if is_one_of else meant),)
        goes = takes_a_function_away(repairs[0])
        if are_exchanged(repairs[0]) and {meant for _, meant in said} <= {None, "partner"}:
            said, read = tuple((edit, statements_exchanged(repairs[0]) or "partner") for edit, _ in said), {}
        if is_summand_moved(repairs[0]):
            said, read = tuple((edit, "before") for edit, _ in said), {}
        found = []
        for edit, meant in said:
            reading = read.get(edit)
            told = self._closer(edit, meant, reading)
            cause, odds = self._cause(edit, told, reading), _at_odds(edit, told, reading, goes=goes)
            found.append(EditFinding(edit, finding(cause, edit, mends) if cause is not None else None, odds))
        return tuple(found)

    def _is_otherwise_by(self, repairs: Sequence[Repair]) -> bool:
        """Whether one of some single-line repairs changes more than the partner of a value."""
        edits = [repair.edits[0] for repair in repairs if len(repair.edits) == 1]
        return any(done_otherwise(self._program, edit, self._operators) not in (None, "partner") for edit in edits)

    def _closer(self, edit: LineEdit, said: Meaning | None, read: Reading | None) -> Meaning | None:
        """Returns an edit's class by its text, or a more specific one by the reads."""
        if read not in (None, "alike") and is_half(edit):
            return "half texel"
        if said is None and (read == "alike" or read in _UNREAD) and (begun := started(edit)) is not None:
            return "function" if is_the_largest_of(self._program, begun) else "summand"
        if said is None and read in _UNREAD and (multiplies(edit) or holds(edit)):
            return "factor" if multiplies(edit) else "function"
        if said is None and (read == "unread" or (read == "left out" and takes_off(edit))) and puts_in(edit):
            return "summand"
        if said is None and read == "too many" and asks_for_steps(edit):
            return "steps"
        if said is not None or read != "alike":
            return said
        found = done_otherwise(self._program, edit, self._operators)
        if is_of_lanes(edit) and found != "count":
            return "element"
        number = written(edit)
        return found or ("number" if number is not None and not number.is_integer() else None)

    def _cause(self, edit: LineEdit, said: Meaning | None, read: Reading | None) -> tuple[Cause, str, str] | None:
        """Returns cause, description and remedy of one edit; None if neither its text nor the reads have a class."""
        by_reading = BY_READING[read] if read is not None else None
        if by_reading is not None and (said is None or read in READ_FIRST.get(said, ())):
            found = by_reading
        elif said is None:
            return None
        else:
            role = role_of(self._plan, self._pass, written(edit)) if said == "number" else None
            found = BY_ROLE[role] if role is not None else BY_MEANING[said]
        is_of_rows = not self._has_window and not (read == "beyond" and holds(edit))
        return (OF_ROWS.get(found[0], found[0]), *found[1:]) if is_of_rows else found


def findings_of(each: Sequence[EditFinding], alone: Mapping[LineEdit, Sequence[Finding]]) -> tuple[Finding, ...]:
    """Returns the findings of some edits, one for each cause; none if one of them has none.

    A finding made with an edit's fault `alone` comes first, unless the edit contradicts it.
    """
    found: dict[str, Finding] = {}
    for of in each:
        whole = [one for one in alone.get(of.edit, ()) if one.explained >= WHOLE and one.cause not in of.at_odds]
        first = whole[0] if whole else of.finding
        if first is None:
            return ()
        found.setdefault(first.cause, first)
    return tuple(found.values())


def _at_odds(edit: LineEdit, said: Meaning | None, read: Reading | None, *, goes: bool) -> frozenset[str]:
    """Returns causes that an edit contradicts; `goes` says whether a nonlinear function is removed."""
    by_text = causes_where(lambda each: said in each.denied_by_edits)
    if multiplies(edit):
        by_text |= causes_where(lambda each: each.is_of_sums) - (
            frozenset({causes.BIAS_DOUBLED.name}) if is_of_numbers(edit) else frozenset()
        )
    by_reading = causes_where(lambda each: read in each.denied_by_reads)
    if written(edit) is not None:  # a number may stand for values beyond a border
        by_reading -= {causes.PADDING_MODE.name}
    return by_text | by_reading | (frozenset() if goes else causes_where(lambda each: each.bends_values))


def _is_a_picture(stored: StoredTensor) -> bool:
    return len(stored.shape) == _AXES and min(stored.shape[2:]) > 1


def _is_wider(made: StoredTensor, read: StoredTensor) -> bool:
    """Whether a tensor is larger along each axis than another one, as with a border around it."""
    sizes = zip(made.shape, read.shape, strict=False)
    return 1 < len(made.shape) == len(read.shape) and all(more > size for more, size in sizes)


def finding(said: tuple[Cause, str, str], edit: LineEdit, repair: Repair | None) -> Finding:
    """Returns the finding for an edit: cause, description and remedy; without `repair` it fixes one of two faults."""
    cause, says, remedy = said
    return Finding(
        cause=cause.name,
        parameters={"before": (edit.before or "").strip(), "after": (edit.after or "").strip()},
        explained=1.0,
        residual=0.0,
        shader=edit.file,
        line=edit.line,
        evidence=f"{says}: {_mended(repair)}.",
        remedy=remedy,
    )


def _mended(repair: Repair | None) -> str:
    if repair is None:
        return "with this line changed, a single cause explains all remaining errors"
    together = "" if len(repair.edits) == 1 else " of this and other lines"
    return f"with the repair{together}, all {repair.elements:,} elements match, on {repair.inputs_tried} inputs"
