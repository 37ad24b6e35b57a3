"""Places a small draw so that each core of a software driver has an equal share of it.

llvmpipe deals a draw out to its threads in blocks of 64x64 pixels of the target. A draw of 84x4 pixels at its left edge
has blocks of 64 and of 20 columns; 22 pixels further right it has two of 42.
"""

from __future__ import annotations

from functools import cache

# Pixels of a block, and of the groups that a thread computes at once.
BLOCK, _GROUP = 64, 4
# A wider draw has so many blocks for each core that their number is what counts.
_MOST_BLOCKS_A_CORE = 4


@cache
def left_of(width: int, cores: int) -> int:
    """Returns how many pixels from the left edge a draw of one row of blocks is done first; 0 if all are alike.

    Each core takes the next block when it is done with one.
    """
    if cores < 2 or width > _MOST_BLOCKS_A_CORE * BLOCK * cores:
        return 0
    return min(range(0, BLOCK, _GROUP), key=lambda left: (_longest(_blocks(left, width), cores), left))


def _blocks(left: int, width: int) -> list[int]:
    """Returns the columns of each block, from the left on."""
    first = min(BLOCK - left, width)
    rest = width - first
    return [first, *[BLOCK] * (rest // BLOCK), *[rest % BLOCK] * (rest % BLOCK > 0)]


def _longest(blocks: list[int], cores: int) -> int:
    """Returns the columns of the core that has the most."""
    taken = [0] * cores
    for columns in blocks:
        taken[taken.index(min(taken))] += columns
    return max(taken)
