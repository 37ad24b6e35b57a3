"""Evaluates expressions for uniforms over tensors: `grid(down1)`, `1 / size(image)`, `shape(image).z * 2`.

The grammar is this, never `eval`:

    sum     = product { ("+" | "-") product }
    product = factor { ("*" | "/") factor }
    factor  = "-" factor | primary { "." component | "[" index "]" }
    primary = number | "(" sum ")" | function "(" name ")" | "frame" | "time" | "mouse"

The last three change from frame to frame and are known only where a moment is given. Values are vectors of one to four
numbers. An operation takes them component by component, a single number with each component. Whole numbers stay whole
but for `/`.
"""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass

from texelscope.layouts.shapes import as_nchw
from texelscope.pipeline.errors import TexelscopeError, nearest
from texelscope.pipeline.frames import Moment
from texelscope.pipeline.pipeline_file.table import NOT_FILLED_IN, UNKNOWN
from texelscope.pipeline.plan import StoredTensor

Number = int | float
Vector = tuple[Number, ...]

MAX_CHARACTERS = 500
MAX_NESTING = 50
_TOKEN = re.compile(
    r"\s*(?:(?P<number>\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)|(?P<name>[A-Za-z_]\w*)|(?P<mark>[-+*/().\[\]]))"
)
_ARGUMENT = re.compile(r"\s*(?:\"(?P<quoted>[^\"]*)\"|(?P<bare>[^()\"\s]+))\s*\)")
_COMPONENTS = {**dict(zip("xyzw", range(4), strict=True)), **dict(zip("nchw", range(4), strict=True))}


def grid(tensor: StoredTensor) -> Vector:
    """Returns the columns and rows of tiles in the texture."""
    tile = tensor.layout.tile(tensor.shape, 0)
    _, _, width, height = tensor.layout.bounds(tensor.shape)
    return width // tile.width, height // tile.height


def size(tensor: StoredTensor) -> Vector:
    """Returns the width and height of the texture in texels."""
    height, width = tensor.texture_shape
    return width, height


def texel_size(tensor: StoredTensor) -> Vector:
    """Returns one texel's share of the texture's width and height."""
    height, width = tensor.texture_shape
    return 1.0 / width, 1.0 / height


def shape(tensor: StoredTensor) -> Vector:
    """Returns n, c, h, w of the tensor's 4-d view."""
    return as_nchw(tensor.shape)


def count(tensor: StoredTensor) -> Vector:
    """Returns the number of elements."""
    return (math.prod(tensor.shape),)


FUNCTIONS: Mapping[str, Callable[[StoredTensor], Vector]] = {
    "grid": grid,
    "size": size,
    "texel_size": texel_size,
    "shape": shape,
    "count": count,
}
_OPERATIONS: Mapping[str, Callable[[Number, Number], Number]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
}


# What changes from frame to frame.
FRAME_NAMES = tuple(Moment().numbers)


def evaluate(text: str, tensors: Mapping[str, StoredTensor], moment: Moment | None = None) -> Vector:
    """Evaluates an expression over `tensors`, by the names that it may use.

    Raises TexelscopeError, with the place in the text, for a value that waits to be filled in, anything outside the
    grammar, an unknown function or tensor, vectors of different lengths, a division by zero, and, without a `moment`,
    for what changes from frame to frame.
    """
    if text.strip() == UNKNOWN:
        raise TexelscopeError("the value", "numbers or an expression", NOT_FILLED_IN, "Put it there.")
    if len(text) > MAX_CHARACTERS:
        raise _error("…", f"at most {MAX_CHARACTERS} characters", str(len(text)), "Shorten it.")
    parser = _Parser(text, tensors, moment)
    value = parser.sum()
    parser.end()
    return value


def changes_by_frame(text: str, tensors: Mapping[str, StoredTensor]) -> bool:
    """Whether an expression names what changes from frame to frame; False for one that cannot be evaluated."""
    parser = _Parser(text[:MAX_CHARACTERS], tensors, Moment(1))
    with suppress(TexelscopeError):
        parser.sum()
    return parser.changes


@dataclass(frozen=True)
class _Token:
    kind: str
    text: str
    position: int


class _Parser:
    def __init__(self, text: str, tensors: Mapping[str, StoredTensor], moment: Moment | None) -> None:
        self._text = text
        self._tensors = tensors
        self._moment = moment
        self.changes = False
        self._position = 0
        self._depth = 0

    def sum(self) -> Vector:
        value = self._product()
        while token := self._take("+", "-"):
            value = self._apply(token, value, self._product())
        return value

    def end(self) -> None:
        if self._text[self._position :].strip():
            raise self._unexpected("an operation or the end")

    def _product(self) -> Vector:
        value = self._factor()
        while token := self._take("*", "/"):
            value = self._apply(token, value, self._factor())
        return value

    def _factor(self) -> Vector:
        self._depth += 1
        if self._depth > MAX_NESTING:
            raise _error(self._text, f"at most {MAX_NESTING} levels", "more", "Shorten it.")
        if self._take("-"):
            value = tuple(-number for number in self._factor())
        else:
            value = self._primary()
            while token := self._take(".", "["):
                value = self._component(value, token)
        self._depth -= 1
        return value

    def _primary(self) -> Vector:
        token = self._peek()
        if token is not None and token.kind == "number":
            self._advance(token)
            return (int(token.text) if token.text.isdigit() else float(token.text),)
        if self._take("("):
            value = self.sum()
            self._expect(")")
            return value
        if token is not None and token.kind == "name":
            self._advance(token)
            return self._of_frame(token) if token.text in FRAME_NAMES else self._function(token)
        raise self._unexpected("a number, a function of a tensor or '('")

    def _of_frame(self, token: _Token) -> Vector:
        if self._moment is None:
            advice = "Sizes and counts hold for all frames; uniforms and push constants may change."
            raise _error(self._text, "numbers that no frame changes", f"'{token.text}'", advice)
        self.changes = True
        return self._moment.numbers[token.text]

    def _function(self, token: _Token) -> Vector:
        if token.text not in FUNCTIONS:
            known = FUNCTIONS if self._moment is None else (*FUNCTIONS, *FRAME_NAMES)
            raise _error(self._text, f"one of {', '.join(known)}", f"'{token.text}'", nearest(token.text, known))
        self._expect("(")
        match = _ARGUMENT.match(self._text, self._position)
        if match is None:
            raise self._unexpected(f"a tensor's name and ')' after '{token.text}('")
        self._position = match.end()
        name = match["quoted"] if match["quoted"] is not None else match["bare"]
        if name not in self._tensors:
            raise _error(self._text, "a tensor that the file has", f"'{name}'", nearest(name, self._tensors))
        return FUNCTIONS[token.text](self._tensors[name])

    def _component(self, value: Vector, opening: _Token) -> Vector:
        token = self._peek()
        index = -1
        if token is not None and opening.text == "." and token.kind == "name":
            index = _COMPONENTS.get(token.text, -1)
        elif token is not None and opening.text == "[" and token.text.isdigit():
            index = int(token.text)
        if token is None or not 0 <= index < len(value):
            got = token.text if token is not None else "the end"
            raise _error(
                self._text, f"a component of {len(value)} after '{opening.text}'", f"'{got}'", "For example .x or [0]."
            )
        self._advance(token)
        if opening.text == "[":
            self._expect("]")
        return (value[index],)

    def _apply(self, token: _Token, left: Vector, right: Vector) -> Vector:
        length = max(len(left), len(right))
        if len(left) not in (1, length) or len(right) not in (1, length):
            raise _error(
                self._text, f"vectors of one length on both sides of '{token.text}'", f"{len(left)} and {len(right)}",
                "Take components: .x, .y.",
            )  # fmt: skip
        operation = _OPERATIONS[token.text]
        try:
            return tuple(operation(a, b) for a, b in zip(_widened(left, length), _widened(right, length), strict=True))
        except ZeroDivisionError as error:
            raise _error(self._text, "a divisor other than 0", "0", "Correct it.") from error
        except OverflowError as error:
            raise _error(self._text, "numbers that a float can hold", "a larger one", "Correct it.") from error

    def _peek(self) -> _Token | None:
        match = _TOKEN.match(self._text, self._position)
        if match is None or match.lastgroup is None:
            return None
        return _Token(match.lastgroup, match[match.lastgroup], match.end())

    def _advance(self, token: _Token) -> None:
        self._position = token.position

    def _take(self, *marks: str) -> _Token | None:
        token = self._peek()
        if token is None or token.kind != "mark" or token.text not in marks:
            return None
        self._advance(token)
        return token

    def _expect(self, mark: str) -> None:
        if self._take(mark) is None:
            raise self._unexpected(f"'{mark}'")

    def _unexpected(self, expected: str) -> TexelscopeError:
        rest = self._text[self._position :].strip()
        return _error(
            self._text, expected, f"'{rest}'" if rest else "the end", "See grid, size, texel_size, shape, count."
        )


def _widened(value: Vector, length: int) -> Vector:
    return value * length if len(value) == 1 else value


def _error(text: str, expected: str, got: str, do_next: str) -> TexelscopeError:
    return TexelscopeError(f"expression '{text}'", expected, got, do_next)
