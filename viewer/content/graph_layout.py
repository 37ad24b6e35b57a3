"""Where the layers of a network stand when drawn: ranks from top to bottom, branches in columns, the way back too."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Cell:
    """A layer's place: `rank` is one more than that of the last layer that it reads, `row` tells branches apart."""

    name: str
    rank: int
    row: int


@dataclass(frozen=True)
class Edge:
    """`target` reads `source`; `span` is how many ranks lie between them, 1 for neighbours.

    `across` says that it leads from the network over to the backward passes beside it.
    """

    source: str
    target: str
    span: int
    across: bool = False


@dataclass(frozen=True)
class GraphLayout:
    """All cells in the order of the layers, all edges, and how many ranks and rows there are."""

    cells: tuple[Cell, ...]
    edges: tuple[Edge, ...]
    ranks: int
    rows: int


def beside(names: Sequence[str], reads: Mapping[str, Sequence[str]], backward: Collection[str]) -> GraphLayout:
    """As `layered`, with the layers that are `backward` in columns of their own at the right, from the bottom up.

    So each gradient goes the way back that its tensor came.
    """
    if not backward:
        return layered(names, reads)
    there = layered([name for name in names if name not in backward], reads)
    back = layered([name for name in names if name in backward], reads)
    ranks = max(there.ranks, back.ranks)
    cells = {cell.name: cell for cell in there.cells}
    mirrored = tuple(Cell(cell.name, ranks - 1 - cell.rank, there.rows + cell.row) for cell in back.cells)
    across = tuple(
        Edge(source, cell.name, abs(cell.rank - cells[source].rank), across=True)
        for cell in mirrored
        for source in dict.fromkeys(reads.get(cell.name, ()))
        if source in cells
    )
    return GraphLayout((*there.cells, *mirrored), (*there.edges, *back.edges, *across), ranks, there.rows + back.rows)


def layered(names: Sequence[str], reads: Mapping[str, Sequence[str]]) -> GraphLayout:
    """Lays out layers, given in an order in which they can run; `reads` names the layers that one reads.

    A layer goes on in the row of the one before it that no other layer has taken yet; a branch gets a new row.
    """
    ranks: dict[str, int] = {}
    rows: dict[str, int] = {}
    taken: set[tuple[int, int]] = set()
    edges: list[Edge] = []
    for name in names:
        sources = [source for source in dict.fromkeys(reads.get(name, ())) if source in ranks]
        rank = max((ranks[source] + 1 for source in sources), default=0)
        wanted = sorted(rows[source] for source in sources if ranks[source] == rank - 1)
        row = next(row for row in (*wanted, *range(len(names) + 1)) if (rank, row) not in taken)
        ranks[name], rows[name] = rank, row
        taken.add((rank, row))
        edges.extend(Edge(source, name, rank - ranks[source]) for source in sources)
    cells = tuple(Cell(name, ranks[name], rows[name]) for name in names)
    return GraphLayout(cells, tuple(edges), max(ranks.values(), default=-1) + 1, max(rows.values(), default=-1) + 1)


def path_bend(edge: Edge) -> float:
    """How far an edge bows out, in distances of two rows: skips are seen beside the chain that they leap."""
    return 0.0 if edge.span == 1 or edge.across else min(0.35 + 0.12 * edge.span, 3.6)
