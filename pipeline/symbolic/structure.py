"""Compares two formulas as they are written, where their sums are too different or too long to be compared.

Both are followed from the whole inwards as long as they are the same operation. Equal operands are left out, in any
order where order does not matter; what is left on both sides differs. So each difference that is told is one of equal
surroundings: with it undone, the two formulas are the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from texelscope.pipeline.symbolic.canonical import Forms, NoFormulaError, Place, rounded
from texelscope.pipeline.symbolic.divergence import FormulaComparison
from texelscope.pipeline.symbolic.kinds import Divergence, Missed, Moved, Numbered, Renamed, UnclearError, near
from texelscope.pipeline.symbolic.terms import SymbolicTerm

# Operations whose operands have no order, with nested ones as one.
_CHAINS = frozenset({"+", "*", "max", "min"})
# At most so many operands are looked at, operations deep, and parts tried as sums.
_MOST_OPERANDS, _DEEPEST, _MOST_SUMS = 200_000, 60, 40
# One operand: its sign in a sum, and what it is.
Operand = tuple[int, Any]
# An operation: its name and its operands.
Operation = tuple[str, list[Operand]]


def diverging_terms(comparison: FormulaComparison, forms: Forms, got: Any, expected: Any) -> list[Divergence]:
    """Returns how a formula departs from another one: as sums if that is clear, else as written.

    Raises UnclearError.
    """
    return _StructuralComparison(comparison, forms).diverging(got, expected)


class _StructuralComparison:
    def __init__(self, comparison: FormulaComparison, forms: Forms) -> None:
        self._comparison, self._forms = comparison, forms
        self._ids: dict[tuple[Any, ...], int] = {}
        self._known: dict[int, tuple[Any, int]] = {}
        self._operations: dict[int, Operation] = {}
        self._told: set[tuple[int, int]] = set()
        self._operands_left, self._sums_left = _MOST_OPERANDS, _MOST_SUMS

    def diverging(self, got: Any, expected: Any) -> list[Divergence]:
        return [*dict.fromkeys(self._diverging(got, expected, -1, "", 0))]

    def _bare(self, value: Any) -> Any:
        """Returns a formula without conversions to floats around it, and what an intermediate element stands for."""
        while isinstance(value, SymbolicTerm) and value.op in ("float", "computed"):
            value = value.args[0] if value.op == "float" else self._forms.resolved(value)
        return value

    # -- what terms are --------------------------------------------------------------------------------------------

    def _operation(self, term: SymbolicTerm) -> Operation:
        """Returns a term's name and operands, those of nested sums, products and extremes together."""
        known = self._operations.get(id(term))
        if known is None:
            known = self._operations[id(term)] = self._flat(term)
        return known

    def _flat(self, term: SymbolicTerm) -> Operation:
        chain = "+" if term.op == "-" and len(term.args) == 2 else term.op
        if chain not in _CHAINS:
            return chain, [(1, each) for each in term.args]
        signs = ("+", "-") if chain == "+" else (chain,)
        found: list[Operand] = []
        pending: list[Operand] = [(1, term)]
        while pending:
            sign, each = pending.pop()
            each = self._bare(each)
            self._operands_left -= 1
            if self._operands_left < 0:
                raise UnclearError
            if isinstance(each, SymbolicTerm) and each.op in signs and len(each.args) == 2:
                pending.append((-sign if each.op == "-" else sign, each.args[1]))
                pending.append((sign, each.args[0]))
            elif isinstance(each, SymbolicTerm) or float(each) != (0.0 if chain == "+" else 1.0) or chain not in "+*":
                found.append((sign, each))
        return chain, found

    def _id(self, value: Any) -> int:
        """Returns a number that equal formulas share."""
        pending = [self._bare(value)]
        while pending:
            each = pending[-1]
            if not isinstance(each, SymbolicTerm) or id(each) in self._known or each.op == "read":
                pending.pop()
                continue
            inner = [self._bare(of) for _, of in self._operation(each)[1]]
            missing = [
                of for of in inner if isinstance(of, SymbolicTerm) and of.op != "read" and id(of) not in self._known
            ]
            if missing:
                pending.extend(missing)
                continue
            pending.pop()
            name, operands = self._operation(each)
            ids = [(sign, self._leaf(self._bare(of))) for sign, of in operands]
            key = (name, *(sorted(ids) if name in _CHAINS else ids))
            self._known[id(each)] = (each, self._numbered(key))
        return self._leaf(self._bare(value))

    def _leaf(self, value: Any) -> int:
        if not isinstance(value, SymbolicTerm):
            return self._numbered(("number", rounded(float(value))))
        if value.op == "read":
            return self._numbered(("read", *self._forms.place_of(value)))
        return self._known[id(value)][1]

    def _numbered(self, key: tuple[Any, ...]) -> int:
        return self._ids.setdefault(key, len(self._ids))

    def _reads(self, value: Any) -> set[Place]:
        """Returns the elements that a formula reads."""
        found, seen, pending = set[Place](), set[int](), [self._bare(value)]
        while pending:
            each = pending.pop()
            if not isinstance(each, SymbolicTerm) or id(each) in seen:
                continue
            seen.add(id(each))
            if each.op == "read":
                found.add(self._forms.place_of(each))
            else:
                pending.extend(each.args)
        return found

    # -- comparing -------------------------------------------------------------------------------------------------

    def _diverging(self, got: Any, expected: Any, row: int, inside: str, depth: int) -> list[Divergence]:
        got, expected = self._bare(got), self._bare(expected)
        ids = (self._id(got), self._id(expected))
        if ids[0] == ids[1] or ids in self._told:
            return []
        if depth > _DEEPEST:
            raise UnclearError
        row = got.row if isinstance(got, SymbolicTerm) and got.row >= 0 else row
        found = self._swapped(got, expected, row) or self._as_sums(got, expected)
        if found is None:
            found = self._as_written(got, expected, row, inside, depth)
        self._told.add(ids)
        return found

    def _swapped(self, got: Any, expected: Any, row: int) -> list[Divergence] | None:
        """Names a quotient, or another operation with an order, whose two operands are exchanged."""
        if not (isinstance(got, SymbolicTerm) and isinstance(expected, SymbolicTerm)) or got.op != expected.op:
            return None
        if got.op in (*_CHAINS, "-", "read") or len(got.args) != 2 or len(expected.args) != 2:
            return None
        ids = [[*map(self._id, each.args)] for each in (got, expected)]
        return [Renamed(got.op, got.op, row, is_swapped=True)] if ids[0] == ids[1][::-1] else None

    def _as_sums(self, got: Any, expected: Any) -> list[Divergence] | None:
        if self._sums_left <= 0 or not (isinstance(got, SymbolicTerm) and isinstance(expected, SymbolicTerm)):
            return None
        self._sums_left -= 1
        try:
            return self._comparison.diverging(self._forms.sum_of(got), self._forms.sum_of(expected))
        except (NoFormulaError, UnclearError):
            return None

    def _as_written(self, got: Any, expected: Any, row: int, inside: str, depth: int) -> list[Divergence]:
        if not (isinstance(got, SymbolicTerm) and isinstance(expected, SymbolicTerm)):
            return self._of_numbers(got, expected, row, inside)
        if "read" in (got.op, expected.op) and got.op == expected.op:
            places = [self._forms.place_of(each) for each in (expected, got)]
            return [Moved(places[0], places[1], all(map(self._is_constant, places)), row)]
        (name, mine), (wanted, yours) = (
            _whole(each) if each.op == "read" else self._operation(each) for each in (got, expected)
        )
        if name == wanted:
            inner = self._of_chains if name in _CHAINS else self._of_arguments
            return inner(name, mine, yours, row, depth)
        for chain in (name, wanted):
            if chain in _CHAINS:
                one, other = (ops if of == chain else [(1, each)]
                              for of, ops, each in ((name, mine, got), (wanted, yours, expected)))  # fmt: skip
                less, more = self._left(one, other)
                if not less or not more:
                    return self._of_chains(chain, one, other, row, depth)
        return self._of_names(got, expected, row)

    def _of_names(self, got: SymbolicTerm, expected: SymbolicTerm, row: int) -> list[Divergence]:
        """Names another function of the same operands, or one that is applied on one side alone."""
        (name, mine), (wanted, yours) = (
            _whole(each) if each.op == "read" else self._operation(each) for each in (got, expected)
        )
        ids = [[self._id(of) for _, of in each] for each in (mine, yours)]
        if self._id(expected) in ids[0]:
            return [Renamed("", name, row)]
        if self._id(got) in ids[1]:
            return [Renamed(wanted, "", row)]
        plain = {self._id(of) for _, of in mine if not isinstance(self._bare(of), SymbolicTerm)}
        shared = {*ids[0]} & {*ids[1]} - plain
        is_spelled_otherwise = {name, wanted} == {"*", "/"}  # a division may be a product with a reciprocal
        if shared and not is_spelled_otherwise and self._reads(got) == self._reads(expected):
            return [Renamed(wanted, name, row)]
        raise UnclearError

    def _of_numbers(self, got: Any, expected: Any, row: int, inside: str) -> list[Divergence]:
        numbers, places = list[float](), list[tuple[Place, ...]]()
        for each in (got, expected):
            is_read = (
                isinstance(each, SymbolicTerm) and each.op == "read" and self._is_constant(self._forms.place_of(each))
            )
            if isinstance(each, SymbolicTerm) and not is_read:
                raise UnclearError
            numbers.append(float(each.value if is_read else each))
            places.append((self._forms.place_of(each),) if is_read else ())
        if near(*numbers):
            return []
        return [Numbered(numbers[1], numbers[0], row, expected_at=places[1], got_at=places[0], inside=inside)]

    def _is_constant(self, place: Place) -> bool:
        return self._forms.size_of(place[0]) > 0

    def _of_arguments(
        self, name: str, mine: Sequence[Operand], yours: Sequence[Operand], row: int, depth: int
    ) -> list[Divergence]:
        if len(mine) != len(yours):
            raise UnclearError
        return [found for (_, one), (_, other) in zip(mine, yours, strict=True)
                for found in self._diverging(one, other, row, name, depth + 1)]  # fmt: skip

    def _left(self, mine: Sequence[Operand], yours: Sequence[Operand]) -> tuple[list[Operand], list[Operand]]:
        """Returns the operands of both that the other one does not have, in their order."""
        ids = [[(sign, self._id(of)) for sign, of in each] for each in (mine, yours)]
        return _without(mine, ids[0], Counter(ids[1])), _without(yours, ids[1], Counter(ids[0]))

    def _of_chains(
        self, name: str, mine: Sequence[Operand], yours: Sequence[Operand], row: int, depth: int
    ) -> list[Divergence]:
        one, other = self._left(mine, yours)
        if not one or not other:
            return [self._missed(name, each, row, mine, is_extra=bool(one)) for each in one or other]
        if name == "+" and len(one) == len(other) == 2 == len(mine) == len(yours):
            flipped = sorted((-sign, self._id(of)) for sign, of in one)
            if flipped == sorted((sign, self._id(of)) for sign, of in other):
                return [Renamed("-", "-", row, is_swapped=True)]
        if [sign for sign, _ in one] != [sign for sign, _ in other]:
            raise UnclearError
        return [found for (_, a), (_, b) in zip(one, other, strict=True)
                for found in self._diverging(a, b, row, name, depth + 1)]  # fmt: skip

    def _missed(self, name: str, operand: Operand, row: int, mine: Sequence[Operand], *, is_extra: bool) -> Divergence:
        """Tells of an operand that one side alone has."""
        sign, of = operand[0], self._bare(operand[1])
        is_factor = name == "*"
        if not isinstance(of, SymbolicTerm):
            number, nothing = sign * float(of), float(is_factor)
            if name not in ("+", "*"):
                return Renamed("", name, row) if is_extra else Renamed(name, "", row)
            pair = (nothing, number) if is_extra else (number, nothing)
            return Numbered(*pair, row, is_whole=is_factor, is_added=not is_factor, inside=name)
        places = sorted(self._reads(of), key=lambda place: (self._is_constant(place), place))
        if not places:
            raise UnclearError
        row = of.row if is_extra and of.row >= 0 else row
        weight = places[-1] if len(places) == 2 and self._is_constant(places[1]) else None
        function = "" if of.op == "read" or (of.op == "*" and weight is not None) else of.op
        count = sum(self._id(each) == self._id(of) for _, each in mine) if is_extra else 0
        return Missed(places[0], is_extra, row, float(count) if count > 1 else 0.0, weight, function, is_factor)


def _whole(term: SymbolicTerm) -> Operation:
    return term.op, []


def _without(
    operands: Sequence[Operand], ids: Sequence[tuple[int, int]], others: Counter[tuple[int, int]]
) -> list[Operand]:
    found = []
    for operand, key in zip(operands, ids, strict=True):
        if others[key] > 0:
            others[key] -= 1
        else:
            found.append(operand)
    return found
