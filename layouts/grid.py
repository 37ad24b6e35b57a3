"""Tiles in a row-major grid: how many columns, where each tile lies, which runs of tiles are rectangles of the grid."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any


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
class TileGrid:
    """Tiles dealt into a grid row by row: number k lies at column k mod `columns`, row k div `columns`.

    `counted` says in a word what k counts, and `count` how many there are; k = n · `per_n` + c div `channels` · `per_c`
    of the 4-d view. From one column to the next there are `width` texels, from one row to the next `height`.
    """

    counted: str
    count: int
    columns: int
    width: int
    height: int
    per_n: int
    per_c: int
    channels: int = 1

    @property
    def rows(self) -> int:
        """Rows of the grid; the last one may be short."""
        return ceil_div(self.count, self.columns)

    def number(self, n: Any, c: Any) -> Any:
        """k of the tile that holds elements n, c: ints, or arrays that broadcast."""
        return n * self.per_n + c // self.channels * self.per_c


@dataclass(frozen=True)
class TileRun:
    """Consecutive tiles `span` that fill the rectangle `rows` × `columns` of a grid, row by row."""

    rows: slice
    columns: slice
    span: slice

    @property
    def shape(self) -> tuple[int, int]:
        """(rows, columns) of the rectangle."""
        return self.rows.stop - self.rows.start, self.columns.stop - self.columns.start


def pieces(start: int, stop: int, columns: int) -> Iterator[TileRun]:
    """Cut tiles start..stop-1 of a grid into at most three rectangles: a row's rest, whole rows, the rest."""
    while start < stop:
        row, column = divmod(start, columns)
        whole_rows = (stop - start) // columns if column == 0 else 0
        rows = max(whole_rows, 1)
        width = columns if whole_rows else min(columns - column, stop - start)
        yield TileRun(slice(row, row + rows), slice(column, column + width), slice(start, start + rows * width))
        start += rows * width
