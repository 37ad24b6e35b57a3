"""Derives findings from a repair: each edit by its text and by the reads that it changes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from texelscope.pipeline.compare.judge import WHOLE
from texelscope.pipeline.compare.repairs import LineEdit, Repair
from texelscope.pipeline.compare.report import Finding
from texelscope.pipeline.diagnose.by_repair import (
    BY_MEANING,
    BY_READING,
    BY_ROLE,
    OF_ROWS,
    READ_FIRST,
)
from texelscope.pipeline.diagnose.number_roles import role_of
from texelscope.pipeline.diagnose.rules.registry import causes_where
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

# Changes of reads that an omitted factor may cause.
_UNREAD = frozenset[Reading | None]({"unread", "left out", "other channels left out", "no bias"})
# No window, or one of multiplied rows.
_NO_WINDOW = (None, "product")
# The axes of a batch of pictures.
_AXES = 4


@dataclass(frozen=True)
class OfEdit:
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

    def by_edit(self, repairs: Sequence[Repair], readings: Readings) -> tuple[OfEdit, ...]:
        """Returns each edit of the shortest of some repairs with its finding.

        `readings` belong to that repair. If other repairs differ in class, the text of its only edit decides nothing.
        """
        return self._by_edit(repairs, readings, repairs[0])

    def of_half(self, repairs: Sequence[Repair], readings: Readings) -> Finding | None:
        """Returns the finding of edits that fix one of two faults, if all lines of the shortest of them agree."""
        found = [of.finding for of in self._by_edit(repairs, readings, None)]
        return found[0] if len({each.cause if each is not None else None for each in found}) == 1 else None

    def _by_edit(self, repairs: Sequence[Repair], readings: Readings, mends: Repair | None) -> tuple[OfEdit, ...]:
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
            found.append(OfEdit(edit, finding(cause, edit, mends) if cause is not None else None, odds))
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

    def _cause(self, edit: LineEdit, said: Meaning | None, read: Reading | None) -> tuple[str, str, str] | None:
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


def findings_of(each: Sequence[OfEdit], alone: Mapping[LineEdit, Sequence[Finding]]) -> tuple[Finding, ...]:
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
    by_text = causes_where(lambda traits: said in traits.denied_by_edits)
    if multiplies(edit):
        by_text |= causes_where(lambda traits: traits.is_of_sums) - (
            frozenset({"bias_doubled"}) if is_of_numbers(edit) else frozenset()
        )
    by_reading = causes_where(lambda traits: read in traits.denied_by_reads)
    if written(edit) is not None:  # a number may stand for values beyond a border
        by_reading -= {"padding_mode"}
    return by_text | by_reading | (frozenset() if goes else causes_where(lambda traits: traits.bends_values))


def _is_a_picture(stored: StoredTensor) -> bool:
    return len(stored.shape) == _AXES and min(stored.shape[2:]) > 1


def _is_wider(made: StoredTensor, read: StoredTensor) -> bool:
    """Whether a tensor is larger along each axis than another one, as with a border around it."""
    sizes = zip(made.shape, read.shape, strict=False)
    return 1 < len(made.shape) == len(read.shape) and all(more > size for more, size in sizes)


def finding(said: tuple[str, str, str], edit: LineEdit, repair: Repair | None) -> Finding:
    """Returns the finding for an edit: cause, description and remedy; without `repair` it fixes one of two faults."""
    cause, says, remedy = said
    return Finding(
        cause=cause,
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
