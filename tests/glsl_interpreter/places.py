"""Places that can be assigned: a variable, and what of it, by index, member or swizzle."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tests.glsl_interpreter.values import GlslError, Value, as_type, base_of, converted, matrix_of, vector, vector_type

LANES = {letter: at for letters in ("xyzw", "rgba", "stpq") for at, letter in enumerate(letters)}

# An index, or the name of a member, or a swizzle's letters.
Part = int | str


def element_type(name: str) -> str:
    """Returns the type behind one index: `vec3` of `vec3[2]` and of `mat3`, `float` of `vec3`."""
    if name.endswith("]"):
        head, _, rest = name.partition("[")
        _, _, inner = rest.partition("]")
        return head + inner
    columns, rows = matrix_of(name)
    return vector_type("float", rows) if columns else base_of(name)


def part_of(value: Value, part: Part) -> Value:
    """Returns the part of a value at an index, or of a name."""
    if isinstance(part, int):
        columns, rows = matrix_of(value.type)
        if columns:
            return vector("float", value.lanes[part * rows : (part + 1) * rows])
        found = value.lanes[min(max(part, 0), len(value.lanes) - 1)]
        return found if isinstance(found, Value) else Value(value.base, (found,))
    if value.names:
        found = value.lanes[value.names.index(part)]
        assert isinstance(found, Value)
        return found
    return vector(value.base, [value.lanes[LANES[letter]] for letter in part])


def with_part(value: Value, parts: tuple[Part, ...], new: Value) -> Value:
    """Returns the value with something else at a place in it."""
    if not parts:
        return as_type(new, value.type)
    part, rest = parts[0], parts[1:]
    inner = with_part(part_of(value, part), rest, new)
    lanes: list[Any] = list(value.lanes)
    if isinstance(part, int):
        columns, rows = matrix_of(value.type)
        if columns:
            lanes[part * rows : (part + 1) * rows] = inner.lanes
        else:
            lanes[part] = inner if isinstance(lanes[part], Value) else inner.number
    elif value.names:
        lanes[value.names.index(part)] = inner
    else:
        for letter, number in zip(part, inner.lanes, strict=True):
            lanes[LANES[letter]] = number
    return Value(value.type, tuple(lanes), value.names)


@dataclass(frozen=True)
class Place:
    """Names a variable of a scope, and the path into it."""

    scope: dict[str, Value]
    name: str
    parts: tuple[Part, ...] = ()

    @property
    def value(self) -> Value:
        """Returns the present value."""
        value = self.scope[self.name]
        for part in self.parts:
            value = part_of(value, part)
        return value

    @property
    def text(self) -> str:
        """`w[3]`, `light.colour.xy`."""
        return self.name + "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in self.parts)

    def set(self, value: Value) -> Value:
        """Puts a value there; as it was converted for the place."""
        self.scope[self.name] = with_part(self.scope[self.name], self.parts, value)
        return self.value

    def inside(self, part: Part) -> Place:
        """Returns a place within this one."""
        return Place(self.scope, self.name, (*self.parts, part))


def leaves(name: str, value: Value) -> Iterator[tuple[str, tuple[Any, ...]]]:
    """Returns scalars, vectors and matrices of a value, by name: those of arrays and structs one by one."""
    if value.base:
        yield name, value.lanes
    elif value.names:
        for member, inner in zip(value.names, value.lanes, strict=True):
            yield from leaves(f"{name}.{member}", inner)
    else:
        for at, inner in enumerate(value.lanes):
            whole = inner if isinstance(inner, Value) else Value(element_type(value.type), (inner,))
            yield from leaves(f"{name}[{at}]", whole)


def blank(name: str, structs: dict[str, tuple[tuple[str, str], ...]]) -> Value:
    """Returns a variable without a value: zeros. `structs` lists the members of each, as (type, name)."""
    if name.endswith("]"):
        size = int(name.partition("[")[2].partition("]")[0])
        inner = blank(element_type(name), structs)
        return Value(name, (inner,) * size)
    if name in structs:
        members = structs[name]
        return Value(name, tuple(blank(kind, structs) for kind, _ in members), tuple(each for _, each in members))
    base = base_of(name)
    if not base:
        raise GlslError(f"the type {name}")
    columns, rows = matrix_of(name)
    count = columns * rows or {"": 1}.get(name[-1:], int(name[-1]) if name[-1].isdigit() else 1)
    return Value(name, ({"float": 0.0, "bool": False}.get(base, 0),) * count)


def filled(value: Value, numbers: Iterator[Any]) -> Value:
    """Returns a value of the same type, of numbers in order."""
    if value.base:
        return Value(value.type, tuple(converted(value.base, next(numbers)) for _ in value.lanes))
    return Value(value.type, tuple(filled(each, numbers) for each in value.lanes), value.names)
