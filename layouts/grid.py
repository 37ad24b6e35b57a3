"""Tiles in a row-major grid: how many columns, and which runs of tiles are rectangles of the grid."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass


def ceil_div(value: int, divisor: int) -> int:
    """⌈value / divisor⌉ for positive integers."""
    return -(-value // divisor)


def ceil_sqrt(value: int) -> int:
    """⌈√value⌉ for a positive integer, exact for any size."""
    return math.isqrt(value - 1) + 1


@dataclass(frozen=True)
class Grid:
    """The near-square grid of `count` tiles: ⌈√count⌉ columns and as many rows as that needs."""

    columns: int
    rows: int

    @classmethod
    def of(cls, count: int) -> Grid:
        columns = ceil_sqrt(count)
        return cls(columns, ceil_div(count, columns))


@dataclass(frozen=True)
class Piece:
    """Consecutive tiles `span` that fill the rectangle `rows` × `columns` of a grid, row by row."""

    rows: slice
    columns: slice
    span: slice

    @property
    def shape(self) -> tuple[int, int]:
        """(rows, columns) of the rectangle."""
        return self.rows.stop - self.rows.start, self.columns.stop - self.columns.start


def pieces(start: int, stop: int, columns: int) -> Iterator[Piece]:
    """Cut tiles start..stop-1 of a grid into at most three rectangles: a row's rest, whole rows, the rest."""
    while start < stop:
        row, column = divmod(start, columns)
        whole_rows = (stop - start) // columns if column == 0 else 0
        rows = max(whole_rows, 1)
        width = columns if whole_rows else min(columns - column, stop - start)
        yield Piece(slice(row, row + rows), slice(column, column + width), slice(start, start + rows * width))
        start += rows * width
