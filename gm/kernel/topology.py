"""Maps as graphs: nodes of some kind, borders that may be closed by a barrier.

Neighbours, which every step asks for, come from plain tuples; the networkx graph behind the questions about paths and
connection is built when one is asked, because importing networkx costs more than most commands need.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import networkx as nx


class Topology:
    """``nodes``: name to kind, in map order; ``edges``: (a, b, barrier or none). Edges have no direction.

    Raises ``ValueError`` for an edge to an unknown node, from a node to itself, or written twice.
    """

    def __init__(self, nodes: Mapping[str, str], edges: Iterable[tuple[str, str, Any]]) -> None:
        self.kinds = dict(nodes)
        self._barriers: dict[str, dict[str, Any]] = {name: {} for name in self.kinds}
        for a, b, barrier in edges:
            if a == b or a not in self._barriers or b not in self._barriers or b in self._barriers[a]:
                raise ValueError(f"no border can run between {a!r} and {b!r}")
            self._barriers[a][b] = self._barriers[b][a] = barrier
        rank = {name: index for index, name in enumerate(self.kinds)}
        self._neighbours = {name: tuple(sorted(found, key=rank.__getitem__)) for name, found in self._barriers.items()}
        self._open = {
            name: tuple(other for other in found if self._barriers[name][other] is None)
            for name, found in self._neighbours.items()
        }

    def neighbours(self, node: str) -> tuple[str, ...]:
        """All bordering nodes, closed borders included, in map order."""
        return self._neighbours[node]

    def open_neighbours(self, node: str) -> tuple[str, ...]:
        """The nodes across open borders, in map order."""
        return self._open[node]

    def borders(self, a: str, b: str) -> bool:
        """Whether ``a`` and ``b`` share a border, open or closed."""
        return b in self._barriers.get(a, {})

    def is_open(self, a: str, b: str) -> bool:
        """Whether ``a`` and ``b`` share an open border."""
        return self.borders(a, b) and self._barriers[a][b] is None

    def barrier(self, a: str, b: str) -> Any:
        """What closes the border, or none. Raises ``KeyError`` when there is no border."""
        return self._barriers[a][b]

    @cached_property
    def graph(self) -> nx.Graph[str]:
        """The networkx graph: nodes carry ``kind``, edges carry ``barrier``."""
        import networkx as nx

        graph: nx.Graph[str] = nx.Graph()
        graph.add_nodes_from((name, {"kind": kind}) for name, kind in self.kinds.items())
        graph.add_edges_from((a, b, {"barrier": self._barriers[a][b]}) for a in self.kinds for b in self._neighbours[a])
        return graph

    def distance(self, start: str, goal: str, through: Callable[[str], bool], reach: int) -> int | None:
        """The length of the shortest open path of at most ``reach`` borders; none when there is none.

        The nodes between the two ends must all satisfy ``through``; the ends need not.
        """
        import networkx as nx

        passable = {name for name in self.kinds if name in (start, goal) or through(name)}
        view = nx.subgraph_view(
            self.graph, filter_node=passable.__contains__, filter_edge=lambda a, b: self.is_open(a, b)
        )
        found = nx.single_source_shortest_path_length(view, start, cutoff=reach)
        return dict(found).get(goal)
