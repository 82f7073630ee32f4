"""What Jinja2 makes of a template, Python, rewritten before it is compiled: the same text with fewer calls.

Attributes are read where they are asked for, functions called without the context between, texts escaped
without a call if they are remembered, and what follows each other is given in one piece. Only needed when a
template is compiled.
"""

import ast
from collections.abc import Iterator
from typing import Any

_VALUE = "_value"  # a name that no template has: Jinja2 puts a letter and a number before those
_UNSURE = ("environment.tests['defined']", "environment.tests['undefined']", "environment.filters['default']")


def quickened(source: str) -> ast.Module:
    """Return the module of a template from its Python.

    One that asks whether there is an attribute keeps the long way.
    """
    quick = _Quickened(sure=not any(each in source for each in _UNSURE))
    made: ast.Module = quick.visit(ast.parse(source))
    return ast.fix_missing_locations(made)


class _Quickened(ast.NodeTransformer):
    def __init__(self, *, sure: bool) -> None:
        self._sure = sure

    def visit_Call(self, node: ast.Call) -> ast.expr:
        """``environment.getattr(x, 'name')``, ``context.call(f, x)`` and ``escape(x)`` in less."""
        self.generic_visit(node)
        called = ast.unparse(node.func) if isinstance(node.func, ast.Name | ast.Attribute) else ""
        if called == "context.call":
            named = [each for each in node.keywords if each.arg not in ("_loop_vars", "_block_vars")]
            return ast.copy_location(ast.Call(node.args[0], node.args[1:], named), node)
        if called == "escape":
            return _either(node, ast.Is(), "str", f"remembered({_VALUE})")
        if called == "environment.getattr" and self._sure:
            return _either(node, ast.IsNot(), "dict", f"{_VALUE}.{ast.literal_eval(node.args[1])}")
        return node

    def generic_visit(self, node: ast.AST) -> Any:
        """Also put together what is given one after the other."""
        super().generic_visit(node)
        for name in ("body", "orelse"):
            if isinstance(statements := getattr(node, name, None), list):
                setattr(node, name, list(_joined(statements)))
        return node


def _either(call: ast.Call, test: ast.cmpop, kind: str, quick: str) -> ast.expr:
    """``quick`` if the type of a call's first argument passes the test, else the call."""
    given = ast.NamedExpr(ast.Name(_VALUE, ast.Store()), call.args[0])
    call.args[0] = ast.Name(_VALUE, ast.Load())
    passes = ast.Compare(ast.Call(ast.Name("type", ast.Load()), [given], []), [test], [ast.Name(kind, ast.Load())])
    return ast.copy_location(ast.IfExp(passes, ast.parse(quick, mode="eval").body, call), call)


def _joined(statements: list[ast.stmt]) -> Iterator[ast.stmt]:
    run: list[ast.expr] = []
    for each in [*statements, None]:
        if isinstance(each, ast.Expr) and isinstance(each.value, ast.Yield) and each.value.value:
            run.append(each.value.value)
            continue
        if run:
            together = ast.Call(ast.Name("concat", ast.Load()), [ast.Tuple(run, ast.Load())], [])
            yield ast.copy_location(ast.Expr(ast.Yield(together if len(run) > 1 else run[0])), run[0])
            run = []
        if each:
            yield each
