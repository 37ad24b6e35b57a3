"""The cases of every style: packages below a set's, of which each module with FAULTS, PAIRS or HEALTHY counts."""

from __future__ import annotations

import hashlib
import importlib
import pkgutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from tests.faults.fresh.case import Healthy, Planted, Swap

Kind = Literal["fault", "pair", "healthy"]

# The package of a set. That of this module nobody who changes rules looks into, but for what is opened.
FRESH = __package__
# Styles of which the faults of half 1 were looked into: they are practice, and what is left of the style is scored.
OPENED = frozenset({"dispatches", "ejected", "filters", "heads", "programs", "sequences"})


@dataclass(frozen=True)
class Case:
    """A planted bug, a pair of them, or a healthy variant, of a style. `folder` holds the right pipeline."""

    style: str
    kind: Kind
    what: Planted | Healthy
    folder: Path

    @property
    def swaps(self) -> tuple[Swap, ...]:
        """What becomes otherwise in the folder's files."""
        return self.what.swaps


def half_of(case: Case) -> int:
    """1 or 2, by the name."""
    return 1 + hashlib.sha256(f"{case.style}/{case.what.name}".encode()).digest()[0] % 2


def is_opened(case: Case) -> bool:
    """Whether a case of this package's styles may be looked at."""
    return case.style in OPENED and case.kind == "fault" and half_of(case) == 1


def styles(home: str = FRESH) -> tuple[str, ...]:
    """Names of the packages in the package `home`."""
    return tuple(sorted(each.name for each in pkgutil.iter_modules([str(_folder(home))]) if each.ispkg))


def cases_of(style: str, home: str = FRESH) -> tuple[Case, ...]:
    """All cases of a style: faults, then pairs, then healthy variants, in the order of its modules."""
    folder = _folder(home) / style
    names = [each.name for each in pkgutil.iter_modules([str(folder)]) if not each.name.startswith("_")]
    modules = [importlib.import_module(f"{home}.{style}.{name}") for name in sorted(names)]
    kinds: Sequence[tuple[Kind, str]] = (("fault", "FAULTS"), ("pair", "PAIRS"), ("healthy", "HEALTHY"))
    return tuple(
        Case(style, kind, what, folder / what.target)
        for kind, listed in kinds
        for module in modules
        for what in getattr(module, listed, ())
    )


def _folder(home: str) -> Path:
    (folder,) = importlib.import_module(home).__path__
    return Path(folder)
