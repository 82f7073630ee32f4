"""The faults that are planted: one small change of one expression or statement of a function.

A mutant is named by its function and by the source text before and after, not by a line, so that its name
lasts as long as the code that it is about. Module constants, decorators, default arguments, annotations and
docstrings stay as they are: these are evaluated when a module is imported, and a mutant is planted
afterwards. The labels of dice stay too: every other label is as good, and the golden games hold the ones that
we have.
"""

import ast
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import CodeType

OPPOSITE = (
    (ast.Lt, ast.LtE),
    (ast.Gt, ast.GtE),
    (ast.Eq, ast.NotEq),
    (ast.Is, ast.IsNot),
    (ast.In, ast.NotIn),
)
COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = dict(
    [*OPPOSITE, *((new, old) for old, new in OPPOSITE)]
)
ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.Mod: ast.Add,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
}
CALLS = {"min": "max", "max": "min", "any": "all", "all": "any"}
LONGEST = 70  # how much of a source text is kept in a mutant's name

Function = ast.FunctionDef | ast.AsyncFunctionDef
Place = tuple[str, int | None]  # a field of a node, and the index in it if it holds a list


@dataclass(frozen=True)
class Mutant:
    """A planted fault.

    ``function`` is qualified (``Contingent.remove_casualties``); ``route`` leads from the module's node to
    the changed one.
    """

    file: str
    function: str
    change: str  # ``before -> after``, with ``#2`` for the second of its kind in the function
    first_line: int
    last_line: int
    route: tuple[Place, ...]
    after: ast.AST

    @property
    def name(self) -> str:
        return f"{self.file}: {self.function}: {self.change}"


def mutants_of(path: Path, file: str) -> list[Mutant]:
    """Every mutant of a source file, in the order of the source. ``file`` is the name that they carry."""
    module = ast.parse(path.read_text(encoding="utf-8"))
    mutants: list[Mutant] = []
    for function, node, route in _functions(module):
        seen: Counter[str] = Counter()
        for before, after, more in _changes_within(node):
            change = f"{_short(before)} -> {_short(after)}"
            seen[change] += 1
            if seen[change] > 1:
                change += f" #{seen[change]}"
            last = getattr(before, "end_lineno", before.lineno)
            mutants.append(Mutant(file, function, change, before.lineno, last, (*route, *more), after))
    return mutants


def mutated_code(path: Path, mutant: Mutant) -> CodeType:
    """The code of the mutant's outermost function with the fault in it.

    Raises ``LookupError`` if it has none.
    """
    module = ast.parse(path.read_text(encoding="utf-8"))
    *way, (field, index) = mutant.route
    node: ast.AST = module
    for name, at in way:
        child = getattr(node, name)
        node = child if at is None else child[at]
    if index is None:
        setattr(node, field, mutant.after)
    else:
        getattr(node, field)[index] = mutant.after
    ast.fix_missing_locations(module)
    return find_code(compile(module, str(path), "exec"), mutant.function)


def find_code(code: CodeType, qualified: str) -> CodeType:
    """The code object of a function within that of its module. Raises ``LookupError`` if it is not there."""
    for part in qualified.split("."):
        code = next(
            (
                constant
                for constant in code.co_consts
                if isinstance(constant, CodeType) and constant.co_name == part
            ),
            code,
        )
    if code.co_qualname != qualified:
        raise LookupError(qualified)
    return code


# -- where ---------------------------------------------------------------------------------------------------


def _functions(module: ast.Module) -> Iterator[tuple[str, Function, tuple[Place, ...]]]:
    """(qualified name, node, route) of each function of a module and of its classes."""
    for at, node in enumerate(module.body):
        if isinstance(node, Function):
            yield node.name, node, (("body", at),)
        elif isinstance(node, ast.ClassDef):
            for within, method in enumerate(node.body):
                if isinstance(method, Function):
                    yield f"{node.name}.{method.name}", method, (("body", at), ("body", within))


def _changes_within(function: Function) -> Iterator[tuple[ast.expr | ast.stmt, ast.AST, tuple[Place, ...]]]:
    """(node before, node after, route) of every change in a function's body."""
    for at, statement in enumerate(function.body):
        yield from _changes(statement, (("body", at),))


def _changes(
    node: ast.AST, route: tuple[Place, ...], *, decides: str = ""
) -> Iterator[tuple[ast.expr | ast.stmt, ast.AST, tuple[Place, ...]]]:
    """The changes of a node and below.

    ``decides``: it is a condition (``test``, in a comprehension ``ifs``).
    """
    if isinstance(node, ast.stmt):
        for after in _of_statement(node):
            yield node, ast.copy_location(after, node), route
    elif isinstance(node, ast.expr):
        for after in _of_expression(node, decides=decides):
            yield node, ast.copy_location(after, node), route
    for place, child in _children(node):
        yield from _changes(child, (*route, place), decides=place[0] if place[0] in ("test", "ifs") else "")


def _children(node: ast.AST) -> Iterator[tuple[Place, ast.AST]]:
    """The nodes below one whose faults can show: no annotation, no docstring, no default argument, no
    dice's label.
    """
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return
    if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "dice":
        return
    for field, value in ast.iter_fields(node):
        if field in ("annotation", "returns", "decorator_list", "args") and not isinstance(node, ast.Call):
            continue
        if isinstance(value, list):
            for at, child in enumerate(value):
                if isinstance(child, ast.AST):
                    yield (field, at), child
        elif isinstance(value, ast.AST):
            yield (field, None), value


def _short(node: ast.AST) -> str:
    text = " ".join(ast.unparse(node).split())
    return text if len(text) <= LONGEST else text[: LONGEST - 3] + "..."


# -- what ----------------------------------------------------------------------------------------------------


def _of_statement(node: ast.stmt) -> Iterator[ast.AST]:
    """A statement left out; ``break`` and ``continue`` exchanged."""
    match node:
        case (
            ast.Expr(value=ast.Call() | ast.YieldFrom())
            | ast.Delete()
            | ast.AugAssign()
            | ast.Return(value=None)
        ):
            yield ast.Pass()
        case ast.Assign(targets=[ast.Attribute() | ast.Subscript()]):
            yield ast.Pass()
        case ast.Continue():
            yield ast.Break()
        case ast.Break():
            yield ast.Continue()


def _of_expression(node: ast.expr, *, decides: str) -> Iterator[ast.AST]:
    """Yield what may stand in an expression's place; `decides`: it is a condition (`test` or `ifs`)."""
    if decides:
        yield from map(ast.Constant, _outcomes(node, decides))
    match node:
        case ast.Compare():
            yield from _of_comparison(node, decides)
        case ast.BoolOp(op=op, values=values):
            for at in range(len(values)):
                rest = [*values[:at], *values[at + 1 :]]
                yield rest[0] if len(rest) == 1 else ast.BoolOp(op, rest)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            if not decides:
                yield operand
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            yield operand
        case ast.BinOp(left=left, op=op, right=right) if type(op) in ARITHMETIC:
            yield ast.BinOp(left, ARITHMETIC[type(op)](), right)
        case ast.Call(func=ast.Name(id=name), args=args, keywords=keywords):
            yield from _of_call(name, args, keywords)
        case ast.Constant(value=value):
            yield from map(ast.Constant, _of_constant(value))


def _of_comparison(node: ast.Compare, decides: str) -> Iterator[ast.AST]:
    for at, op in enumerate(node.ops):
        # of a condition that is always true and one that never is, one is as wrong as the opposite
        if not decides or isinstance(op, ast.Lt | ast.LtE | ast.Gt | ast.GtE):
            changed = [*node.ops[:at], COMPARISONS[type(op)](), *node.ops[at + 1 :]]
            yield ast.Compare(node.left, changed, node.comparators)


def _outcomes(node: ast.expr, decides: str) -> Iterator[bool]:
    """What a condition may always be instead; a part of it left out says more where it has parts."""
    if not isinstance(node, ast.BoolOp) or isinstance(node.op, ast.Or):
        yield True
    if decides == "test" and (not isinstance(node, ast.BoolOp) or isinstance(node.op, ast.And)):
        yield False


def _of_call(name: str, args: list[ast.expr], keywords: list[ast.keyword]) -> Iterator[ast.AST]:
    """The opposite extreme or quantifier; an order that is not made."""
    if name in CALLS:
        yield ast.Call(ast.Name(CALLS[name], ast.Load()), args, keywords)
    elif name == "sorted":
        yield ast.Call(ast.Name("list", ast.Load()), args, [])
    elif name == "reversed":
        yield args[0]
    if name in ("sorted", "min", "max"):
        for at, keyword in enumerate(keywords):
            if keyword.arg in ("key", "reverse"):
                rest = [*keywords[:at], *keywords[at + 1 :]]
                yield ast.Call(ast.Name(name, ast.Load()), args, rest)


def _of_constant(value: object) -> Iterator[object]:
    match value:
        case bool():
            yield not value
        case int():
            yield value + 1
        case str() if value:
            yield value + "~"
