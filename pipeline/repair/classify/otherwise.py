"""Classifies edits that leave the reads as they are: a divisor, a factor, a summand, lanes, or operands regrouped.

A text's products are found by its words: a factor that moves is multiplied by something else.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from texelscope.pipeline.compare.repairs import apart, common_ends
from texelscope.pipeline.glsl.semantics.expressions import BinaryExpression
from texelscope.pipeline.glsl.semantics.questions import OTHER_READS, READS
from texelscope.pipeline.glsl.semantics.statements import CompoundStatement
from texelscope.pipeline.glsl.semantics.tree import SyntaxNode
from texelscope.pipeline.glsl.semantics.types import is_matrix
from texelscope.pipeline.repair.classify.single_fault import ROOTS, RepairedText

Words = Sequence[str]
_PUNCTUATION = frozenset("(),;")
_OPENING, _CLOSING = frozenset("(["), frozenset(")]")
_DEPTH = {**dict.fromkeys(_OPENING, 1), **dict.fromkeys(_CLOSING, -1)}
# One factor or divisor, with its sign in front.
Factor = tuple[str, ...]
Otherwise = Literal[
    "element", "number", "epsilon", "turned", "lanes", "count", "factor", "summand", "partner", "capped",
    "reset", "guard", "function", "sign",
]  # fmt: skip
_LANES = frozenset("xyzw") | frozenset("rgba") | frozenset("stpq")
_SIGNS = frozenset("+-*/")
# The beginning of a number with an exponent.
_BEGUN = re.compile(r"-?[\d.]+[eE]")
_COMPARING = frozenset("<>=")
# Functions that make vectors, or interpolate.
_VECTORS = frozenset({"vec2", "vec3", "vec4", "mix"})
# Functions that change with the order of their arguments.
_OF_ORDER = frozenset({"lessThan", "lessThanEqual", "greaterThan", "greaterThanEqual", "step", "pow", "smoothstep"})
# All lanes of a vector but one.
_MOST_LANES = 3


@dataclass(frozen=True)
class MovedFactor:
    """A factor that moves: whether it crosses a function, and whether it applies to more of a sum."""

    words: Factor
    crosses: bool
    is_wider: bool


def moved_factor(before: Words, after: Words) -> MovedFactor | None:
    """Returns the factor or divisor that moves, if all other words stay in order; else None.

    A factor may move from a summand to the sum, or from a function's argument to its value. Of two candidates at a
    parenthesis it is the one that stays in a product.
    """
    partners = [[*_partners(words)] for words in (before, after)]
    found = []
    for factor, others in partners[0]:
        now = [other for each, other in partners[1] if each == factor]
        if now and others not in now and {*_without(before, factor)} & {*_without(after, factor)}:
            is_wider = any(map(_is_a_sum, now[0])) and not any(map(_is_a_sum, others))
            crosses = _calls_around(before, factor[1:]) != _calls_around(after, factor[1:])
            found.append((bool(others and now[0]), MovedFactor(factor[1:], crosses, is_wider)))
    return max(found, key=lambda each: each[0])[1] if found else None


def bare_words(words: Words) -> list[str]:
    """Returns words without punctuation."""
    return [word for word in words if word not in _PUNCTUATION]


def _is_a_sum(factor: Factor) -> bool:
    """Whether a factor is a parenthesis with a sum inside."""
    return factor[1] == "(" and any(sign in factor[2:] for sign in "+-")


def _calls_around(words: Words, part: Words) -> Counter[tuple[str, ...]]:
    """Counts the calls around each occurrence of a part of a text."""
    found: Counter[tuple[str, ...]] = Counter()
    around: list[str] = []
    for at, word in enumerate(words):
        if tuple(words[at : at + len(part)]) == tuple(part):
            found[tuple(filter(None, around))] += 1
        if word in _OPENING:
            last = words[at - 1] if at else ""
            around.append(last if last[:1].isalpha() or last[:1] == "_" else "")
        elif word in _CLOSING:
            del around[-1:]
    return found


def _partners(words: Words) -> Iterator[tuple[Factor, tuple[Factor, ...]]]:
    """Yields each factor of each product of a text with the others of that product."""
    for product in _products(words):
        for at, factor in enumerate(product):
            yield factor, tuple(sorted((*product[:at], *product[at + 1 :])))


def _products(words: Words) -> Iterator[list[Factor]]:
    """Yields products of a text, and those within their factors."""
    product: list[Factor] = []
    at, sign = 0, ""
    while at < len(words):
        stop = _end_of_a_factor(words, at)
        if stop > at:
            inner = list(words[at:stop])
            own = [*_products(_within(inner))]
            is_a_group = inner[0] == "(" and inner[-1] == ")" and len(own) == 1 and _is_a_product(inner[1:-1])
            product = [*(product if sign else []), *(own[0] if is_a_group else [(sign or "*", *inner)])]
            yield from () if is_a_group else own
        next_sign = words[stop] if stop > at and stop < len(words) and words[stop] in ("*", "/") else ""
        if stop > at and not next_sign:
            yield product
        at, sign = max(stop, at) + (1 if next_sign or stop == at else 0), next_sign


def _is_a_product(words: Words) -> bool:
    """Whether a text is a single product, with nothing added."""
    depth = 0
    for word in words:
        depth += _DEPTH.get(word, 0)
        if not depth and word in ("+", "-", "/", "?", ",", "<", ">"):
            return False
    return True


def _within(words: Words) -> Words:
    """Returns the words between the parentheses of a factor."""
    at = next((at for at, word in enumerate(words) if word in _OPENING), len(words))
    return words[at + 1 :]


def _end_of_a_factor(words: Words, at: int) -> int:
    """Returns the end of a factor: a name or number with calls, indices and lanes, or a parenthesis."""
    if not (words[at] == "(" or words[at][0].isalnum() or words[at][0] in "_."):
        return at
    stop = at if words[at] == "(" else at + 1
    while stop < len(words) and (words[stop] in _OPENING or words[stop] == "."):
        if words[stop] == ".":
            stop += 2
            continue
        depth = 0
        while stop < len(words):
            depth += _DEPTH.get(words[stop], 0)
            stop += 1
            if not depth:
                break
    return min(stop, len(words))


def _without(words: Words, factor: Factor) -> Iterator[tuple[str, ...]]:
    """Yields the words of a text, without punctuation, less one occurrence of a factor."""
    all_words, own = bare_words(words), bare_words(factor[1:])
    for at in range(len(all_words) - len(own) + 1):
        stop = at + len(own)
        if all_words[at:stop] != own:
            continue
        if at and all_words[at - 1] == factor[0]:
            yield (*all_words[: at - 1], *all_words[stop:])
        if factor[0] == "*" and all_words[stop : stop + 1] == ["*"]:
            yield (*all_words[:at], *all_words[stop + 1 :])


def otherwise(
    before: Words,
    after: Words,
    changed: tuple[Words, Words],
    mended: RepairedText,
    node: SyntaxNode,
    *,
    of_a_mean: bool,
) -> Otherwise | None:
    """Classifies words that replace others without changing the reads; None if they fit no class.

    `changed` are those words, `node` is the smallest expression of the tree `mended` with the first of them.
    """
    old, new = changed
    if _is_exchanged_product(before, after, mended, node):
        return "turned"
    if {*old, *new} <= _COMPARING and mended.compares_places(node):
        return "element"
    if list(old) == ["="] and not new and mended.takes_one_more(node):  # < becomes <=
        return "guard"
    said = otherwise_put(before, after)
    if said is not None and said != "partner":
        return said
    if (factor := moved_factor(before, after)) is not None:
        return _of_a_moved(factor, mended, node, of_a_mean=of_a_mean)
    if mended.is_of_a_count(node, [*old, *new], of_a_mean=of_a_mean):
        return "count"
    if said is None and len(old) == len(new) == 1 and mended.are_places(node, *old, *new):
        return "element"
    is_another = len(old) == len(new) == 1 and _is_a_name(old[0]) and _is_a_name(new[0])
    if is_another and mended.are_fixed(node, [*old, *new]) and mended.is_a_factor(node):
        return "factor"
    return _of_operands(before, after, mended, node) or said


def _of_operands(before: Words, after: Words, mended: RepairedText, node: SyntaxNode) -> Otherwise | None:
    """Classifies by the operands' words alone: another sign, a factor or a summand more or less."""
    old, new = apart(bare_words(before), bare_words(after))
    if [*old, *new] and {*old, *new} <= {"+", "-"}:
        return "function" if mended.is_bent(node) else "sign"
    if [*old, *new] == ["1.0", "-"] and mended.is_a_share(node):
        return "partner"
    more = new or old
    if (old and new) or len(more) <= 1:
        return None
    if more[0] in "*/" or more[-1] == "*":
        return "factor" if not mended.is_of_a_curve(node, more) else None
    is_other = new and not mended.are_fixed(node, more) and any(_is_a_name(word) and word not in before for word in new)
    return "summand" if is_other and ("+" in (more[0], more[-1]) or more[0] == "-") else None


def _of_a_moved(factor: MovedFactor, mended: RepairedText, node: SyntaxNode, *, of_a_mean: bool) -> Otherwise:
    """Classifies a factor that moves to other operands."""
    if factor.crosses and mended.is_of_a_count(node, factor.words, of_a_mean=of_a_mean):
        return "count"
    if factor.crosses or mended.is_in_a_branch(node):
        return "function"
    return "factor" if factor.is_wider or mended.are_fixed(node, factor.words) else "partner"


def otherwise_put(before: Words, after: Words) -> Otherwise | None:
    """Classifies like `otherwise`, by the words alone, as for a macro."""
    if _is_read_otherwise(before, after):
        return "element"
    if has_another_root(before, after) or _has_another_divisor(before, after):
        return "epsilon"
    if _leaves_lanes_out(before, after):
        return "lanes"
    if _is_capped(before, after):
        return "capped"
    if _is_reset(before, after):
        return "reset"
    if _is_guarded(before, after):
        return "guard"
    return "partner" if _is_put_otherwise(before, after) else None


def with_signs(words: Words) -> list[str]:
    """Joins the sign before a lone number with it, as the exponent after one is."""
    found: list[str] = []
    for word in words:
        is_number = word[0].isdigit() or word[0] == "."
        if is_number and found[-1:] == ["-"] and (len(found) < 2 or not _ends_a_value(found[-2])):
            found.pop()
            word = f"-{word}"
        elif is_number and found[-1:] in (["-"], ["+"]) and _BEGUN.fullmatch("".join(found[-2:-1])):
            word = f"{''.join(found[-2:])}{word}"
            del found[-2:]
        found.append(word)
    return found


def calls_of(words: Words) -> list[tuple[str, tuple[str, ...]]]:
    """Returns each call in a text, by name, with the words between its parentheses."""
    found = []
    for at, word in enumerate(words[:-1]):
        if words[at + 1] == "(" and _is_a_name(word):
            depth, stop = 0, at + 1
            for stop in range(at + 1, len(words)):
                depth += {"(": 1, ")": -1}.get(words[stop], 0)
                if not depth:
                    break
            found.append((word, tuple(words[at + 2 : stop])))
    return found


def _is_read_otherwise(before: Words, after: Words) -> bool:
    """Whether the same words have another order in a read, or in lanes."""
    if sorted(before) != sorted(after):
        return False
    reads = [
        [inner for name, inner in calls_of(words) if name in READS or name in OTHER_READS] for words in (before, after)
    ]
    places = [at for at, pair in enumerate(zip(before, after, strict=True)) if pair[0] != pair[1]]
    are_lanes = all(words[at - 1] == "." and words[at] in _LANES for at in places for words in (before, after))
    return bool(places) and (are_lanes or sorted(reads[0]) != sorted(reads[1]))


def has_another_root(before: Words, after: Words) -> bool:
    """Whether one word, a number or a name, moves from beside a root under it."""
    roots = [[inner for name, inner in calls_of(words) if name in ROOTS] for words in (before, after)]
    if not len(roots[0]) == len(roots[1]) == 1:
        return False
    names = [sorted(word for word in words if word[0].isalnum() and word not in ROOTS) for words in (before, after)]
    put_in = list((Counter(roots[1][0]) - Counter(roots[0][0])).elements())
    around = [word for word in put_in if word not in _PUNCTUATION and word != "+"]
    rest = Counter(names[1]) - Counter(names[0]) + (Counter(names[0]) - Counter(names[1]))
    return len(around) == 1 and "+" in put_in and rest.keys() <= {"1.0"}


def _has_another_divisor(before: Words, after: Words) -> bool:
    """Whether one word moves from beside a quotient into its divisor: a / b + e becomes a / (b + e)."""
    at = next((at for at, word in enumerate(after) if word == "/" and after[at + 1 : at + 2] == ["("]), None)
    if at is None or bare_words(before) != bare_words(after) or len(after) != len(before) + 2:
        return False
    stop = next((end for end in range(at, len(after)) if after[end] == ")"), at)
    return after[stop - 2 : stop - 1] == ["+"] and "+" not in after[at : stop - 2]


def _is_guarded(before: Words, after: Words) -> bool:
    """Whether a summand becomes conditional, on another value: + b becomes + (c ? b : 0)."""
    head, _ = common_ends(before, after)
    old, new = apart(before, after)
    bare = bare_words(new)
    if not old or "?" not in bare or bare[-2:] not in ([":", "0.0"], [":", "0"]) or before[head - 1] not in ("+", "="):
        return False
    condition, value = bare[: bare.index("?")], bare[bare.index("?") + 1 : -2]
    is_summand = before[head - 1] == "+" or before[head - 2] == "+"
    return is_summand and value == bare_words(old) and value[0] not in condition


def _is_reset(before: Words, after: Words) -> bool:
    """Whether a variable that something is added to is reset first."""
    head, tail = common_ends(before, after)
    new = after[head : len(after) - tail]
    if head + tail < len(before) or ";" not in new:
        return False
    at = new.index(";") + 1
    name, sign, *value = [*new[at:], *new[:at]][:-1]  # its name may be matched with that of the line before
    numbers = [word for word in value if not _is_filled(word) and word not in ("float", "int")]
    return sign == "=" and not numbers and any(one == name and other == "+" for one, other in pairwise(before))


def _is_capped(before: Words, after: Words) -> bool:
    """Whether a value is clamped to 0 … 1 that otherwise is not."""
    bounds = [",", "0.0", ",", "1.0"]
    held = [inner for name, inner in calls_of(before) if name == "clamp" and list(inner[-4:]) == bounds]
    less = Counter(before) - Counter(after)
    return len(held) == 1 and less == Counter(["clamp", "(", *bounds, ")"]) and not Counter(after) - Counter(before)


def _is_exchanged_product(before: Words, after: Words, mended: RepairedText, node: SyntaxNode) -> bool:
    """Whether a matrix is on the other side of a product."""
    if before.count("*") != after.count("*") or sorted(bare_words(before)) != sorted(bare_words(after)):
        return False
    around: SyntaxNode | None = node
    while around is not None and not isinstance(around, CompoundStatement):
        sides = (around.left, around.right) if isinstance(around, BinaryExpression) else ()
        if any(is_matrix(mended.types.of(side)) for side in sides):
            return True
        around = around.parent
    return False


def _leaves_lanes_out(before: Words, after: Words) -> bool:
    """Whether all lanes but the last of a vector are used: v.xyz of v, or three of four lanes one by one."""
    bare = [[word for word in words if not _is_filled(word)] for words in (before, after)]
    if "=" in before and before.index("=") > 1 and before[before.index("=") - 2] == ".":
        return False  # lanes of a result whose others stay as they are
    cut = [
        at for at, word in enumerate(bare[0]) if word in ("xyz", "rgb", "xy", "rg") and bare[0][at - 1 : at] == ["."]
    ]
    if cut and [word for at, word in enumerate(bare[0]) if at not in cut and at + 1 not in cut] == bare[1]:
        return True
    lanes = [{word for last, word in pairwise(words) if last == "." and word in _LANES} for words in (before, after)]
    more = Counter(bare[1]) - Counter(bare[0])
    is_one_more = lanes[0] < lanes[1] and len(lanes[0]) == _MOST_LANES == len(lanes[1]) - 1
    return is_one_more and not Counter(bare[0]) - Counter(bare[1]) and more.keys() - {"."} <= {*before} | lanes[1]


def _is_filled(word: str) -> bool:
    """Whether a word only makes a vector as long as another, or closes one."""
    return word in _PUNCTUATION or word in _VECTORS or word[0].isdigit()


def _is_put_otherwise(before: Words, after: Words) -> bool:
    """Whether the same values are combined with others, by the same operators and under the same functions."""
    if sorted(bare_words(before)) != sorted(bare_words(after)) or _is_negated_within(before, after):
        return False
    places = [at for at, pair in enumerate(zip(before, after, strict=False)) if pair[0] != pair[1]]
    if places and all(before[at + 1 : at + 2] == ["("] == after[at + 1 : at + 2] for at in places):
        return False  # functions swap places
    if "?" in before and ":" in apart(before, after)[0]:
        return False  # values of a choice
    told = [[bare_words(inner) for name, inner in calls_of(words) if name in _OF_ORDER] for words in (before, after)]
    if told[0] != told[1]:
        return False  # more than an exchange
    calls = [sorted((name, sorted(bare_words(inner))) for name, inner in calls_of(words)) for words in (before, after)]
    inner = [[call for call in some if call[0] not in _VECTORS] for some in calls]
    is_grouped = sorted(before) != sorted(after) or bare_words(before) == bare_words(after)
    if is_grouped and ("/" in before or any(word[0].isdigit() for word in before)):
        return False  # a number is not the operand that moves
    return inner[0] == inner[1] and bool(_SIGNS & {*before} or calls[0])


def _is_negated_within(before: Words, after: Words) -> bool:
    """Whether one of the changed words has a sign of its own."""
    head, tail = common_ends(before, after)
    return any(
        word == "-" and (not at or not _ends_a_value(before[at - 1]))
        for at, word in enumerate(before)
        if head <= at < len(before) - tail
    )


def _ends_a_value(word: str) -> bool:
    return (word[-1].isalnum() and word != "return") or word[-1] in "_)]"


def _is_a_name(word: str) -> bool:
    return word[0].isalpha() or word[0] == "_"
