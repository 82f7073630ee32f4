"""Maps as frozen networkx graphs: places of some kind, borders that a barrier may close, and who borders on whom.

Who borders on whom is asked all the time, and stands in plain tables; networkx, which takes long to load, is there for
who asks for the graph itself or for distances.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import networkx as nx

_CLOSED = "barrier"


class MapGraph:
    """``nodes``: name to kind, in map order; ``edges``: (a, b, barrier or none), undirected. All is in map order: every
    search is deterministic (W12). Raises ``ValueError`` for an unknown, looped or double edge."""

    def __init__(self, nodes: Mapping[str, str], edges: Iterable[tuple[str, str, Any]]) -> None:
        rank = self._rank = {name: index for index, name in enumerate(nodes)}
        barriers: dict[tuple[str, str], Any] = {}
        for a, b, barrier in edges:
            if a == b or a not in rank or b not in rank or (a, b) in barriers or (b, a) in barriers:
                raise ValueError(f"no border can run between {a!r} and {b!r}")
            barriers[(a, b) if rank[a] < rank[b] else (b, a)] = barrier
        self._kinds = dict(nodes)
        self._barriers = {
            pair: barriers[pair] for pair in sorted(barriers, key=lambda pair: (rank[pair[0]], rank[pair[1]]))
        }
        self.adjacent = _adjacency(nodes, self._barriers)
        self._open = _adjacency(nodes, (pair for pair, barrier in self._barriers.items() if barrier is None))
        self.neighbours = self.adjacent.__getitem__  # closed borders included, in map order
        self.open_neighbours = self._open.__getitem__

    @cached_property
    def graph(self) -> nx.Graph[str]:
        """All of it; an edge that is closed has its ``barrier``."""
        import networkx as nx

        graph: nx.Graph[str] = nx.Graph()
        graph.add_nodes_from((name, {"kind": kind}) for name, kind in self._kinds.items())
        for (a, b), barrier in self._barriers.items():
            graph.add_edge(a, b, **({} if barrier is None else {_CLOSED: barrier}))
        return nx.freeze(graph)

    @cached_property
    def open(self) -> nx.Graph[str]:
        """The same places with the borders that nothing closes."""
        import networkx as nx

        ways: nx.Graph[str] = nx.Graph()
        ways.add_nodes_from(self._kinds)
        ways.add_edges_from(pair for pair, barrier in self._barriers.items() if barrier is None)
        return nx.freeze(ways)

    def borders(self, a: str, b: str) -> bool:
        return b in self.adjacent.get(a, ())

    def is_open(self, a: str, b: str) -> bool:
        return b in self._open.get(a, ())

    def barrier(self, a: str, b: str) -> Any:
        """What closes the border, or none. Raises ``KeyError`` when there is no border."""
        return self._barriers[(a, b) if self._rank[a] < self._rank[b] else (b, a)]

    def parts(self, nodes: Iterable[str]) -> list[list[str]]:
        """The parts of some nodes that open borders between them connect, the largest first, each in map order."""
        rank, parts, left = self._rank.__getitem__, [], set(nodes)
        for start in sorted(left, key=rank):
            if start in left:
                part = self.reached([start], len(left), left.__contains__) & left
                parts.append(sorted(part, key=rank))
                left -= part
        return sorted(parts, key=lambda part: (-len(part), rank(part[0])))

    def steps_from(self, start: str) -> Mapping[str, int]:
        """The fewest open borders to each place that can be reached from ``start``, nearest first."""
        import networkx as nx

        found: Mapping[str, int] = nx.single_source_shortest_path_length(self.open, start)
        return found

    def reached(self, starts: Iterable[str], steps: int, through: Callable[[str], bool]) -> frozenset[str]:
        """The places within so many open borders of a start; all of a way but its ends must let it pass ``through``."""
        found = ring = set(starts)
        for step in range(steps):
            if not ring:
                break
            ring = {near for place in ring if not step or through(place) for near in self._open[place]} - found
            found = found | ring
        return frozenset(found)


def _adjacency(nodes: Iterable[str], pairs: Iterable[tuple[str, str]]) -> dict[str, tuple[str, ...]]:
    """Each node's neighbours in the order of the pairs, which are in map order."""
    found: dict[str, list[str]] = {name: [] for name in nodes}
    for a, b in pairs:
        found[a].append(b)
        found[b].append(a)
    return {name: tuple(near) for name, near in found.items()}


def graphml(graph: nx.Graph[str]) -> str:
    """A map's graph as GraphML, which programs for graphs read."""
    import networkx as nx

    plain: nx.Graph[str] = nx.Graph()
    plain.add_nodes_from(graph.nodes.data())
    for a, b, marks in graph.edges.data():
        plain.add_edge(a, b, **{name: str(value) for name, value in marks.items()})
    return "\n".join(nx.generate_graphml(plain)) + "\n"
