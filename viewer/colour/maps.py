"""Holds the chosen colour maps and the scale of the histogram's counts, which are the same for all layers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from types import MappingProxyType
from typing import Any

# Maps of `pipeline.export.colour_maps` by their names in the window, the default first.
SEQUENTIAL: Mapping[str, str] = MappingProxyType(
    {"unsigned": "viridis", "magma": "magma", "cubehelix": "cubehelix", "grey": "grey"}
)
DIVERGING: Mapping[str, str] = MappingProxyType(
    {"signed": "blue – black – orange", "blue_red": "blue – white – red", "green_purple": "green – white – purple"}
)


@dataclass
class Colours:
    """The colour maps of unsigned and of signed values (differences too), the legend, and logarithmic counts."""

    sequential: str = "unsigned"
    diverging: str = "signed"
    legend: bool = True
    log_counts: bool = True

    def map_of(self, *, signed: bool) -> str:
        """Returns the map's name in `pipeline.export.colour_maps`."""
        return self.diverging if signed else self.sequential

    def choose(self, name: str) -> None:
        """Chooses a map for the kind of values that it is made for."""
        if name in DIVERGING:
            self.diverging = name
        else:
            self.sequential = name

    def next(self, *, signed: bool) -> None:
        """Chooses the next map for values of that kind."""
        names = list(DIVERGING if signed else SEQUENTIAL)
        self.choose(names[(names.index(self.map_of(signed=signed)) + 1) % len(names)])

    def as_data(self) -> dict[str, object]:
        """Returns the choice as JSON can hold it."""
        return asdict(self)

    @classmethod
    def of_data(cls, data: Any) -> Colours:
        """Reads a choice from untrusted data; uses the default where it is not understood."""
        made, found = cls(), data if isinstance(data, Mapping) else {}
        for name, known in (("sequential", SEQUENTIAL), ("diverging", DIVERGING)):
            if isinstance(found.get(name), str) and found[name] in known:
                setattr(made, name, found[name])
        for each in fields(cls):
            if isinstance(getattr(made, each.name), bool) and isinstance(found.get(each.name), bool):
                setattr(made, each.name, found[each.name])
        return made
