"""Arranges tiles in a row-major grid: how many columns, where each tile lies, which runs of tiles are rectangles."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from texelscope.layouts.errors import LayoutError


def ceil_div(value: int, divisor: int) -> int:
    """Returns ⌈value / divisor⌉ for positive integers."""
    return -(-value // divisor)


def ceil_sqrt(value: int) -> int:
    """Returns ⌈√value⌉ for a positive integer, exact for any size."""
    return math.isqrt(value - 1) + 1


@dataclass(frozen=True)
class Grid:
    """A grid of `columns` and `rows` has room for its tiles; its last places may be empty."""

    columns: int
    rows: int

    @classmethod
    def of(cls, count: int, columns: int = 0, rows: int = 0) -> Grid:
        """Returns the grid of `count` tiles; 0 columns and 0 rows make it near-square, with ⌈√count⌉ columns.

        Raises LayoutError if both are given and have no room for the tiles.
        """
        if columns and rows and columns * rows < count:
            raise LayoutError(
                "grid of tiles", f"a place for each of {count} tiles", f"{columns} x {rows} (columns x rows)",
                "Leave one of the two out.",
            )  # fmt: skip
        columns = columns or (ceil_div(count, rows) if rows else ceil_sqrt(count))
        return cls(columns, rows or ceil_div(count, columns))


@dataclass(frozen=True)
class TileGrid:
    """Tiles fill a grid row by row: number k lies at column k mod `columns`, row k div `columns`.

    `counted` names what k counts, and `count` is how many there are; k = n · `per_n` + c div `channels` · `per_c`
    of the 4-d view. From one column to the next there are `width` texels, from one row to the next `height`. A grid
    of at least `least_rows` may have empty rows.
    """

    counted: str
    count: int
    columns: int
    width: int
    height: int
    per_n: int
    per_c: int
    channels: int = 1
    least_rows: int = 0

    @property
    def rows(self) -> int:
        """Counts the rows of the grid; the last one may be short."""
        return max(ceil_div(self.count, self.columns), self.least_rows)

    def number(self, n: Any, c: Any) -> Any:
        """Returns the number k of the tile that holds elements n, c: ints, or arrays that broadcast."""
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
    """Cuts tiles start..stop-1 of a grid into at most three rectangles: a row's rest, whole rows, the rest."""
    while start < stop:
        row, column = divmod(start, columns)
        whole_rows = (stop - start) // columns if column == 0 else 0
        rows = max(whole_rows, 1)
        width = columns if whole_rows else min(columns - column, stop - start)
        yield TileRun(slice(row, row + rows), slice(column, column + width), slice(start, start + rows * width))
        start += rows * width
