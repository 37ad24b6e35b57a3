"""Parses arguments of the command line that name things: NAME=VALUE, as data."""

from __future__ import annotations

import math
from collections.abc import Sequence

from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.graph import Shape
from texelscope.pipeline.installation import command
from texelscope.pipeline.operators.conventions import check_convention
from texelscope.pipeline.plan import Tolerance


def parse_inputs(values: Sequence[str]) -> dict[str, str]:
    """Parses `NAME=SOURCE` arguments to a mapping; an argument without a name belongs to the only input (key '')."""
    found: dict[str, str] = {}
    for value in values:
        name, separator, source = value.partition("=")
        found[name if separator else ""] = source if separator else value
    return found


def parse_shapes(values: Sequence[str], option: str = "--shape") -> dict[str, Shape]:
    """Parses `NAME=1,3,224,224` arguments to shapes. Raises TexelscopeError for anything else."""
    found: dict[str, Shape] = {}
    for value in values:
        name, separator, sizes = value.partition("=")
        parts = [part.strip() for part in sizes.split(",")]
        if not separator or not name or not all(_is_size(part) for part in parts):
            raise TexelscopeError(option, "NAME=1,3,224,224", f"'{value}'", "Name the tensor and give all its sizes.")
        found[name] = tuple(int(part) for part in parts)
    return found


def parse_conventions(values: Sequence[str]) -> dict[str, str]:
    """Parses `LRN=tensorflow` arguments to a mapping. Raises TexelscopeError for others, with the nearest name."""
    found: dict[str, str] = {}
    for value in values:
        op_type, separator, name = value.partition("=")
        if not separator:
            raise TexelscopeError(
                "--convention", "OPERATOR=NAME, as LRN=tensorflow", f"'{value}'", f"'{command()} list' shows the names."
            )
        check_convention(op_type, name)
        found[op_type] = name
    return found


def parse_dialect(values: Sequence[str], **named: str | None) -> dict[str, str]:
    """Merges `NAME=VALUE` arguments and separate options to a mapping. Raises TexelscopeError for anything else."""
    found = {name: value for name, value in named.items() if value is not None}
    for value in values:
        name, separator, text = value.partition("=")
        if not separator or not name or not text:
            raise TexelscopeError("--param", "NAME=VALUE, as channels=32", f"'{value}'", "Name the parameter.")
        found[name] = text
    return found


def parse_tolerances(values: Sequence[str]) -> dict[str, Tolerance]:
    """Parses `TENSOR=1e-4,1e-6` arguments, rtol and atol, to tolerances. Raises TexelscopeError for anything else."""
    found: dict[str, Tolerance] = {}
    for value in values:
        name, _, numbers = value.rpartition("=")
        try:
            rtol, atol = (float(part) for part in numbers.split(","))
        except ValueError:
            rtol = atol = math.nan
        if not name or not all(0.0 <= number < math.inf for number in (rtol, atol)):
            raise TexelscopeError(
                "--tolerance",
                "TENSOR=RTOL,ATOL, as conv1=1e-4,1e-6",
                f"'{value}'",
                "Name the tensor, and both numbers.",
            )
        found[name] = Tolerance(rtol, atol)
    return found


def _is_size(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= len(str(2**31))
