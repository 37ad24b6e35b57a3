"""A planted bug as data: a pipeline folder, edits of its files, and what is true of what comes out."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Swap:
    """In `file` of the folder the text `old`, which occurs there once, becomes `new`. Whole lines are the safest."""

    file: str
    old: str
    new: str


@dataclass(frozen=True)
class Planted:
    """A bug in the right pipeline `target`, a folder beside the module with a `pipeline.toml`.

    `culprit` is the pass that is wrong. `causes` are all names of a cause that are true of it, of docs/causes.md and
    `index_map`, `wrong_partner`, `double_counted`, `wrong_function`; the likeliest first. Two bugs in one pass have a
    second set in `others`; both have to be named. `in_text` is false where no line of a shader is at fault.
    """

    name: str
    target: str
    culprit: str
    swaps: tuple[Swap, ...]
    causes: tuple[str, ...]
    others: tuple[str, ...] = ()
    in_text: bool = True


@dataclass(frozen=True)
class Healthy:
    """The pipeline `target`, written differently by `swaps` and as right as before: nothing may be said of it."""

    name: str
    target: str
    swaps: tuple[Swap, ...] = ()
