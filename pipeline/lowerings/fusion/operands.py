"""Collects what a form reads beside its own values: numbers, rows of numbers, tensors of the same arrangement."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from texelscope.pipeline.lowerings.fusion.matching import Matching
from texelscope.pipeline.lowerings.product_finish import is_row
from texelscope.pipeline.plan import StoredTensor


@dataclass
class OperandsAtHand:
    """Holds the operands that a form can read wherever it computes an element of a tensor stored as `like`.

    `known` are the values of constants of one number, `rows` constants with a number for each of its `columns`,
    `others` tensors whose elements lie where those of `like` do.
    """

    passes: Matching
    like: StoredTensor
    columns: int
    most_rows: int
    most_others: int
    known: dict[str, float] = field(default_factory=dict)
    rows: list[str] = field(default_factory=list)
    others: list[str] = field(default_factory=list)

    def take(self, key: str) -> bool:
        """Adds the operand; reports whether the form can read it."""
        if key in self.known or key in self.rows or key in self.others:
            return True
        stored = self.passes.plan.textures.get(key)
        if stored is None or stored.dtype != "float32":
            return False
        value = self.passes.constant(key)
        if value is not None and math.prod(stored.shape) == 1:
            self.known[key] = float(np.asarray(value, dtype=np.float32).reshape(()))
            return True
        if is_row(stored, self.columns) and len(self.rows) < self.most_rows:
            self.rows.append(key)
            return True
        if is_arranged_as(stored, self.like) and len(self.others) < self.most_others:
            self.others.append(key)
            return True
        return False


def is_arranged_as(stored: StoredTensor, like: StoredTensor) -> bool:
    """Reports whether elements of the same place lie in the same texel, as floating-point numbers."""
    is_alike = (stored.shape, stored.layout, stored.dtype) == (like.shape, like.layout, like.dtype)
    return is_alike and stored.storage in ("float32", "float16")
