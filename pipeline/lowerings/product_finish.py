"""Describes what a draw does with each sum of a product before it stores it: passes per element, as GLSL text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from texelscope.layouts.shapes import as_nchw
from texelscope.pipeline.glsl.assemble import literal
from texelscope.pipeline.lowerings.elements import LANE, Elements, element_text
from texelscope.pipeline.lowerings.finish import ChannelParameter, packed_by_group
from texelscope.pipeline.lowerings.lowering import Constants, Numbers, PackedConstants
from texelscope.pipeline.plan import StoredTensor


@dataclass(frozen=True)
class ProductFinish:
    """Holds passes that follow the product called `product`, in order; each element is computed from the same place.

    Operands are keys: those of `known` are one number each, `rows` are constants with a number for each column, and
    `others` tensors of the output's shape and layout. `bias` is a row that is added first, `beta` times.
    """

    product: str = ""
    passes: tuple[Elements, ...] = ()
    known: Mapping[str, float] = field(default_factory=dict)
    rows: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    bias: str = ""
    beta: float = 1.0

    @property
    def is_empty(self) -> bool:
        """Whether the product is stored as it is."""
        return not self.passes and not self.bias

    def packed(self, columns: int) -> tuple[PackedConstants, ...]:
        """Returns the rows by group of four columns."""
        return packed_rows(self._parameters(), columns)

    def text(self, y: StoredTensor) -> str:
        """Returns `begin(group)`, which reads a group's numbers of each row, and `finished(place, sum)`."""
        parameters = self._parameters()
        values = {key: literal(value) for key, value in self.known.items()}
        values |= {key: f"p{i}{LANE}" for i, key in enumerate(parameters)}
        values |= {key: f"o{i}{LANE}" for i, key in enumerate(self.others)}
        height, width = y.texture_shape
        reads = [f"    vec4 o{i} = textureLod(t_O{i}, here, 0.0);" for i in range(len(self.others))]
        if reads:
            factors = f"vec2({literal(1 / width)}, {literal(1 / height)})"
            reads.insert(0, f"    vec2 here = (vec2(place) + 0.5) * {factors};")
        added = [f"    sum += {literal(self.beta)} * p{parameters.index(self.bias)};"] if self.bias else []
        values[self.product] = f"sum{LANE}"
        functions, statements = element_text(self.passes, values)
        result = values[self.passes[-1].output].removesuffix(LANE) if self.passes else "sum"
        count = len(parameters)
        held = [f"    p{i} = texelFetch(t_P, group * {count} + {i});" for i in range(count)]
        return "\n".join(
            [
                *functions,
                *(f"vec4 p{i};" for i in range(count)),
                "void begin(int group) {",
                *held,
                "}",
                "vec4 finished(ivec2 place, vec4 sum) {",
                *reads,
                *added,
                *statements,
                f"    return {result};",
                "}",
            ]
        )

    def _parameters(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys([*([self.bias] if self.bias else []), *self.rows]))


def is_row(stored: StoredTensor | None, columns: int) -> bool:
    """Reports whether the tensor is a constant with one number for each column."""
    if stored is None or stored.role != "constant" or stored.dtype != "float32" or stored.quantization is not None:
        return False
    return as_nchw(stored.shape) == (1, 1, 1, columns)


def packed_rows(keys: Sequence[str], columns: int) -> tuple[PackedConstants, ...]:
    """Packs constants of one number a column by group of four columns, all of a group behind each other."""
    return packed_by_group([_parameter(key) for key in keys], columns)


def _parameter(key: str) -> ChannelParameter:
    def make(constant: Constants) -> Numbers:
        return np.asarray(constant(key), dtype=np.float32).reshape(-1)

    return ChannelParameter(key, make)
