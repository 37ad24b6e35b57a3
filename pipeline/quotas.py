"""Quotas: how much a file from outside may ask for, told before memory or time is taken."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from pipeline.errors import TexelscopeError, nearest


@dataclass(frozen=True)
class Quotas:
    """The most of each thing that is read; a count unless its name says another unit.

    Every field has a row in docs/limits.md with the reason for its number, and `--limit NAME=NUMBER` sets it.
    """

    nodes: int = 100_000
    tensors: int = 400_000
    dimensions: int = 64
    elements: int = 2**31 - 1
    external_files: int = 10_000
    name_letters: int = 4_096
    file_bytes: int = 8 << 30
    text_bytes: int = 4 << 20
    text_depth: int = 100
    number_digits: int = 100
    passes: int = 100_000
    shader_bytes: int = 4 << 20
    expanded_shader_bytes: int = 64 << 20
    picture_pixels: int = 1 << 28
    archive_members: int = 65_536
    archive_ratio: int = 1_000


class QuotaError(TexelscopeError):
    """A file that asks for more than is allowed; `quota` is the field of `Quotas`."""

    def __init__(self, who: str, quota: str, most: int, got: int) -> None:
        self.quota = quota
        what = quota.replace("_", " ")
        super().__init__(who, f"at most {most:,} {what}", f"{got:,}", f"If you trust it: --limit {quota}={got}.")


_PRESENT: ContextVar[Quotas] = ContextVar("quotas", default=Quotas())  # noqa: B039 - frozen


def present() -> Quotas:
    """The quotas of whoever asked for the present work."""
    return _PRESENT.get()


@contextmanager
def allowing(quotas: Quotas) -> Iterator[None]:
    """What runs inside, in this thread, is held to these."""
    token = _PRESENT.set(quotas)
    try:
        yield
    finally:
        _PRESENT.reset(token)


def hold(who: str, quota: str, got: int) -> None:
    """Raises QuotaError if `got` is more than the present quota of that name."""
    most = getattr(_PRESENT.get(), quota)
    if got > most:
        raise QuotaError(who, quota, most, got)


def quotas_of(texts: list[str]) -> Quotas:
    """Quotas as written by a person, `nodes=5000`. Raises TexelscopeError for another name, or for no whole number."""
    names = [field.name for field in dataclasses.fields(Quotas)]
    values = {}
    for text in texts:
        name, _, number = text.partition("=")
        if name not in names:
            raise TexelscopeError("--limit", "NAME=NUMBER with the name of a limit", f"'{text}'", nearest(name, names))
        if not (number.isascii() and number.isdigit() and 0 < len(number) < 20):
            raise TexelscopeError(f"--limit {name}", "a whole number", f"'{number}'", f"Write --limit {name}=5000.")
        values[name] = int(number)
    return Quotas(**values)
