"""Maps as frozen networkx graphs: places with kinds, borders that a barrier may close, and neighbours."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import Any

import networkx as nx

_BARRIER = "barrier"  # the attribute of an edge that has one


class MapGraph:
    """The places of a map and their borders, all in map order, so that searches are deterministic (W12)."""

    def __init__(self, nodes: Mapping[str, str], edges: Iterable[tuple[str, str, Any]]) -> None:
        """Make the graph of places and borders.

        ``nodes``: the kind of each place, by name, in map order; ``edges``: (place, place, barrier or None),
        in any order and direction. Raises ``ValueError`` for a border of an unknown place, of a place with
        itself, or given twice.
        """
        rank = self._rank = {name: index for index, name in enumerate(nodes)}
        barriers: dict[tuple[str, str], Any] = {}  # by the two places of a border, in map order
        for a, b, barrier in edges:
            if a == b or a not in rank or b not in rank or (a, b) in barriers or (b, a) in barriers:
                raise ValueError(f"no border can run between {a!r} and {b!r}")
            barriers[(a, b) if rank[a] < rank[b] else (b, a)] = barrier
        self.graph: nx.Graph[str] = nx.Graph()
        self.graph.add_nodes_from((name, {"kind": kind}) for name, kind in nodes.items())
        in_order = sorted(barriers, key=lambda border: (rank[border[0]], rank[border[1]]))
        self.graph.add_edges_from(
            (a, b, {} if barriers[a, b] is None else {_BARRIER: barriers[a, b]}) for a, b in in_order
        )
        nx.freeze(self.graph)
        self.adjacent: dict[str, tuple[str, ...]] = {
            name: tuple(neighbours) for name, neighbours in self.graph.adjacency()
        }
        self._open: dict[str, tuple[str, ...]] = {
            name: tuple(other for other, border in neighbours.items() if _BARRIER not in border)
            for name, neighbours in self.graph.adjacency()
        }
        self.neighbours = self.adjacent.__getitem__  # also over borders with a barrier, in map order
        self.open_neighbours = self._open.__getitem__  # over borders without one

    @cached_property
    def open(self) -> nx.Graph[str]:
        """The graph without the borders that have a barrier."""
        open_graph: nx.Graph[str] = nx.Graph()
        open_graph.add_nodes_from(self.graph)
        open_graph.add_edges_from(
            (a, b) for a, b, barrier in self.graph.edges.data(_BARRIER) if barrier is None
        )
        return nx.freeze(open_graph)

    def borders(self, a: str, b: str) -> bool:
        """Return whether two places have a border; false for unknown places."""
        return b in self.adjacent.get(a, ())

    def is_open(self, a: str, b: str) -> bool:
        """Return whether two places have a border without a barrier; false for unknown places."""
        return b in self._open.get(a, ())

    def barrier(self, a: str, b: str) -> Any:
        """Return the barrier on a border, or None. Raises ``KeyError`` when there is no border."""
        return self.graph.edges[a, b].get(_BARRIER)

    def parts(self, nodes: Iterable[str]) -> list[list[str]]:
        """Return these places in parts that open borders connect, the largest first, each in map order."""
        rank = self._rank.__getitem__
        parts = [sorted(part, key=rank) for part in nx.connected_components(self.open.subgraph(nodes))]
        return sorted(parts, key=lambda part: (-len(part), rank(part[0])))

    def steps_from(self, start: str) -> Mapping[str, int]:
        """Return how many open borders away from ``start`` each place is that it is connected with.

        The places are the keys, the nearest first: ``start`` itself with 0.
        """
        distances: Mapping[str, int] = nx.single_source_shortest_path_length(self.open, start)
        return distances

    def reached(self, starts: Iterable[str], steps: int, through: Callable[[str], bool]) -> frozenset[str]:
        """Return the places within ``steps`` open borders of a start, the starts included.

        Every place on a way, except its two ends, must be accepted by ``through``.
        """
        reached = set(starts)
        ring = set(starts)  # the places that were reached with the last step
        for step in range(steps):
            passable = [place for place in ring if step == 0 or through(place)]
            ring = set().union(*(self._open[place] for place in passable)) - reached
            reached |= ring
        return frozenset(reached)


def graphml(graph: nx.Graph[str]) -> str:
    """Return a map's graph as GraphML, a file format that programs for graphs read."""
    plain: nx.Graph[str] = nx.Graph()  # with attributes that are text, as GraphML wants them
    plain.add_nodes_from(graph.nodes.data())
    for a, b, attributes in graph.edges.data():
        plain.add_edge(a, b, **{name: str(value) for name, value in attributes.items()})
    return "\n".join(nx.generate_graphml(plain)) + "\n"
