"""Places the layers of a network for drawing: ranks from top to bottom, branches in columns, backward passes beside."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, count
from types import MappingProxyType


@dataclass(frozen=True)
class GraphCell:
    """A layer's place: `rank` is one more than that of the last layer it reads, `row` separates branches."""

    name: str
    rank: int
    row: int


@dataclass(frozen=True)
class Edge:
    """An edge: `target` reads `source`; `span` is the number of ranks between them, 1 for neighbours.

    It is 0 or less for an edge that leads up: one of boxes that read each other. `across` is set for an edge from the
    network to the backward passes beside it.
    """

    source: str
    target: str
    span: int
    across: bool = False


@dataclass(frozen=True)
class GraphLayout:
    """All cells in the order of the layers, all edges, and the number of ranks and rows."""

    cells: tuple[GraphCell, ...]
    edges: tuple[Edge, ...]
    ranks: int
    rows: int


def beside(
    names: Sequence[str], reads: Mapping[str, Sequence[str]], backward: Collection[str], gradients: Mapping[str, str]
) -> GraphLayout:
    """Lays out as `layered` does, with the `backward` layers in their own columns at the right, from the bottom up.

    `gradients` maps a layer to the layer that makes its gradient, which is placed at the same height: the backward
    passes run beside the forward passes. A backward layer that reads no other one is placed below its first reader.
    """
    if not backward:
        return layered(names, reads)
    forth = [name for name in names if name not in backward]
    there, back = layered(forth, reads), _late([name for name in names if name in backward], reads)
    last, heights = back.ranks - 1, {cell.name: cell.rank for cell in back.cells}
    anchors = {name: last - heights[gradient] for name, gradient in gradients.items() if gradient in heights}
    places = _stretched(forth, reads, anchors, last + 1)
    shift = -min(*places.values(), 0)
    taken: set[tuple[int, int]] = set()
    cells: dict[str, GraphCell] = {}
    for cell in there.cells:
        rank = places[cell.name] + shift
        row = next(row for row in range(cell.row, cell.row + len(names)) if (rank, row) not in taken)
        taken.add((rank, row))
        cells[cell.name] = GraphCell(cell.name, rank, row)
    rows = max((cell.row for cell in cells.values()), default=-1) + 1
    mirrored = [GraphCell(cell.name, last - cell.rank + shift, rows + cell.row) for cell in back.cells]
    across = (
        Edge(source, cell.name, 1, across=True)
        for cell in mirrored
        for source in dict.fromkeys(reads.get(cell.name, ()))
        if source in cells
    )
    everything = (*cells.values(), *mirrored)
    ranks = max(cell.rank for cell in everything) + 1
    return GraphLayout(everything, (*there.edges, *back.edges, *across), ranks, rows + back.rows)


def _late(names: Sequence[str], reads: Mapping[str, Sequence[str]]) -> GraphLayout:
    """Lays out as `layered` does, but places a layer that reads none of the others a rank before its first reader."""
    early = layered(names, reads)
    ranks, readers = {cell.name: cell.rank for cell in early.cells}, _readers(names, reads)
    first = {name for name in names if not any(source in ranks for source in reads.get(name, ()))}
    return layered(names, reads, {name: min(ranks[each] for each in readers[name]) - 1 for name in first & {*readers}})


def _stretched(
    names: Sequence[str], reads: Mapping[str, Sequence[str]], anchors: Mapping[str, int], end: int
) -> Mapping[str, int]:
    """Assigns each layer a rank: that of `anchors`, or less where a layer above reads it.

    A layer that leads to no anchor is placed below what it reads, or at `end`.
    """
    places: dict[str, int] = {}
    readers = _readers(names, reads)
    for name in reversed(names):
        bounds = [places[reader] - 1 for reader in readers.get(name, ()) if reader in places]
        if name in anchors or bounds:
            places[name] = min([*([anchors[name]] if name in anchors else []), *bounds])
    for name in names:
        if name not in places:
            places[name] = max((places[source] + 1 for source in reads.get(name, ()) if source in places), default=end)
    return places


def _readers(names: Sequence[str], reads: Mapping[str, Sequence[str]]) -> Mapping[str, list[str]]:
    found: dict[str, list[str]] = {}
    for name in names:
        for source in dict.fromkeys(reads.get(name, ())):
            found.setdefault(source, []).append(name)
    return found


def layered(
    names: Sequence[str], reads: Mapping[str, Sequence[str]], least: Mapping[str, int] = MappingProxyType({})
) -> GraphLayout:
    """Lays out layers, given in an order in which they can run; `reads` maps a layer to the layers that it reads.

    A layer continues the row of the nearest layer before it whose row is free; a branch gets a new row. A layer that
    reads none of the others gets the first rank, or that of `least`. An edge from a later layer has no influence.
    """
    known = set(names)
    ranks: dict[str, int] = {}
    rows: dict[str, int] = {}
    taken: set[tuple[int, int]] = set()
    edges: list[Edge] = []
    upwards: list[tuple[str, str]] = []
    for name in names:
        sources = [source for source in dict.fromkeys(reads.get(name, ())) if source in ranks]
        rank = max((ranks[source] + 1 for source in sources), default=least.get(name, 0))
        wanted = sorted(rows[source] for source in sources if ranks[source] == rank - 1)
        row = next(row for row in chain(wanted, count()) if (rank, row) not in taken)
        ranks[name], rows[name] = rank, row
        taken.add((rank, row))
        edges.extend(Edge(source, name, rank - ranks[source]) for source in sources)
        upwards += [(source, name) for source in reads.get(name, ()) if source in known and source not in ranks]
    edges.extend(Edge(source, name, ranks[name] - ranks[source]) for source, name in dict.fromkeys(upwards))
    cells = tuple(GraphCell(name, ranks[name], rows[name]) for name in names)
    return GraphLayout(cells, tuple(edges), max(ranks.values(), default=-1) + 1, max(rows.values(), default=-1) + 1)


def path_bend(edge: Edge) -> float:
    """Returns how far an edge bows out, in row distances: a skip is visible beside the chain that it passes."""
    return 0.0 if edge.span == 1 or edge.across else min(0.35 + 0.12 * abs(edge.span), 3.6)
