"""The products that a text takes, by its words: a factor that changes its place stands with something else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

Words = Sequence[str]
_PUNCTUATION = frozenset("(),;")
_OPENING, _CLOSING = frozenset("(["), frozenset(")]")
_DEPTH = {**dict.fromkeys(_OPENING, 1), **dict.fromkeys(_CLOSING, -1)}
# One factor or divisor, with its sign in front.
Factor = tuple[str, ...]


@dataclass(frozen=True)
class MovedFactor:
    """A factor that changes its place: whether it crosses a function, and whether it comes to more of a sum."""

    words: Factor
    crosses: bool
    is_wider: bool


def moved_factor(before: Words, after: Words) -> MovedFactor | None:
    """What is multiplied with something else, or divides it, where all other words are in the same order; or None.

    A factor at a sum in place of a summand, at a function's value in place of its argument. Of two that a parenthesis
    parts it is the one that still is in a product.
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
    """Words without what is between them."""
    return [word for word in words if word not in _PUNCTUATION]


def _is_a_sum(factor: Factor) -> bool:
    """Whether a factor is a parenthesis in which something is added."""
    return factor[1] == "(" and any(sign in factor[2:] for sign in "+-")


def _calls_around(words: Words, part: Words) -> Counter[tuple[str, ...]]:
    """What is called around each place where a part of a text stands."""
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
    """Each factor of each product of a text with the others of that product."""
    for product in _products(words):
        for at, factor in enumerate(product):
            yield factor, tuple(sorted((*product[:at], *product[at + 1 :])))


def _products(words: Words) -> Iterator[list[Factor]]:
    """Products of a text, and those within their factors."""
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
    """Whether a text is one product alone, with nothing added."""
    depth = 0
    for word in words:
        depth += _DEPTH.get(word, 0)
        if not depth and word in ("+", "-", "/", "?", ",", "<", ">"):
            return False
    return True


def _within(words: Words) -> Words:
    """What is between the parentheses of a factor."""
    at = next((at for at, word in enumerate(words) if word in _OPENING), len(words))
    return words[at + 1 :]


def _end_of_a_factor(words: Words, at: int) -> int:
    """Behind a name or a number with its calls, indices and lanes, or a parenthesis, which begin there."""
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
    """The bare words of a text without one of the places of a factor."""
    all_words, own = bare_words(words), bare_words(factor[1:])
    for at in range(len(all_words) - len(own) + 1):
        stop = at + len(own)
        if all_words[at:stop] != own:
            continue
        if at and all_words[at - 1] == factor[0]:
            yield (*all_words[: at - 1], *all_words[stop:])
        if factor[0] == "*" and all_words[stop : stop + 1] == ["*"]:
            yield (*all_words[:at], *all_words[stop + 1 :])
