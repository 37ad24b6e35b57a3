"""Where the answers about several textures stand in one small picture, so that one read brings them all."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

# One answer is about SIDE x SIDE texels, as in shaders/standing/differs.frag.glsl.
SIDE = 8
# Answers in a row of the picture.
A_ROW = 256


@dataclass(frozen=True)
class AnswerRows:
    """The rows of the picture that are about one texture of `size`: width and height in texels."""

    size: tuple[int, int]
    first: int

    @property
    def apart(self) -> tuple[int, int]:
        """How many answers there are along the width and the height, and how far apart the texels of one lie."""
        return -(-self.size[0] // SIDE), -(-self.size[1] // SIDE)

    @property
    def count(self) -> int:
        """How many rows they are; the last is filled up."""
        across, down = self.apart
        return -(-across * down // A_ROW)

    @property
    def end(self) -> int:
        """The row after the last."""
        return self.first + self.count


def placed(sizes: Iterable[tuple[int, int]], most_rows: int) -> tuple[AnswerRows, ...]:
    """Rows for textures of these sizes, one after the other, as many textures as `most_rows` have room for."""
    found: list[AnswerRows] = []
    for size in sizes:
        rows = AnswerRows(size, found[-1].end if found else 0)
        if rows.end > most_rows:
            break
        found.append(rows)
    return tuple(found)


def any_in(answers: NDArray[np.uint8], rows: tuple[AnswerRows, ...]) -> tuple[bool, ...]:
    """For each texture whether any of its answers, of the picture [row, answer], is not zero."""
    return tuple(bool(answers[each.first : each.end].any()) for each in rows)
