"""Parses shapes with braces, such as `image=1,3,{16..512},{16..512}`, that a sweep goes through.

`{16..512}` is every size from 16 to 512, `{32..512..32}` every 32nd of them, `{64,96,100}` just these. Braces with the
same text move together; different ones move each by itself.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.graph import Shape

# No texture is larger.
MAX_SIZE = 1 << 24
_RANGE = re.compile(r"(\d{1,9})\.\.(\d{1,9})(?:\.\.(\d{1,9}))?")
_PIECE = re.compile(r"\{[^{}]*\}|[^,{}]+")
_EXAMPLE = "NAME=1,3,{16..512},{16..512}"


@dataclass(frozen=True)
class Brace:
    """Holds the text between braces, and its values, ascending."""

    text: str
    values: Sequence[int]

    @property
    def probes(self) -> tuple[int, ...]:
        """Values to try first: the ends, and of a range the powers of two, each or the next value after it."""
        if not isinstance(self.values, range):
            return tuple(self.values)
        first, last = self.values[0], self.values[-1]
        powers = [power for power in (1 << bits for bits in range(last.bit_length())) if first < power < last]
        near = (_up(power, self.values) for power in powers)
        return tuple(sorted({first, last, *(value for value in near if value < last)}))


@dataclass(frozen=True)
class SweptShape:
    """Holds an input's shape: numbers, and the texts of braces."""

    name: str
    sizes: tuple[int | str, ...]

    def shape(self, values: Mapping[str, int]) -> Shape:
        """Returns the shape with a value for each brace."""
        return tuple(values[size] if isinstance(size, str) else size for size in self.sizes)


def parse(arguments: Sequence[str]) -> tuple[tuple[SweptShape, ...], tuple[Brace, ...]]:
    """Parses `--shape` arguments as shapes and the braces in them. Raises TexelscopeError for anything else."""
    braces: dict[str, Brace] = {}
    shapes = []
    for argument in arguments:
        name, separator, text = argument.partition("=")
        pieces = [piece.strip() for piece in _PIECE.findall(text)]
        if not separator or not name or not pieces or ",".join(_PIECE.findall(text)) != text:
            raise TexelscopeError("--shape", _EXAMPLE, f"'{argument}'", "Name the input and give all its sizes.")
        sizes: list[int | str] = []
        for piece in pieces:
            if piece.startswith("{"):
                inner = piece[1:-1].strip()
                braces.setdefault(inner, Brace(inner, _values(inner)))
                sizes.append(inner)
            else:
                sizes.append(_size(piece, argument))
        shapes.append(SweptShape(name, tuple(sizes)))
    return tuple(shapes), tuple(braces.values())


def _values(inner: str) -> Sequence[int]:
    match = _RANGE.fullmatch(inner)
    if match is not None:
        first, last, step = int(match[1]), int(match[2]), int(match[3] or 1)
        if not 0 < first <= last <= MAX_SIZE or not step:
            raise TexelscopeError(
                "--shape",
                f"a range from 1 up to {MAX_SIZE}, small end first",
                f"'{{{inner}}}'",
                "As {16..512}.",
            )
        return range(first, last + 1, step)
    parts = [part.strip() for part in inner.split(",")]
    if not all(part.isascii() and part.isdigit() and 0 < len(part) < 9 for part in parts) or "0" in parts:
        raise TexelscopeError(
            "--shape",
            "a range or a list in braces",
            f"'{{{inner}}}'",
            "As {16..512}, {32..512..32}, {64,96}.",
        )
    return tuple(sorted({int(part) for part in parts}))


def _size(piece: str, argument: str) -> int:
    if not (piece.isascii() and piece.isdigit() and len(piece) < 9):
        raise TexelscopeError("--shape", _EXAMPLE, f"'{argument}'", "Sizes are numbers, or ranges in braces.")
    return int(piece)


def _up(value: int, values: range) -> int:
    """Returns the least of `values` that is not below `value`."""
    return values[0] + -(-(value - values[0]) // values.step) * values.step
