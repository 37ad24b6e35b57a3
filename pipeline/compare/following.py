"""Lets a caller follow a comparison: it says which passes it needs first, and gets each verdict once it is known."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from texelscope.pipeline.compare.isolated import IsolatedReport
from texelscope.pipeline.plan import Pass


def _nothing() -> Iterable[str]:
    return ()


def _ignore(_: object) -> None:
    pass


@dataclass(frozen=True)
class Following:
    """The functions that a comparison calls in its thread.

    `needed` returns the names of the passes that are to be judged next, the most urgent first; it is asked before each
    pass. `judged` gets each pass's report on its own inputs. After that `chaining` gets the finished share, in [0, 1],
    of the comparison from the model's inputs on.
    """

    needed: Callable[[], Iterable[str]] = _nothing
    judged: Callable[[IsolatedReport], None] = _ignore
    chaining: Callable[[float], None] = _ignore


def in_order_of_need(passes: Sequence[Pass], needed: Callable[[], Iterable[str]]) -> Iterator[Pass]:
    """Yields each pass once: before any other those that are `needed` by then, otherwise the first that is left."""
    left = {each.name: each for each in passes}
    while left:
        name = next((name for name in needed() if name in left), None)
        yield left.pop(next(iter(left)) if name is None else name)
