"""Maps as graphs: places by kind, borders that a barrier may close, and neighbours."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any


class MapGraph:
    """``nodes``: name to kind, in map order; ``edges``: (a, b, barrier or none), undirected.

    All is in map order: every search is deterministic (W12). Raises ``ValueError`` for an unknown, looped or
    double edge.
    """

    def __init__(self, nodes: Mapping[str, str], edges: Iterable[tuple[str, str, Any]]) -> None:
        """Make the graph of places by kind, and borders with barriers.

        Raises ``ValueError`` for a bad border.
        """
        rank = self._rank = {name: index for index, name in enumerate(nodes)}
        barriers: dict[tuple[str, str], Any] = {}
        for a, b, barrier in edges:
            if a == b or a not in rank or b not in rank or (a, b) in barriers or (b, a) in barriers:
                raise ValueError(f"no border can run between {a!r} and {b!r}")
            barriers[(a, b) if rank[a] < rank[b] else (b, a)] = barrier
        self.kinds = dict(nodes)
        ordered = sorted(barriers, key=lambda pair: (rank[pair[0]], rank[pair[1]]))
        self.barriers = {pair: barriers[pair] for pair in ordered}  # of all borders, None: it is open
        self.adjacent = _neighbours(nodes, self.barriers)
        self._open = _neighbours(nodes, [pair for pair in ordered if barriers[pair] is None])
        self.neighbours = self.adjacent.__getitem__  # closed borders included, in map order
        self.open_neighbours = self._open.__getitem__

    def borders(self, a: str, b: str) -> bool:
        return b in self.adjacent.get(a, ())

    def is_open(self, a: str, b: str) -> bool:
        return b in self._open.get(a, ())

    def barrier(self, a: str, b: str) -> Any:
        """Return the barrier on a border, or None. Raises ``KeyError`` when there is no border."""
        return self.barriers[(a, b) if self._rank[a] < self._rank[b] else (b, a)]

    def parts(self, nodes: Iterable[str]) -> list[list[str]]:
        """Return the parts of some nodes that open borders connect, largest first, each in map order."""
        rank = self._rank.__getitem__
        left = dict.fromkeys(sorted(nodes, key=rank))
        parts = []
        while left:
            part = [next(iter(left))]
            del left[part[0]]
            for name in part:
                near = [other for other in self._open[name] if other in left]
                part += near
                for other in near:
                    del left[other]
            parts.append(sorted(part, key=rank))
        return sorted(parts, key=lambda part: (-len(part), rank(part[0])))

    def steps_from(self, start: str) -> Mapping[str, int]:
        """Return the fewest open borders to each place that can be reached from ``start``, nearest first."""
        distances = {start: 0}
        waiting = [start]
        for place in waiting:
            for near in self._open[place]:
                if near not in distances:
                    distances[near] = distances[place] + 1
                    waiting.append(near)
        return distances

    def reached(self, starts: Iterable[str], steps: int, through: Callable[[str], bool]) -> frozenset[str]:
        """Return the places within ``steps`` open borders of a start.

        Every place on a way, except its ends, must be accepted by ``through``.
        """
        reached = set(starts)
        ring = set(starts)
        for step in range(steps):
            passable = [place for place in ring if not step or through(place)]
            ring = set().union(*(self._open[place] for place in passable)) - reached
            reached |= ring
        return frozenset(reached)


def _neighbours(names: Iterable[str], pairs: Iterable[tuple[str, str]]) -> dict[str, tuple[str, ...]]:
    """Return the neighbours of each name over these borders; both come in map order."""
    near: dict[str, list[str]] = {name: [] for name in names}
    for a, b in pairs:
        near[a].append(b)
        near[b].append(a)
    return {name: tuple(others) for name, others in near.items()}


def graphml(board: MapGraph) -> str:
    """Return a map's graph as GraphML, which programs for graphs read."""
    import networkx as nx  # takes as long to load as many a command

    graph: nx.Graph[str] = nx.Graph()
    graph.add_nodes_from((name, {"kind": kind}) for name, kind in board.kinds.items())
    for (a, b), barrier in board.barriers.items():
        closed = {} if barrier is None else {"barrier": str(barrier)}
        graph.add_edge(a, b, **closed)
    return "\n".join(nx.generate_graphml(graph)) + "\n"
