"""Limits what a file from outside may demand, before memory or time is taken.

Quotas are fields of `pipeline.target.OpenOptions` and hold in the thread that opens: readers and planners far below ask
for the present ones. Neither a file nor a bundle ever sets them.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from texelscope.layouts.outside_text import whole_number
from texelscope.pipeline.errors import TexelscopeError, UnsupportedError, nearest

# No limit is larger: files state sizes in 64 bits.
_MOST = 2**63 - 1
# What nobody can raise: numpy has no more dimensions, and GLSL no more numbers for elements.
_HIGHEST = {"dimensions": 64, "elements": 2**31 - 1}


@dataclass(frozen=True)
class Quotas:
    """Gives the most of each thing that is read; a count unless its name says another unit.

    Every field has a row in docs/limits.md with the reason for its number, and `--limit NAME=NUMBER` sets it.
    """

    nodes: int = 32_768
    tensors: int = 400_000
    dimensions: int = 64
    elements: int = 2**31 - 1
    folded_elements: int = 1 << 28
    loop_nodes: int = 10_000
    inputs: int = 1_024
    external_files: int = 10_000
    name_letters: int = 4_096
    file_bytes: int = 8 << 30
    text_bytes: int = 4 << 20
    text_depth: int = 100
    number_digits: int = 100
    passes: int = 32_768
    frames: int = 10_000
    pass_turns: int = 1 << 32
    shader_bytes: int = 4 << 20
    expanded_words: int = 1 << 20
    picture_pixels: int = 1 << 26
    archive_members: int = 65_536
    archive_ratio: int = 1_100
    memory_bytes: int = 7 << 29
    opening_seconds: int = 50
    planning_seconds: int = 30
    folding_seconds: int = 20
    node_seconds: int = 20
    oracle_seconds: int = 600
    running_seconds: int = 600
    sensitivity_seconds: int = 25
    compile_seconds: int = 10

    def __post_init__(self) -> None:
        for name, most in dataclasses.asdict(self).items():
            highest = _HIGHEST.get(name, _MOST)
            if not 0 < most <= highest:
                raise TexelscopeError(
                    f"limit '{name}'", f"a number from 1 to {highest}", f"{most}", "Use one of these."
                )


class QuotaError(UnsupportedError):
    """A file demands more than is allowed; `quota` is the field of `Quotas`, `of` says more of what was got.

    With a `got` of None nobody counted further.
    """

    def __init__(self, who: str, quota: str, most: int, got: int | None, of: str = "") -> None:
        self.quota = quota
        more, enough = ("more", 2 * most) if got is None else (_amount(quota, got), got)
        what = "" if quota in _TOLD_AS_MEMORY else f" {quota.replace('_', ' ')}"
        expected = f"at most {_amount(quota, most)}{what}"
        do_next = (
            f"If you trust it: --limit {quota}={enough}."
            if enough <= _HIGHEST.get(quota, _MOST)
            else "No more is possible."
        )
        super().__init__(who, expected, f"{more}{of}", do_next)


def _amount(quota: str, count: int) -> str:
    if quota not in _TOLD_AS_MEMORY:
        return f"{count:,}"
    return f"{count / 2**30:.1f} GiB of memory" if count >= 2**30 else f"{count / 2**20:.1f} MiB of memory"


_TOLD_AS_MEMORY = frozenset({"memory_bytes"})

_PRESENT: ContextVar[Quotas] = ContextVar("quotas", default=Quotas())  # noqa: B039 - frozen


def present() -> Quotas:
    """Returns the quotas of the present work."""
    return _PRESENT.get()


@contextmanager
def allowing(quotas: Quotas) -> Iterator[None]:
    """Holds the `with` body, in this thread, to these quotas."""
    token = _PRESENT.set(quotas)
    try:
        yield
    finally:
        _PRESENT.reset(token)


def hold(who: str, quota: str, got: int, of: str = "") -> None:
    """Raises QuotaError if `got` is more than the present quota of that name; `of` says more of what was got."""
    most = getattr(_PRESENT.get(), quota)
    if got > most:
        raise QuotaError(who, quota, most, got, of)


def with_seconds(quotas: Quotas, seconds: float) -> Quotas:
    """Returns the quotas with so many seconds for each phase of the work, at least one."""
    names = [field.name for field in dataclasses.fields(Quotas) if field.name.endswith("_seconds")]
    return dataclasses.replace(quotas, **dict.fromkeys(names, min(max(math.ceil(seconds), 1), _MOST)))


def quotas_of(texts: Sequence[str]) -> Quotas:
    """Returns the present quotas with some replaced as a person writes them, `nodes=5000`.

    Raises TexelscopeError for an unknown name or a number that is not whole.
    """
    names = [field.name for field in dataclasses.fields(Quotas)]
    values = {}
    for text in texts:
        name, _, number = text.partition("=")
        if name not in names:
            raise TexelscopeError("--limit", "NAME=NUMBER with the name of a limit", f"'{text}'", nearest(name, names))
        if not (most := whole_number(number)):
            raise TexelscopeError(f"--limit {name}", "a whole number", f"'{number}'", f"Write --limit {name}=5000.")
        values[name] = most
    return dataclasses.replace(present(), **values)
