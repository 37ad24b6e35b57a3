"""Computes the size of a texture as `//!WIDTH` and `//!HEIGHT` give it: arithmetic over the sizes of the pictures."""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from texelscope.pipeline.dialects.mpv.places import FileLine
from texelscope.pipeline.errors import TexelscopeError

NAMES = ("INPUT_WIDTH", "INPUT_HEIGHT", "OUTPUT_WIDTH", "OUTPUT_HEIGHT")
_MOST_LETTERS = 200
_TWO: Mapping[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: lambda a, b: a + b,
    ast.Sub: lambda a, b: a - b,
    ast.Mult: lambda a, b: a * b,
    ast.Div: lambda a, b: a / b if b else math.nan,
}
_FUNCTIONS: Mapping[str, Callable[..., float]] = {
    "min": min, "max": max, "floor": math.floor, "ceil": math.ceil, "round": round, "abs": abs, "sqrt": math.sqrt,
}  # fmt: skip


@dataclass(frozen=True)
class SizeExpression:
    """An expression of a size; `text` is as written."""

    text: str
    place: FileLine
    tree: ast.expr

    @property
    def names(self) -> frozenset[str]:
        """Returns the names of sizes in it."""
        return frozenset(each.id for each in ast.walk(self.tree) if isinstance(each, ast.Name)) & frozenset(NAMES)

    def value(self, sizes: Mapping[str, int]) -> int:
        """Returns the nearest whole number, by the `sizes` of names. Raises TexelscopeError where there is none."""
        return round(self._number(sizes))

    def whole(self, sizes: Mapping[str, int]) -> int:
        """Returns the number without its fraction, as whole numbers divide. Raises as `value`."""
        return math.trunc(self._number(sizes))

    def _number(self, sizes: Mapping[str, int]) -> float:
        try:
            number = _value(self.tree, sizes)
        except (ValueError, OverflowError, TypeError):
            number = math.nan
        if not math.isfinite(number):
            raise self.place.fault("a finite number", f"none of '{self.text}'", "Correct the expression.")
        return number


def size_expression(text: str, place: FileLine, names: Sequence[str] = NAMES) -> SizeExpression:
    """Parses an expression. Raises TexelscopeError for anything but numbers, `names`, + - * /, and functions."""
    try:
        if len(text) > _MOST_LETTERS:
            raise SyntaxError
        tree = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise _unknown(text[:_MOST_LETTERS], place, names) from error
    _check(tree, place, names)
    return SizeExpression(text, place, tree)


def _check(tree: ast.expr, place: FileLine, names: Sequence[str]) -> None:
    match tree:
        case ast.Constant(value=int() | float()) if not isinstance(tree.value, bool):
            return
        case ast.Name(id=name) if name in names:
            return
        case ast.UnaryOp(op=ast.USub() | ast.UAdd(), operand=inner):
            _check(inner, place, names)
            return
        case ast.BinOp(left=left, op=operator, right=right) if type(operator) in _TWO:
            _check(left, place, names)
            _check(right, place, names)
            return
        case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]) if name in _FUNCTIONS:
            for each in arguments:
                _check(each, place, names)
            return
    raise _unknown(ast.unparse(tree), place, names)


def _unknown(got: str, place: FileLine, names: Sequence[str]) -> TexelscopeError:
    functions = ", ".join(_FUNCTIONS)
    expected = f"a size of numbers, {', '.join(names)}, + - * / and {functions}"
    return place.fault(expected, f"'{got}'", "Correct the expression.")


def _value(tree: ast.expr, sizes: Mapping[str, int]) -> float:
    match tree:
        case ast.Constant(value=int() | float() as number):
            return float(number)
        case ast.Name(id=name):
            return float(sizes[name])
        case ast.UnaryOp(op=operator, operand=inner):
            number = _value(inner, sizes)
            return -number if isinstance(operator, ast.USub) else number
        case ast.BinOp(left=left, op=operator, right=right):
            return _TWO[type(operator)](_value(left, sizes), _value(right, sizes))
        case ast.Call(func=ast.Name(id=name), args=arguments):
            return float(_FUNCTIONS[name](*(_value(each, sizes) for each in arguments)))
    return math.nan
