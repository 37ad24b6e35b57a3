"""Evaluates sizes and conditions of mpv user shaders: reverse Polish notation over sizes of textures.

Words are numbers, `NAME.w` and `NAME.h` (`.width` and `.height` too) in texels, names of parameters and of an ENUM's
values (libplacebo's addition), and the operators `+ - * / %`
(remainder with the sign of the dividend), `> < =` (1 or 0; `==` is the same) and `!` (1 of 0, else 0).
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from texelscope.pipeline.dialects.mpv.places import FileLine
from texelscope.pipeline.errors import TexelscopeError

Sizes = Callable[[str], tuple[float, float] | None]

_SIZE = re.compile(r"(?P<name>\S+?)\.(?P<axis>w|h|width|height)")
_NUMBER = re.compile(r"[0-9]{1,30}(?:\.[0-9]{0,30})?(?:[eE][+-]?[0-9]{1,2})?")
_NAME = re.compile(r"[A-Za-z_]\w{0,99}")
_NOTHING: Mapping[str, float] = MappingProxyType({})
_TWO: dict[str, Callable[[float, float], float]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a / b if b else math.nan,
    "%": lambda a, b: math.fmod(a, b) if b else math.nan,
    ">": lambda a, b: float(a > b),
    "<": lambda a, b: float(a < b),
    "=": lambda a, b: float(a == b),
    "==": lambda a, b: float(a == b),
}


@dataclass(frozen=True)
class Size:
    """Looks up the width (axis 0) or height (axis 1) of a texture."""

    name: str
    axis: int


@dataclass(frozen=True)
class RpnVariable:
    """Looks up a parameter's value, or the number of an ENUM's value."""

    name: str


@dataclass(frozen=True)
class Expression:
    """An expression whose operators all have their operands; `text` is as written."""

    text: str
    place: FileLine
    words: tuple[float | Size | RpnVariable | str, ...]

    @property
    def names(self) -> frozenset[str]:
        """Returns the textures whose size it uses."""
        return frozenset(word.name for word in self.words if isinstance(word, Size))

    @property
    def variables(self) -> frozenset[str]:
        """Returns the parameters whose value it uses."""
        return frozenset(word.name for word in self.words if isinstance(word, RpnVariable))

    def check_variables(self, known: Collection[str]) -> None:
        """Raises TexelscopeError for a name that is none of the `known` parameters."""
        for word in self.words:
            if isinstance(word, RpnVariable) and word.name not in known:
                raise _unknown(word.name, self.text, self.place)

    def value(self, sizes: Sizes, numbers: Mapping[str, float] = _NOTHING) -> float:
        """Returns its value, `numbers` being those of parameters.

        Raises TexelscopeError for a texture missing in `sizes`, and for a division by zero.
        """
        stack: list[float] = []
        for word in self.words:
            if isinstance(word, float):
                stack.append(word)
            elif isinstance(word, Size):
                size = sizes(word.name)
                if size is None:
                    raise self.place.fault(
                        "the size of a texture that is there when this block runs",
                        f"'{word.name}'",
                        "Save it in an earlier block, or name a plane, HOOKED, NATIVE_CROPPED or OUTPUT.",
                    )
                stack.append(size[word.axis])
            elif isinstance(word, RpnVariable):
                stack.append(numbers[word.name])
            elif word == "!":
                stack.append(float(not stack.pop()))
            else:
                second, first = stack.pop(), stack.pop()
                stack.append(_TWO[word](first, second))
                if not math.isfinite(stack[-1]):
                    raise self.place.fault(
                        "a finite number", f"{first:g} {second:g} {word} in '{self.text}'", "Divide by no zero."
                    )
        return stack[0]


def expression(text: str, place: FileLine) -> Expression:
    """Parses an expression. Raises TexelscopeError for unknown words and for missing or superfluous numbers."""
    words: list[float | Size | RpnVariable | str] = []
    depth = 0
    for word in text.split():
        size = _SIZE.fullmatch(word)
        if size is not None:
            words.append(Size(size["name"], int(size["axis"] in ("h", "height"))))
            depth += 1
        elif _NUMBER.fullmatch(word):
            words.append(float(word))
            depth += 1
        elif _NAME.fullmatch(word):
            words.append(RpnVariable(word))
            depth += 1
        elif word == "!" or word in _TWO:
            needs = 1 if word == "!" else 2
            if depth < needs:
                raise place.fault(
                    f"{needs} number{'s' if needs > 1 else ''} before '{word}' in reverse Polish notation",
                    f"{depth} in '{text}'",
                    "Write both sides first, then the operator: 'OUTPUT.w MAIN.w >'.",
                )
            depth -= needs - 1
            words.append(word)
        else:
            raise _unknown(word, text, place)
    if depth != 1:
        raise place.fault(
            "one number to be left of an expression in reverse Polish notation",
            f"{depth} of '{text}'" if words else "an empty expression",
            "Write as many operators as it needs, each behind its two sides.",
        )
    return Expression(text, place, tuple(words))


def _unknown(word: str, text: str, place: FileLine) -> TexelscopeError:
    return place.fault(
        "numbers, NAME.w, NAME.h, parameters and + - * / % > < = !", f"'{word}' in '{text}'", "Correct the word."
    )
