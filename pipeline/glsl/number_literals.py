"""Finds the numbers written in a shader's text: value, sign, place and printed precision, without a parser.

The time is linear in the text, so that a table of a hundred thousand numbers takes a fraction of a second.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.glsl.source_text import without_comments

_NUMBER = re.compile(
    r"(?:(?P<sign>[-+])\s*+)?(?<![\w.])"
    r"(?P<digits>\d++(?:\.\d*+)?|\.\d++)(?P<exponent>[eE][-+]?\d{1,9})?(?P<suffix>lf|LF|[fFhH])?(?![\w.])"
)
_DIRECTIVE = re.compile(r"^[ \t]*#[ \t]*(?!define\b)[^\n]*", re.MULTILINE)
# Behind one of these a sign belongs to the number; behind anything else it adds or subtracts.
_BEFORE_A_SIGN = frozenset("(,=*/+-[{<>?:&|!;")
_WORDS_BEFORE_A_SIGN = re.compile(r"\b(?:return|case)\s*\Z|(?m:^[ \t]*#[ \t]*define[ \t]+\w+(?:\([^()\n]*\))?[ \t]*)\Z")
# The end of a text that is searched for one of those words.
_LONGEST_BEFORE = 120
# The share of numbers with fewer digits: the others show how many digits the text's author prints.
_USUAL = 0.9
# Half a unit of the last digit, and a little: which way a tie is rounded depends on who prints it.
_HALF = 0.51
# A text with more numbers is no shader that anyone compares by hand or by rule.
_MOST = 1 << 18
# How precise a float32 is.
_FLOAT32 = 2e-7


@dataclass(frozen=True)
class NumberLiterals:
    """Holds the float literals of a text, in order, N of them; whole numbers count where others beside them are floats.

    `values` (float64) include a sign in front, also that of a sum or a difference. `starts` and `stops` (characters)
    enclose the number, and a sign that is its own; `operators` has the character of a sum's or a difference's sign, -1
    for none. `tolerances` are half a unit of the last printed digit, at most that of the text's usual precision.
    `lists` numbers the runs of literals between which there is a comma alone.
    """

    text: str
    values: NDArray[np.float64]
    starts: NDArray[np.int64]
    stops: NDArray[np.int64]
    operators: NDArray[np.int64]
    tolerances: NDArray[np.float64]
    lists: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.values)

    def written(self, number: int) -> str:
        """Returns a literal as it is written, with its own sign."""
        return self.text[self.starts[number] : self.stops[number]]

    def replaced(self, number: int, value: float) -> tuple[tuple[int, int, str], ...]:
        """Returns the replacements (start, stop, new text) that give a literal, and its sign, another value."""
        start, stop, operator = int(self.starts[number]), int(self.stops[number]), int(self.operators[number])
        old = self.written(number)
        suffix = old[len(old.rstrip("lLfFhH")) :]
        if operator < 0:
            return ((start, stop, _shown(value) + suffix),)
        sign = (operator, operator + 1, "-" if value < 0.0 else "+")
        return (sign, (start, stop, _shown(abs(value)) + suffix))


@lru_cache(maxsize=4)
def number_literals(text: str) -> NumberLiterals:
    """Finds the float literals of a text; numbers in comments and in directives, `#define` apart, are none.

    Of a text with more than a quarter of a million none are returned.
    """
    bare = _DIRECTIVE.sub(lambda match: " " * len(match[0]), without_comments(text))
    values, starts, stops, operators, digits, floats, joined = [], [], [], [], [], [], []
    last = 0
    for match in _NUMBER.finditer(bare):
        number = match["digits"] + (match["exponent"] or "")
        is_float = "." in number or match["exponent"] is not None or match["suffix"] is not None
        start, operator, value = match.start("digits"), -1, float(number)
        if match["sign"] is not None:
            if _is_own_sign(bare, match.start()):
                start = match.start()
            else:
                operator = match.start()
            value = -value if match["sign"] == "-" else value
        joined.append(bare[last : match.start()].strip() == ",")
        last = match.end()
        values.append(value)
        starts.append(start)
        stops.append(match.end())
        operators.append(operator)
        floats.append(is_float)
        digits.append(_precision(match["digits"], match["exponent"] or ""))
        if len(values) > _MOST:
            return number_literals("")
    lists = np.cumsum(~np.array(joined, bool))
    kept = np.bincount(lists, weights=floats)[lists] > 0 if len(lists) else np.zeros(0, bool)
    found, lists = np.array(values, np.float64)[kept], lists[kept]
    whole = [np.array(each, np.int64)[kept] for each in (starts, stops, operators)]
    printed = np.array(digits, np.float64).reshape(-1, 2)[kept]
    is_held = np.isfinite(found)
    starts_kept, stops_kept, operators_kept = (each[is_held] for each in whole)
    tolerances = _tolerances(found, printed)[is_held]
    return NumberLiterals(text, found[is_held], starts_kept, stops_kept, operators_kept, tolerances, lists[is_held])


def _is_own_sign(text: str, at: int) -> bool:
    """Whether the sign there is a number's own, and does not stand between two terms."""
    before = text[max(at - _LONGEST_BEFORE, 0) : at].rstrip(" \t\r\n")
    if not before or before[-1] in _BEFORE_A_SIGN:
        return True
    return _WORDS_BEFORE_A_SIGN.search(text[max(at - _LONGEST_BEFORE, 0) : at]) is not None


def _precision(digits: str, exponent: str) -> tuple[float, float]:
    """Returns the value of one unit of the last printed digit, as a power of ten, and the count of digits printed."""
    whole, _, fraction = digits.partition(".")
    power = int(exponent[1:]) if exponent else 0
    return float(power - len(fraction)), float(len((whole + fraction).lstrip("0")))


def _tolerances(values: NDArray[np.float64], printed: NDArray[np.float64]) -> NDArray[np.float64]:
    """Returns half a unit of each last digit, at most that of the usual precision: zeros at the end are often left out.

    A text's usual precision is one of decimals, or one of digits.
    """
    if not len(values):
        return values
    with np.errstate(all="ignore"):
        powers, counts = printed.T
        decimals, digits = np.quantile(-powers, _USUAL), np.quantile(counts, _USUAL)
        size = np.floor(np.log10(np.maximum(np.abs(values), 1e-30))) + 1.0
        usual = np.maximum(10.0**-decimals, 10.0 ** (size - digits))
        return np.asarray(_HALF * np.minimum(10.0**powers, usual) + _FLOAT32 * np.abs(values))


def _shown(value: float) -> str:
    """Writes a number with the fewest digits that give its float32, as a float of GLSL."""
    text = str(np.float32(value))
    return text if set(text) & set(".e") else f"{text}.0"
