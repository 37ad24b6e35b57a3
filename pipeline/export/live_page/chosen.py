"""Chooses the elements of a wrong pass whose reads, and of the first few whose execution, a page holds."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.plan import StoredTensor

# Elements beside the traced ones of which the reads are recorded.
MOST_SPREAD = 48


@dataclass(frozen=True)
class ChosenElement:
    """An element by its linear index, why it is of interest, and whether its execution is recorded too."""

    element: int
    why: str
    is_traced: bool = False


def chosen_elements(
    stored: StoredTensor, wrong: NDArray[np.bool_], worst: int, spread: int = MOST_SPREAD
) -> tuple[ChosenElement, ...]:
    """Returns elements of a pass, the most telling first, each once; `wrong` marks those beyond their bound.

    The worst one, the wrong one farthest from it in the texture, and a right one are traced. Others are spread over the
    texture, wrong ones before right ones.
    """
    flat = np.asarray(wrong).reshape(-1)
    found = {worst: ChosenElement(worst, "worst", is_traced=True)}
    for candidates, why in ((np.flatnonzero(flat), "wrong"), (np.flatnonzero(~flat), "right")):
        if len(candidates):
            element = _farthest(stored, candidates, worst) if why == "wrong" else _nearest(stored, candidates, worst)
            found.setdefault(element, ChosenElement(element, why, is_traced=True))
    for candidates, why in ((np.flatnonzero(flat), "wrong"), (np.flatnonzero(~flat), "right")):
        count = min(len(candidates), spread // 2)
        for number in np.linspace(0, len(candidates) - 1, count).astype(int) if count else ():
            element = int(candidates[number])
            found.setdefault(element, ChosenElement(element, why))
    return tuple(found.values())


def _distances(stored: StoredTensor, candidates: NDArray[np.int64], element: int) -> NDArray[np.int64]:
    _, _, height, width = (1, 1, 1, 1, *stored.shape)[-4:]
    rows, columns = candidates // width, candidates % width
    here = (element // width, element % width)
    apart: NDArray[np.int64] = np.abs(rows % height - here[0] % height) + np.abs(columns - here[1])
    apart += rows // height != here[0] // height
    return apart


def _farthest(stored: StoredTensor, candidates: NDArray[np.int64], element: int) -> int:
    return int(candidates[np.argmax(_distances(stored, candidates, element))])


def _nearest(stored: StoredTensor, candidates: NDArray[np.int64], element: int) -> int:
    return int(candidates[np.argmin(_distances(stored, candidates, element))])
