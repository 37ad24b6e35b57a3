"""Shows what is known before a step as trees of names and texts: variables, reads, sums, and what was given."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import TYPE_CHECKING

from texelscope.pipeline.debug_adapter.walk import Walk
from texelscope.pipeline.plan import StoredTensor
from texelscope.pipeline.step_trace.trace import TexelRead
from texelscope.pipeline.stepping.environment import environment
from texelscope.pipeline.stepping.index import CallFrame
from texelscope.pipeline.stepping.numbers import LANES, Lane, exact, exact_text, kind_of, lanes_of, rows_of
from texelscope.pipeline.stepping.reads import element_text, read_value
from texelscope.pipeline.stepping.rows import VariableRow, lanes_named, parsed, place_of, rows_at, types_of
from texelscope.pipeline.stepping.scopes import ScopedName
from texelscope.pipeline.stepping.sum_words import elements_of, factors_text, number, term_text

if TYPE_CHECKING:
    from texelscope.pipeline.step_trace.sums import FragmentSum, SumTerm

# A value with parts shows at most so many letters of them.
_MOST_LETTERS = 120
_INDEX = re.compile(r"\s+")


@dataclass(frozen=True)
class ShownValue:
    """One row of a tree. `expression` gives the same value, if evaluated; empty where no expression does.

    Rows whose parts are elements, and not members, are `is_indexed`.
    """

    name: str
    text: str
    type: str = ""
    expression: str = ""
    parts: tuple[ShownValue, ...] = ()
    is_indexed: bool = False


@dataclass(frozen=True)
class PlanFacts:
    """What the plan and the texts know beside the trace: stored tensors by key, declared names by file."""

    textures: Mapping[str, StoredTensor]
    declared: Mapping[str, tuple[ScopedName, ...]]


def variables(walk: Walk, frame: CallFrame, facts: PlanFacts) -> tuple[ShownValue, ...]:
    """Returns the variables that a call in progress sees before the present step."""
    place = place_of(walk.index, frame, walk.at)
    declared = facts.declared.get(frame.line[0], ())
    rows = rows_at(walk.index, walk.index.variables(walk.at, frame.call), place, declared, opened=_Everything())
    return _trees(rows)


def given(walk: Walk, facts: PlanFacts) -> tuple[ShownValue, ...]:
    """Returns uniforms, samplers and constants of the fragment, and its coordinates."""
    types = {name: kind for each in facts.declared.values() for name, kind in types_of(each).items()}
    tensors = {key: stored.tensor for key, stored in facts.textures.items()}
    trace = walk.trace
    values = {**trace.uniforms, **trace.constants, "gl_FragCoord": trace.frag_coord}
    rows = (row for _, part in environment(trace, types, tensors) for row in part)
    return tuple(
        ShownValue(row.name, row.text, row.type, row.name)
        if row.key
        else lanes_value(row.name, row.type, values[row.name], row.name)
        for row in rows
    )


def reads(walk: Walk, facts: PlanFacts) -> tuple[ShownValue, ...]:
    """Returns the texels that the step reads which would run next."""
    step = walk.step
    return tuple(_read(read, facts) for read in step.reads) if step is not None else ()


def sum_rows(walk: Walk, sums: FragmentSum, facts: PlanFacts) -> tuple[ShownValue, ...]:
    """Returns the running sum before the present step beside the oracle's, and every term added by then."""
    if not sums.terms:
        return (ShownValue("reason", sums.reason),) if sums.reason else ()
    done = [term for term in sums.terms if term.step < walk.at]
    rows = [ShownValue("accumulator", sums.accumulator)]
    if done:
        last = done[-1]
        rows += [
            ShownValue("running", number(last.running, 9)),
            ShownValue("oracle", number(last.expected_running, 9)),
            ShownValue("difference", number(last.running - last.expected_running)),
        ]
    if sums.first_wrong is not None:
        step = walk.index.step(sums.terms[sums.first_wrong].step)
        where = f"line {step.line[1]}, step {step.number + 1}: " if step is not None else ""
        rows.append(ShownValue("first wrong", f"{where}{sums.reason}"))
    else:
        rows.append(ShownValue("first wrong", sums.reason))
    elements = elements_of(sums.terms)[: len(done)]
    terms = tuple(_term(place, *pair, facts) for place, pair in enumerate(zip(done, elements, strict=True)))
    rows.append(ShownValue("terms", f"{len(done)} of {len(sums.terms)}", parts=terms, is_indexed=True))
    return tuple(rows)


def named(rows: Sequence[ShownValue], name: str) -> ShownValue | None:
    """Returns what a name means among rows: a variable, an element, a member, or lanes of a vector in any order."""
    base, path = parsed(_INDEX.sub("", name))
    found = next((row for row in rows if row.name == base), None)
    if _INDEX.sub("", name) != base + _written(name, base):
        return None
    while found is not None and path:
        inner = next((row for row in found.parts if row.name in (path[0], f"[{path[0]}]")), None)
        if inner is None:
            return _lanes(found, path, name)
        found, path = inner, path[1:]
    return found


def _written(name: str, base: str) -> str:
    """Returns the part of a name behind its base, if it is one of elements and members alone."""
    rest = _INDEX.sub("", name)[len(base) :]
    return rest if re.fullmatch(r"(?:\.[A-Za-z_]\w*|\[\d+\])*", rest) else "?"


def _lanes(row: ShownValue, path: tuple[str, ...], name: str) -> ShownValue | None:
    lanes = lanes_named(row.type, path)
    texts = _lane_texts(row)
    if not lanes or max(lanes) >= len(texts):
        return None
    kind = kind_of(row.type)
    prefix = {"bool": "b", "int": "i", "uint": "u", "double": "d"}.get(kind, "")
    kind = kind if len(lanes) == 1 else f"{prefix}vec{len(lanes)}"
    chosen = [texts[lane] for lane in lanes]
    return ShownValue(name, chosen[0] if len(chosen) == 1 else f"{kind}({', '.join(chosen)})", kind, name)


def _lane_texts(row: ShownValue) -> list[str]:
    return [text for part in row.parts for text in _lane_texts(part)] if row.parts else [row.text]


class _Everything(Set[str]):
    """The set of all names: every row shows its parts."""

    def __contains__(self, name: object) -> bool:
        return True

    def __iter__(self) -> Iterator[str]:
        return iter(())

    def __len__(self) -> int:
        return 0


def _trees(rows: Sequence[VariableRow]) -> tuple[ShownValue, ...]:
    """Folds rows, each followed by its parts, into trees."""
    if not rows:
        return ()
    trees: list[ShownValue] = []
    starts = [place for place, row in enumerate(rows) if row.depth == rows[0].depth]
    for start, stop in zip(starts, [*starts[1:], len(rows)], strict=True):
        trees.append(_tree(rows[start], _trees(rows[start + 1 : stop])))
    return tuple(trees)


def _tree(row: VariableRow, parts: tuple[ShownValue, ...]) -> ShownValue:
    label = row.label.removeprefix(".")
    if not parts:
        return lanes_value(label, row.type, row.value, row.name)
    inside = ", ".join(part.text if part.name.startswith("[") else f"{part.name}: {part.text}" for part in parts[:16])
    is_cut = len(parts) > 16 or len(inside) > _MOST_LETTERS
    text = f"{row.type or 'parts'}({inside[:_MOST_LETTERS]}{' …' if is_cut else ''})"
    return ShownValue(label, text, row.type, row.name, parts, parts[0].name.startswith("["))


def lanes_value(name: str, type_name: str, value: Sequence[Lane], expression: str = "") -> ShownValue:
    """Returns a row of a number, vector or matrix, with its lanes and columns as parts."""
    text = exact_text(type_name, value)
    rows, count = rows_of(type_name), lanes_of(type_name)
    if count < 2 or count != len(value):
        return ShownValue(name, text, type_name, expression)
    if rows:
        columns = [value[start : start + rows] for start in range(0, count, rows)]
        inner = f"{'d' if kind_of(type_name) == 'double' else ''}vec{rows}"
        parts = [
            lanes_value(f"[{place}]", inner, column, f"{expression}[{place}]" if expression else "")
            for place, column in enumerate(columns)
        ]
        return ShownValue(name, text, type_name, expression, tuple(parts), is_indexed=True)
    lanes = tuple(
        ShownValue(letter, exact(lane), kind_of(type_name), f"{expression}.{letter}" if expression else "")
        for letter, lane in zip(LANES, value, strict=False)
    )
    return ShownValue(name, text, type_name, expression, lanes)


def _read(read: TexelRead, facts: PlanFacts) -> ShownValue:
    stored = facts.textures.get(read.key)
    type_name, value = read_value(read)
    where = element_text(stored, read) if stored is not None else read.uniform
    parts = (
        ShownValue("sampler", read.uniform),
        ShownValue("texel", f"({read.texel[0]}, {read.texel[1]}){' outside' if read.outside else ''}"),
        ShownValue("at", f"({exact(read.at[0])}, {exact(read.at[1])})"),
        lanes_value("texel value", "vec4", read.value),
    )
    return ShownValue(where, exact_text(type_name, value), type_name, "", parts)


def _term(place: int, term: SumTerm, element: int, facts: PlanFacts) -> ShownValue:
    factors = factors_text(term)
    made = f"{factors} = {number(term.product)}" if factors else number(term.product)
    wrong = f"; wrong: {term.text}" if term.wrong else ""
    text = f"{term_text(term, facts.textures, element)}: {made}{wrong}"
    parts = (
        ShownValue("running", number(term.running, 9)),
        ShownValue("oracle", number(term.expected_running, 9)),
        ShownValue("product", number(term.product, 9)),
        ShownValue("oracle's product", number(term.expected, 9)),
        ShownValue("step", str(term.step + 1)),
    )
    return ShownValue(f"[{place}]", text, "", "", parts)
