"""Maps as frozen networkx graphs: places by kind, borders that a barrier may close, and neighbours."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import Any

import networkx as nx

_CLOSED = "barrier"


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
        self.graph: nx.Graph[str] = nx.Graph()
        self.graph.add_nodes_from((name, {"kind": kind}) for name, kind in nodes.items())
        for a, b in sorted(barriers, key=lambda pair: (rank[pair[0]], rank[pair[1]])):
            barrier = barriers[a, b]
            closed = {} if barrier is None else {_CLOSED: barrier}
            self.graph.add_edge(a, b, **closed)
        nx.freeze(self.graph)
        self.adjacent: dict[str, tuple[str, ...]] = {
            name: tuple(neighbours) for name, neighbours in self.graph.adjacency()
        }
        self._open: dict[str, tuple[str, ...]] = {
            name: tuple(neighbours) for name, neighbours in self.open.adjacency()
        }
        self.neighbours = self.adjacent.__getitem__  # closed borders included, in map order
        self.open_neighbours = self._open.__getitem__

    @cached_property
    def open(self) -> nx.Graph[str]:
        """The graph without the borders that a barrier may close."""
        open_graph: nx.Graph[str] = nx.Graph()
        open_graph.add_nodes_from(self.graph)
        open_graph.add_edges_from(
            (a, b) for a, b, barrier in self.graph.edges.data(_CLOSED) if barrier is None
        )
        return nx.freeze(open_graph)

    def borders(self, a: str, b: str) -> bool:
        return b in self.adjacent.get(a, ())

    def is_open(self, a: str, b: str) -> bool:
        return b in self._open.get(a, ())

    def barrier(self, a: str, b: str) -> Any:
        """Return the barrier on a border, or None. Raises ``KeyError`` when there is no border."""
        return self.graph.edges[a, b].get(_CLOSED)

    def parts(self, nodes: Iterable[str]) -> list[list[str]]:
        """Return the parts of some nodes that open borders connect, largest first, each in map order."""
        rank = self._rank.__getitem__
        parts = [sorted(part, key=rank) for part in nx.connected_components(self.open.subgraph(nodes))]
        return sorted(parts, key=lambda part: (-len(part), rank(part[0])))

    def steps_from(self, start: str) -> Mapping[str, int]:
        """Return the fewest open borders to each place that can be reached from ``start``, nearest first."""
        distances: Mapping[str, int] = nx.single_source_shortest_path_length(self.open, start)
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


def graphml(graph: nx.Graph[str]) -> str:
    """Return a map's graph as GraphML, which programs for graphs read."""
    plain: nx.Graph[str] = nx.Graph()
    plain.add_nodes_from(graph.nodes.data())
    for a, b, marks in graph.edges.data():
        plain.add_edge(a, b, **{name: str(value) for name, value in marks.items()})
    return "\n".join(nx.generate_graphml(plain)) + "\n"
