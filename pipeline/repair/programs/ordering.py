"""Orders mutations, the likeliest first by hints from the diagnosis, and groups them into mutant schemata.

Findings ask for names and signs that a mutation inserts, and for changes of addresses or of values.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.glsl.lines import Line
from texelscope.pipeline.repair.programs.mutant_schema import Mutant
from texelscope.pipeline.repair.text.mutation import Kind

_TOKEN = re.compile(r"[A-Za-z_]\w*|\d[\w.]*|\.\d[\w.]*|[-+*/%<>=!]=|&&|\|\||\S")
# A part of a name has at least this many letters; shorter ones count only between underscores.
_A_PART = 3
# Of the mutations asked for, those with the fewest new words come before all others, up to so many operations.
_MOST = 10_000
# The same without a finding.
_MOST_OF_NODES = 4_000
# The most operations that mutations add to one schema: larger ones compile slowly. For heavier mutations, which copy
# functions, the most of one rank, nearest to suspicious lines, in schemata of their own.
WEIGHT, _HEAVY, _MOST_HEAVY = 500, 4_000, 24_000
# A mutation with this many operations or more compiles a hundred times slower than most: such come last in a rank.
LABORIOUS = 40
# The rank of mutations asked for, which is that of missing statements. The rank of values where addresses are at fault,
# or the other way round. The rank of the model's functions, without a finding.
_ASKED, _ELSEWHERE, _OF_NODES = -1, 3, 2
# The rank of numbers on a line with this many of them, unless a finding names it.
_OF_TABLES, _WEIGHTS = 2, 4
_FRACTION = re.compile(r"-?(\d+\.\d*|\.\d+)([eE][-+]?\d+)?[fF]?")
# A fourth of the insertions are quotients by sizes, or by their roots, and few are right: they come late in a rank.
_DIVIDED = re.compile(r"/ (sqrt\()?\d+\.0\)?$")
# The rank of likely operators near suspicious lines, if no finding names the line. Last in it come added numbers, one
# template for all of them at a place: few schemata, before pairs.
_LIKELY = 1
# Spellings of operators in shaders: GLSL's own, parts of names that people give to functions, signs.
SPELLED: Mapping[str, tuple[str, ...]] = {
    "Relu": ("max", "relu"), "LeakyRelu": ("relu", "max", "mix", "?"), "PRelu": ("relu", "max", "min", "mix", "slope"),
    "Sigmoid": ("exp", "sigm", "logistic"), "Tanh": ("tanh",), "Neg": ("-",), "Abs": ("abs",), "Sqrt": ("sqrt", "pow"),
    "Exp": ("exp",), "Log": ("log",), "Softplus": ("log", "softplus"), "Elu": ("elu", "exp"), "Selu": ("elu", "exp"),
    "Celu": ("elu", "exp"), "Gelu": ("gelu", "tanh", "erf"), "Erf": ("erf", "tanh"), "Mish": ("mish", "tanh"),
    "Clip": ("clamp", "min", "max"), "HardSigmoid": ("clamp", "min", "hard"), "HardSwish": ("clamp", "min", "hard"),
    "Swish": ("swish", "silu", "exp"), "Mul": ("*",), "Div": ("/",), "Reciprocal": ("/",), "Sub": ("-", "+"),
    "Add": ("+", "-"),
    "Floor": ("floor",), "Round": ("roundeven", "round"), "Softsign": ("abs",), "Max": ("max",), "Min": ("min",),
    "MaxPool": ("max",), "Pow": ("pow", "*"), "Softmax": ("exp", "/"), "ReduceMean": ("/",),
    "AveragePool": ("/",), "GlobalAveragePool": ("/",),
}  # fmt: skip


@dataclass(frozen=True)
class LikelyEdits:
    """What a fix is likely to look like.

    It inserts one of `words`: parts of names in small letters, whole names, signs. It changes `addresses`, or, if that
    is False, values; None if unknown. Unless a finding asks for it (`is_by_finding`), the words are only those of the
    model's operators.
    """

    words: frozenset[str] = frozenset()
    addresses: bool | None = None
    is_by_finding: bool = True

    def likeliest(self, edits: Iterable[Mutant]) -> dict[int, int]:
        """Returns, for short mutations that insert words asked for, their number and how many new words they have."""
        found: dict[int, tuple[int, int]] = {}
        for edit in edits if self.words else ():
            if self.is_elsewhere(edit) or (self.addresses and not edit.is_address):
                continue
            comes = _comes(edit)
            if any(self._has(word) for word in comes):
                found.setdefault(edit.number, (sum(comes.values()), edit.compile_cost))
        likeliest, operations = dict[int, int](), 0
        for number, (words, compile_cost) in sorted(found.items(), key=lambda each: each[1]):
            operations += compile_cost
            if operations > (_MOST if self.is_by_finding else _MOST_OF_NODES):
                break
            likeliest[number] = words
        return likeliest

    def is_elsewhere(self, edit: Mutant) -> bool:
        """Whether a mutation changes values where addresses are at fault, or the other way round."""
        return None not in (self.addresses, edit.is_address) and edit.is_address != self.addresses

    def _has(self, word: str) -> bool:
        is_part = any(len(part) >= _A_PART and part in word for part in self.words)
        return is_part or not self.words.isdisjoint((word, *word.split("_")))


def _comes(edit: Mutant) -> Counter[str]:
    """Returns the words that a mutation inserts."""
    comes: Counter[str] = Counter()
    for place in edit.places:
        comes += Counter(_words(place.new)) - Counter(_words(place.old))
    return comes


@lru_cache(maxsize=1 << 14)
def _words(text: str) -> tuple[str, ...]:
    return tuple(_TOKEN.findall(text.lower()))


# If no finding asks for anything.
NOTHING = LikelyEdits()


class NumberedCauses(Protocol):
    """Provides numbered causes; see `pipeline.diagnose.explain`."""

    def values_at(self, elements: NDArray[np.int64]) -> Iterator[tuple[int, NDArray[np.float64]]]:
        """Yields each number with the values of some elements of the first output under that cause."""

    def whole(self, number: int) -> NDArray[np.float64] | None:
        """Returns the first output under one cause, its elements in order; None if it does not apply."""


@dataclass(frozen=True)
class SearchHints:
    """Search hints: suspicious lines of the shader, and numbers expected somewhere; the likeliest first.

    For two faults `single_fault_outputs` are the first output without each, its elements in order. `bindings` are
    samplers with the tensors that belong to them, `settings` unset uniforms by their key in the pipeline file, each
    with the texts of its value, the likeliest first. If `of_plan`, no text is searched. Mutation operators in
    `first` are the likeliest. One of `partners` may be the cause of everything that a mutation leaves. Values that
    are `is_rounded` have the digits of a lower precision. With `of_other_inputs` another tensor is read. Mutations
    with the words `asked` are tried first. A finding that explains everything says of the lines `blamed` that they read
    a tensor wrongly.
    """

    lines: tuple[Line, ...] = ()
    numbers: tuple[float, ...] = ()
    single_fault_outputs: tuple[NDArray[Any], ...] = ()
    bindings: tuple[tuple[str, str], ...] = ()
    of_plan: bool = False
    first: frozenset[Kind] = frozenset()
    partners: NumberedCauses | None = None
    is_rounded: bool = False
    of_other_inputs: bool = False
    asked: LikelyEdits = NOTHING
    settings: tuple[tuple[str, tuple[str, ...]], ...] = ()
    blamed: frozenset[Line] = frozenset()


def functions_of(operators: Iterable[str]) -> frozenset[str]:
    """Returns the words among the spellings of some operators, without signs."""
    return frozenset(word for each in operators for word in SPELLED.get(each, ()) if word.isalpha())


def programs(
    edits: Sequence[Mutant],
    lines: Sequence[Line],
    first: frozenset[Kind] = frozenset(),
    named: Sequence[Line] = (),
    asked: LikelyEdits = NOTHING,
) -> list[tuple[int, list[Mutant]]]:
    """Groups the mutations by rank, schema by schema; those of one place and template stay together.

    A repair in one rank makes the next ones unnecessary. Operators in `first` come early near `lines`, all mutations on
    the lines `named` by a finding come with the first rank, and before them those `asked` for.
    """
    branches: dict[int, list[Mutant]] = {}
    for edit in edits:
        branches.setdefault(edit.number, []).append(edit)
    tables = _tables(edits) - {*named}
    found: list[tuple[int, list[Mutant]]] = []
    room, heavy, likeliest = 0, Counter[int](), asked.likeliest(edits)

    def order(edit: Mutant) -> tuple[int, int, bool, bool, bool, bool, bool, int]:
        if edit.number in likeliest and edit.compile_cost <= WEIGHT:
            is_known = edit.line in named
            rank = _ASKED if asked.is_by_finding else min(_OF_NODES, rank_of(edit, lines, first, named))
            is_far = not is_near(edit, lines)
            return rank, likeliest[edit.number], False, not is_known, False, False, is_far, edit.compile_cost
        is_elsewhere = asked.is_elsewhere(edit)
        rank = _ELSEWHERE if is_elsewhere and edit.compile_cost <= WEIGHT else rank_of(edit, lines, first, named)
        is_a_number = edit.proposal.kind == "added" and not is_elsewhere and _LIKELY < rank <= _RANKS["added"]
        rank = _LIKELY if is_a_number else rank
        return (
            max(rank, _OF_TABLES) if edit.line in tables and _is_a_fraction(edit) else rank,
            is_a_number,
            is_elsewhere,
            edit.line not in named,
            edit.compile_cost > LABORIOUS,
            edit.line not in named and _DIVIDED.search(edit.proposal.new) is not None,
            not is_near(edit, lines),
            edit.compile_cost,
        )

    ordered = sorted(((order(each[0]), each) for each in branches.values()), key=lambda each: each[0])
    for (rank, *_), branch in ordered:
        compile_cost = branch[0].compile_cost
        if compile_cost > WEIGHT:
            heavy[rank] += compile_cost
            if compile_cost > _HEAVY or heavy[rank] > _MOST_HEAVY:
                continue
        if not found or compile_cost > room or found[-1][0] != rank or crosses(branch[0], found[-1][1]):
            found.append((rank, []))
            room = _HEAVY if compile_cost > WEIGHT else WEIGHT
        room -= compile_cost
        found[-1][1].extend(branch)
    return found


def _tables(edits: Sequence[Mutant]) -> set[Line]:
    """Returns lines of written-out weights, where other numbers are tried after those elsewhere."""
    places: dict[Line, set[int]] = {}
    for edit in edits:
        if _is_a_fraction(edit):
            places.setdefault(edit.line, set()).add(edit.proposal.start)
    return {line for line, some in places.items() if len(some) >= _WEIGHTS}


def _is_a_fraction(edit: Mutant) -> bool:
    """Whether a mutation changes one number with a decimal point."""
    return _FRACTION.fullmatch(edit.proposal.old) is not None


def is_laborious(edits: Sequence[Mutant]) -> bool:
    """Whether a schema has few mutations that are each slow to compile."""
    return any(edit.compile_cost > LABORIOUS for edit in edits)


def rank_of(
    edit: Mutant, lines: Sequence[Line] = (), first: frozenset[Kind] = frozenset(), named: Sequence[Line] = ()
) -> int:
    """Returns the rank of a mutation, the first ones tried first; see `programs`."""
    rank = _RANKS[edit.proposal.kind]
    if edit.compile_cost > WEIGHT:
        return _RANKS_OF_HEAVY[rank >= _RANKS["put in"]]
    if edit.line in named:
        return min(rank, 0)
    return min(rank, _LIKELY) if edit.proposal.kind in first and is_near(edit, lines) else rank


def halved(edits: Sequence[Mutant]) -> list[list[Mutant]]:
    """Splits the mutations of a schema that the driver refused; none if it has a single place."""
    numbers = sorted({edit.number for edit in edits})
    if len(numbers) < 2:
        return []
    first = {*numbers[: len(numbers) // 2]}
    return [[edit for edit in edits if (edit.number in first) == wanted] for wanted in (True, False)]


def crosses(edit: Mutant, others: Sequence[Mutant]) -> bool:
    """Whether places overlap partly: a statement with its successor, and that with its own."""
    own = [each for each in edit.places if each.kind == "statement"]
    return bool(own) and any(
        each.start < place.start < each.stop < place.stop or place.start < each.start < place.stop < each.stop
        for each in own
        for other in others
        for place in other.places
        if place.kind == "statement"
    )


def is_near(edit: Mutant, lines: Sequence[Line]) -> bool:
    """Whether a mutation is on one of some lines, or beside one."""
    return any(edit.line[0] == file and abs(edit.line[1] - number) <= 1 for file, number in lines)


_RANKS = {"barrier": -1, "left out": -1, "copied": -1, "replaced": 0, "swapped": 1, "index": 1, "statement": 1,
          "added": 3, "put in": 3, "moved": 3}  # fmt: skip
# Heavy replacements, and heavy insertions: a driver may need long for them.
_RANKS_OF_HEAVY = (2, 4)
