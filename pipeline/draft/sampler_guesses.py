"""Guesses which tensor each sampler, block or image of a shader reads, by names, ranks and order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from texelscope.pipeline.draft.names import words

_WEIGHTS = frozenset({"filter", "filters", "weight", "weights", "kernel", "kernels", "w", "wt", "conv", "matrix"})
_VECTORS = frozenset({"bias", "biases", "b", "scale", "shift", "mean", "var", "gamma", "beta", "alpha", "slope"})
_ACTIVATIONS = frozenset(
    {"input", "in", "image", "img", "src", "source", "texture", "tex", "x", "data", "prev", "previous", "bottom"}
)  # fmt: skip
# What a shared word, a role, and the same place in both orders count.
_SHARED_WORD, _ROLE, _SAME_PLACE = 4.0, 3.0, 0.5


@dataclass(frozen=True)
class Candidate:
    """A tensor that a shader may read: `kind` is `activation`, `weights` or `vector`."""

    tensor: str
    kind: str


@dataclass(frozen=True)
class SamplerGuess:
    """The tensor that a sampler reads, and why."""

    candidate: Candidate
    reason: str


def guessed_tensors(samplers: Sequence[str], candidates: Sequence[Candidate]) -> Mapping[str, SamplerGuess]:
    """Returns a tensor for each sampler that gets one: the pairs that fit best first, each tensor once.

    A sampler whose best pairs fit equally well, by nothing but their order, is left out where others are left as well.
    """
    found: dict[str, SamplerGuess] = {}
    left, free = list(samplers), list(candidates)
    while left and free:
        scored = [(_score(name, each, left, free), name, each) for name in left for each in free]
        best, name, candidate = max(scored, key=lambda entry: entry[0])
        if best < _ROLE and len(left) != len(free):
            activations = [each for each in free if each.kind == "activation"]
            if len(left) != len(activations):
                break
            free = activations  # the weights stand in the text
            continue
        found[name] = SamplerGuess(candidate, _reason(name, candidate, best, len(left)))
        left.remove(name)
        free.remove(candidate)
    return found


def _score(name: str, candidate: Candidate, samplers: Sequence[str], candidates: Sequence[Candidate]) -> float:
    shared = len(set(words(name)) & set(words(candidate.tensor)))
    place = samplers.index(name) == candidates.index(candidate)
    return _SHARED_WORD * shared + _ROLE * _fits(name, candidate) + _SAME_PLACE * place


def _fits(name: str, candidate: Candidate) -> int:
    own = set(words(name))
    roles = {"activation": _ACTIVATIONS, "weights": _WEIGHTS, "vector": _VECTORS}
    if own & roles[candidate.kind]:
        return 1
    return -1 if any(own & others for others in roles.values()) else 0


def _reason(name: str, candidate: Candidate, score: float, left: int) -> str:
    if set(words(name)) & set(words(candidate.tensor)):
        return "they share a name"
    if score >= _ROLE:
        return {"activation": "the name is an input's", "weights": "the name is that of weights"}.get(
            candidate.kind, "the name is that of a number a channel"
        )
    return "nothing else is left" if left == 1 else "the order is the same"
