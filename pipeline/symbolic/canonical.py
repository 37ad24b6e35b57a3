"""Brings formulas into one form, so that two shaders that compute the same in other words have the same one.

A sum maps monomials to what contributes to them. A monomial is a product of atoms: elements of tensors that are read,
and functions of sums. Constants of the model are numbers, whose places are kept beside them. A function of one sum
(an activation, however it is spelled) is an atom that is known by its values: `max(x, 0)` and `x > 0 ? x : 0` are one.
"""

from __future__ import annotations

import functools
import math
import struct
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from texelscope.pipeline.symbolic.builtins import plain_function
from texelscope.pipeline.symbolic.terms import SymbolicTerm

# An element of a constant: tensor and linear index.
Place = tuple[str, int]
Monomial = tuple[int, ...]
# Where a curve is compared, in units in which its argument's coefficients add up to 1.
GRID = tuple(sign * 10.0**power for power in (-2.0, -1.0, -0.3, 0.0, 0.4, 0.8, 1.2, 1.7, 2.5) for sign in (1.0, -1.0))
# Products of sums with more parts than this stay products.
_MOST_PARTS = 256
# Starts of a running maximum or minimum.
_HUGE = 1e30
# Ratios of terms that differ by less, relatively, are one.
_SPREAD = 1e-3
# Numbers that agree in so many digits are equal, and smaller ones are nothing beside others.
_DIGITS, _NOTHING = 4, 1e-5


class NoFormulaError(Exception):
    """A formula has a part that no form is known of, or is too large."""


@dataclass(frozen=True)
class Part:
    """One contribution to a monomial: a number, the constants that are its factors, and the row that adds it."""

    number: float
    constants: tuple[Place, ...] = ()
    row: int = -1


@dataclass(frozen=True, eq=False)
class Sum:
    """Holds a sum of monomials."""

    parts: Mapping[Monomial, tuple[Part, ...]]

    @cached_property
    def totals(self) -> Mapping[Monomial, float]:
        """Returns the number in front of each monomial; those that cancel are left out."""
        found = {each: sum(part.number for part in parts) for each, parts in self.parts.items()}
        least = _NOTHING * max((abs(number) for each, number in found.items() if each), default=0.0)
        return {each: number for each, number in found.items() if abs(number) > least or number != number}

    @cached_property
    def key(self) -> tuple[Any, ...]:
        """Returns what equal sums have in common."""
        return tuple(sorted((each, rounded(number)) for each, number in self.totals.items()))

    @property
    def number(self) -> float | None:
        """Returns the value of a sum without atoms; None for any other."""
        totals = self.totals
        if not totals:
            return 0.0
        return totals[()] if len(totals) == 1 and () in totals else None

    def scaled(self, factor: float) -> Sum:
        """Returns the sum times a number."""
        return Sum({each: tuple(Part(part.number * factor, part.constants, part.row) for part in parts)
                    for each, parts in self.parts.items()})  # fmt: skip


def rounded(number: float) -> float:
    """Returns a number with the digits that count."""
    return float(f"{number:.{_DIGITS - 1}e}") if math.isfinite(number) else number


def number_sum(number: float, constants: tuple[Place, ...] = (), row: int = -1) -> Sum:
    """Returns a sum that is a number."""
    return Sum({(): (Part(float(number), constants, row),)})


@dataclass(frozen=True)
class Atom:
    """Stands for an element of a tensor (`tensor`, `index`), or for a function `name` of `arguments`.

    A curve has one argument, a linear sum, of which it is the `formula`; `values` are those at `GRID`. The argument
    times `unit` is the sum as the text has it.
    """

    name: str
    tensor: str = ""
    index: int = -1
    arguments: tuple[Sum, ...] = ()
    values: tuple[float, ...] = ()
    formula: Sum | None = None
    unit: float = 1.0
    row: int = -1

    @property
    def is_element(self) -> bool:
        return bool(self.tensor)

    @property
    def is_curve(self) -> bool:
        return bool(self.values)


class Forms:
    """Makes sums of terms, with one table of atoms, so that those of several formulas can be compared."""

    def __init__(
        self,
        tensor_of: Mapping[str, str],
        constants: Mapping[str, Any],
        computed: Callable[[str, int], Any] | None = None,
    ) -> None:
        """`tensor_of` names the tensor of a texture's key, `constants` are flat arrays by tensor.

        `computed` makes the terms that reads of intermediate elements stand for.
        """
        self._computed = computed
        self.atoms: list[Atom] = []
        self._known: dict[tuple[Any, ...], int] = {}
        self._tensor_of, self._constants = tensor_of, constants
        self._sums: dict[int, tuple[SymbolicTerm, Sum]] = {}

    def atom_of(self, number: int) -> Atom:
        """Returns an atom by its number."""
        return self.atoms[number]

    def place_of(self, read: SymbolicTerm) -> Place:
        """Returns the element that a read reads."""
        key, index = read.args
        return self._tensor_of.get(key, key), index

    def size_of(self, tensor: str) -> int:
        """Returns the number of elements of a constant; 0 of any other tensor."""
        return len(self._constants.get(tensor, ()))

    def sum_of(self, value: Any) -> Sum:
        """Returns the form of a term or a number. Raises NoFormulaError."""
        if not isinstance(value, SymbolicTerm):
            return number_sum(float(value))
        known = self._sums.get(id(value))
        if known is None:
            known = self._sums[id(value)] = (value, self._made(value))  # the term stays, so that its id does
        return known[1]

    def resolved(self, term: SymbolicTerm) -> Any:
        """Returns the formula of an intermediate element. Raises NoFormulaError where nobody makes it."""
        if self._computed is None:
            raise NoFormulaError("an intermediate element")
        return self._computed(*term.args)

    def _made(self, term: SymbolicTerm) -> Sum:
        op, row = term.op, term.row
        if op == "read":
            key, index = term.args
            return self._element(key, index, row)
        if op == "computed":
            return self.sum_of(self.resolved(term))
        if op in ("+", "-"):
            return self._added(term)
        if op == "*":
            return self._curved(self.product(self.sum_of(term.args[0]), self.sum_of(term.args[1]), row), row)
        if op == "/":
            return self._quotient(self.sum_of(term.args[0]), self.sum_of(term.args[1]), row)
        if op == "float":
            return self.sum_of(term.args[0])
        given = [self.sum_of(each) for each in term.args]
        if op == "select":
            extreme = self._chosen(term, given, row)
            return extreme if extreme is not None else self._function(op, self._ordered(term, given, row), row)
        if op in ("min", "max"):
            return self._extreme(op, given, row)
        if op == "pow" and given[1].number is not None:
            return self._power(given[0], given[1].number, given[1], row)
        if op == "inversesqrt":
            return self._quotient(number_sum(1.0), self._function("sqrt", given, row), row)
        return self._function(op, given, row)

    def _element(self, key: str, index: int, row: int) -> Sum:
        tensor = self._tensor_of.get(key, key)
        values = self._constants.get(tensor)
        if values is not None:
            number = float(values[index]) if 0 <= index < len(values) else 0.0
            return number_sum(number, ((tensor, index),), row)
        atom = self._number_of(("element", tensor, index), lambda: Atom("element", tensor, index, row=row))
        return Sum({(atom,): (Part(1.0, (), row),)})

    def _number_of(self, key: tuple[Any, ...], make: Callable[[], Atom]) -> int:
        if key not in self._known:
            self._known[key] = len(self.atoms)
            self.atoms.append(make())
        return self._known[key]

    def _added(self, term: SymbolicTerm) -> Sum:
        """Adds up a chain of sums without descending into it: it may have thousands of parts."""
        pending: list[tuple[Any, float, int]] = [(term, 1.0, term.row)]
        found: dict[Monomial, list[Part]] = {}
        while pending:
            each, sign, row = pending.pop()
            if isinstance(each, SymbolicTerm) and each.op in ("+", "-") and id(each) not in self._sums:
                pending.append((each.args[0], sign, each.row))
                pending.append((each.args[1], sign if each.op == "+" else -sign, each.row))
                continue
            for monomial, parts in self.sum_of(each).parts.items():
                found.setdefault(monomial, []).extend(
                    Part(sign * part.number, part.constants, part.row if part.row >= 0 else row) for part in parts
                )
        return self._curved(Sum({each: tuple(parts) for each, parts in found.items()}), term.row)

    def product(self, a: Sum, b: Sum, row: int) -> Sum:
        """Multiplies two sums; of two long ones, one becomes an atom."""
        if len(a.parts) * len(b.parts) > _MOST_PARTS and len(a.parts) > 1 and len(b.parts) > 1:
            a, b = self._whole(a, row), self._whole(b, row)
        found: dict[Monomial, list[Part]] = {}
        for one, parts in a.parts.items():
            for other, others in b.parts.items():
                into = found.setdefault(tuple(sorted((*one, *other))), [])
                if len(parts) * len(others) > _MOST_PARTS:  # by which constants is too long to tell
                    into.append(Part(sum(x.number for x in parts) * sum(y.number for y in others), (), row))
                    continue
                into.extend(Part(x.number * y.number, (*x.constants, *y.constants), row) for x in parts for y in others)
        return Sum({each: tuple(parts) for each, parts in found.items()})

    def _whole(self, of: Sum, row: int) -> Sum:
        atom = self._number_of(("sum", of.key), lambda: Atom("sum", arguments=(of,), row=row))
        return Sum({(atom,): (Part(1.0, (), row),)})

    def _quotient(self, a: Sum, b: Sum, row: int) -> Sum:
        divisor = b.number
        if divisor is not None:
            constants = next(iter(b.parts.values()))[0].constants if len(b.parts) == 1 else ()
            if divisor == 0.0:
                raise NoFormulaError("a division by zero")
            return self.product(a, number_sum(1.0 / divisor, constants), row)
        return self._curved(self.product(a, self._function("reciprocal", [b], row), row), row)

    def _extreme(self, op: str, given: Sequence[Sum], row: int) -> Sum:
        """Makes one atom of nested maxima; the start of a running one is left out."""
        arguments: dict[tuple[Any, ...], Sum] = {}
        for each in given:
            inner = self._only_atom(each)
            for of in inner.arguments if inner is not None and inner.name == op else (each,):
                number = of.number
                if number is None or abs(number) < _HUGE:
                    arguments[of.key] = of
        if len(arguments) == 1:
            return next(iter(arguments.values()))
        ordered = [arguments[key] for key in sorted(arguments)]
        return self._function(op, ordered, row)

    def _chosen(self, term: SymbolicTerm, given: Sequence[Sum], row: int) -> Sum | None:
        """Returns the maximum or minimum that `a > b ? a : b` is; None for any other choice."""
        condition = term.args[0]
        if not isinstance(condition, SymbolicTerm) or condition.op not in (">", ">=", "<", "<="):
            return given[1] if given[1].key == given[2].key else None
        sides = [self.sum_of(each).key for each in condition.args]
        chosen = [given[1].key, given[2].key]
        if sides not in (chosen, chosen[::-1]):
            return None
        return self._extreme("max" if (condition.op[0] == ">") == (sides == chosen) else "min", given[1:], row)

    def _ordered(self, term: SymbolicTerm, given: Sequence[Sum], row: int) -> Sequence[Sum]:
        """Returns a choice as one by `a < b`, whichever comparison it is written with, as if both never were equal."""
        condition = term.args[0]
        if not isinstance(condition, SymbolicTerm) or condition.op not in (">", ">=", "<", "<="):
            return given
        a, b = (self.sum_of(each) for each in condition.args)
        is_less = condition.op[0] == "<"
        if b.key < a.key if (a.number is None) == (b.number is None) else a.number is not None:
            a, b, is_less = b, a, not is_less
        return self._function("<", [a, b], row), *(given[1:] if is_less else given[:0:-1])

    def _power(self, of: Sum, exponent: float, written: Sum, row: int) -> Sum:
        """Makes a power by its plainest name: a square as a product, a root, and a quotient of a negative one."""
        if exponent < 0.0:
            positive = self._power(of, -exponent, written.scaled(-1.0), row)
            return self._quotient(number_sum(1.0), positive, row)
        if exponent == 2.0:
            return self._curved(self.product(of, of, row), row)
        return self._function("sqrt", [of], row) if exponent == 0.5 else self._function("pow", [of, written], row)

    def _only_atom(self, of: Sum) -> Atom | None:
        """Returns the atom that a sum is, times 1; else None."""
        totals = of.totals
        if len(totals) != 1:
            return None
        (monomial, number) = next(iter(totals.items()))
        return self.atoms[monomial[0]] if len(monomial) == 1 and number == 1.0 else None

    def _function(self, name: str, given: Sequence[Sum], row: int) -> Sum:
        numbers = [each.number for each in given]
        if all(number is not None for number in numbers):
            value = _value(name, [float(number or 0.0) for number in numbers])
            constants = tuple(place for each in given for parts in each.parts.values() for of in parts
                              for place in of.constants)  # fmt: skip
            return number_sum(value, constants, row)
        key = (name, *(each.key for each in given))
        atom = self._number_of(key, lambda: Atom(name, arguments=tuple(given), row=row))
        return self._curved(Sum({(atom,): (Part(1.0, (), row),)}), row)

    # -- curves ----------------------------------------------------------------------------------------------------

    def is_linear(self, of: Sum) -> bool:
        """Whether a sum is of elements times numbers alone, with at least one element."""
        return all(len(each) <= 1 and (not each or self.atoms[each[0]].is_element) for each in of.totals) and any(
            of.totals
        )

    def _curved(self, of: Sum, row: int) -> Sum:
        """Returns a sum as a curve of the one linear sum that it is made of; unchanged where it is none."""
        if all(self.atoms[atom].is_element or self.atoms[atom].name == "sum" for each in of.parts for atom in each):
            return of
        core = self._core(of)
        if core is None:
            return of
        unit = sum(abs(number) for each, number in core.totals.items() if each)
        first = min(each for each in core.totals if each)
        unit = math.copysign(unit, core.totals[first])
        argument = core.scaled(1.0 / unit)
        found = [self._at(of, argument, at) for at in GRID]
        if all(math.isnan(value) for value in found):
            return of
        slopes = [(b - a) / (y - x) for a, b, x, y in zip(found, found[1:], GRID, GRID[1:], strict=False)]
        if max(slopes) - min(slopes) <= _NOTHING * abs(slopes[0]):  # a straight line, such as max(x, x)
            line = argument.scaled(slopes[0])
            return Sum({**line.parts, (): (*line.parts.get((), ()), Part(found[0] - slopes[0] * GRID[0], (), row))})
        values = tuple(0.0 if abs(value) < _NOTHING else rounded(value) for value in found)
        key = ("curve", values, argument.key)
        atom = self._number_of(
            key, lambda: Atom("curve", arguments=(argument,), values=values, formula=of, unit=unit, row=row)
        )
        return Sum({(atom,): (Part(1.0, (), row),)})

    def _core(self, of: Sum) -> Sum | None:
        """Returns the linear sum of which all others in a formula are multiples, if there is one."""
        cores: list[Sum] = []
        if not self._gather(of, cores, set()) or not cores:
            return None
        core = max(cores, key=lambda each: len(each.totals))
        return core if all(_ratio(each, core) is not None for each in cores) else None

    def _gather(self, of: Sum, cores: list[Sum], seen: set[int]) -> bool:
        groups = self._by_functions(of)
        if any(len(elements) > 1 for linear in groups.values() for elements in linear.parts):
            return False
        for atom in dict.fromkeys(atom for functions in groups for atom in functions):
            if atom not in seen:
                seen.add(atom)
                if not all(self._gather(inner, cores, seen) for inner in self.atoms[atom].arguments):
                    return False
        cores += [linear for linear in groups.values() if any(linear.totals)]
        return True

    def _by_functions(self, of: Sum) -> dict[Monomial, Sum]:
        """Returns by each product of functions the sum of elements that it is a factor of."""
        groups: dict[Monomial, dict[Monomial, tuple[Part, ...]]] = {}
        for each, parts in of.parts.items():
            elements = tuple(atom for atom in each if self.atoms[atom].is_element)
            functions = tuple(atom for atom in each if not self.atoms[atom].is_element)
            groups.setdefault(functions, {})[elements] = parts
        return {functions: Sum(inner) for functions, inner in groups.items()}

    def _at(self, of: Sum, argument: Sum, at: float) -> float:
        """Returns the value of a formula where the linear sum `argument` has the value `at`."""
        total = 0.0
        for functions, linear in self._by_functions(of).items():
            value = linear.totals.get((), 0.0)
            if any(linear.totals):
                ratio = _ratio(linear, argument)
                assert ratio is not None
                value += ratio * (at - argument.totals.get((), 0.0))
            for number in functions:
                value *= self._atom_at(self.atoms[number], argument, at)
            total += value
        return total

    def curve_at(self, atom: Atom, at: float) -> float:
        """Returns a curve's value where its argument times its unit is `at`."""
        assert atom.formula is not None
        return self._at(atom.formula, atom.arguments[0], at / atom.unit)

    def _atom_at(self, atom: Atom, argument: Sum, at: float) -> float:
        given = [self._at(each, argument, at) for each in atom.arguments]
        if atom.formula is not None:
            return self._at(atom.formula, atom.arguments[0], given[0])
        return given[0] if atom.name == "sum" else _value(atom.name, given)


def _ratio(of: Sum, to: Sum) -> float | None:
    """Returns the number that makes the elements of one linear sum those of another; None if none does."""
    one = {each: number for each, number in of.totals.items() if each}
    other = {each: number for each, number in to.totals.items() if each}
    if one.keys() != other.keys() or not one:
        return None
    ratios = [number / other[each] for each, number in one.items()]
    is_one = max(ratios) - min(ratios) <= _SPREAD * abs(ratios[0])
    return sum(ratios) / len(ratios) if is_one else None


def _value(name: str, given: Sequence[float]) -> float:
    if name == "reciprocal":
        return 1.0 / given[0] if given[0] else math.inf
    if name == "select":
        return given[1] if given[0] else given[2]
    if name in ("&&", "||", "!"):
        return float(not given[0] if name == "!" else all(given) if name == "&&" else any(given))
    try:
        if name in ("min", "max"):  # of any number
            return float(functools.reduce(plain_function(name), given))
        return float(plain_function(name)(*given))
    except OverflowError:
        return math.inf
    except (ValueError, ZeroDivisionError, TypeError, KeyError, struct.error):
        return math.nan
