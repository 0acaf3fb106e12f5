"""Python as the product is written, rewritten as MicroPython reads it: mechanically, over the syntax tree.

What MicroPython lacks and a rewriting can say otherwise is rewritten here. That is annotations and type
aliases, dataclasses, `match` on values, unpacking in displays, dicts that keep their order. What can stand
beside the source as a function is in `shims.py`. Every import of the standard library leads there, and so do
the built-in names and the methods that they have. What can't be rewritten is said.
"""

import ast
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

SHIMS: Final = "shims"
"""The module that the shims are on the phone."""


def _names_of(node: ast.stmt) -> list[str]:
    """What a statement of a module defines."""
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        return [node.name]
    targets = node.targets if isinstance(node, ast.Assign) else []
    return [each.id for each in targets if isinstance(each, ast.Name)]


_SHIM_NAMES: Final = {
    name
    for node in ast.parse(Path(__file__).with_name("shims.py").read_text("utf-8")).body
    for name in _names_of(node)
    if not name.startswith("_")
}
"""Names that the shims have: of Python's own, of the standard library, and of what this module writes."""
_METHODS: Final = {name.removeprefix("str_") for name in _SHIM_NAMES if name.startswith("str_")}
"""Methods of built-in types that are functions of the shims."""
_PLAIN_TYPES: Final = {"dict", "frozenset", "list", "set", "tuple", "type"}


class UnwritableError(Exception):
    """Source that isn't rewritten: where it stands, and what it is."""


def transformed(source: str, modules: Iterable[str] = (), *, shims: bool = False) -> str:
    """The source of a module for MicroPython; UnwritableError for what isn't rewritten.

    `modules` are the product's that go along. An import from any other of the product is left out, and it is
    up to whoever chooses them that nothing misses it. `shims`: the module is the shims' own, whose imports
    are MicroPython's.
    """
    tree = ast.parse(source)
    tree = (_Unannotated() if shims else _Rewriting()).visit(tree)
    if not shims:
        _import_what_is_used(tree, set(modules))
    return ast.unparse(ast.fix_missing_locations(tree)) + "\n"


def _name(name: str) -> ast.Name:
    return ast.Name(name, ast.Load())


def _call(name: str, *args: ast.expr) -> ast.Call:
    return ast.Call(_name(name), list(args), [])


def _assign(name: str, value: ast.expr) -> ast.Assign:
    return ast.Assign([ast.Name(name, ast.Store())], value)


def _unwritable(node: ast.stmt | ast.expr | ast.pattern, what: str) -> UnwritableError:
    return UnwritableError(f"line {node.lineno}: {what}")


class _Unannotated(ast.NodeTransformer):
    """Without annotations and docstrings."""

    def visit_Expr(self, node: ast.Expr) -> ast.Expr | None:
        if isinstance(node.value, ast.Constant):
            return None
        self.generic_visit(node)
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.Assign | None:
        if node.value is None:
            return None
        return ast.Assign([node.target], self.visit(node.value))

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        node.returns = None
        self.generic_visit(node)
        node.body = node.body or [ast.Pass()]
        return node

    def visit_arg(self, node: ast.arg) -> ast.arg:
        node.annotation = None
        return node

    def visit_arguments(self, node: ast.arguments) -> ast.arguments:
        node.args = node.posonlyargs + node.args
        node.posonlyargs = []
        self.generic_visit(node)
        return node


class _Rewriting(_Unannotated):
    """Everything but the imports."""

    def __init__(self) -> None:
        self.data: dict[str, dict[str, ast.expr | None] | None] = {}
        """The module's dataclasses so far; with the fields of those that are given by name alone, since they
        come last in a class that inherits them.
        """

    def visit_Module(self, node: ast.Module) -> ast.Module:
        typing = {
            alias.asname or alias.name
            for each in node.body
            if isinstance(each, ast.ImportFrom) and each.module in ("typing", "collections.abc")
            for alias in each.names
        }
        for each in node.body:
            if isinstance(each, ast.Assign) and _is_type(each.value, typing | _PLAIN_TYPES):
                # A name for a type stands for nothing when the program runs.
                each.value = ast.Constant(None)
        self.generic_visit(node)
        return node

    # Dataclasses

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST | list[ast.AST]:
        is_data = any(_is_dataclass(each) for each in node.decorator_list)
        is_by_name = any("kw_only=True" in ast.unparse(each) for each in node.decorator_list)
        node.decorator_list = [each for each in node.decorator_list if not _is_dataclass(each)]
        hints = _hints(node) if is_data else []
        fields = _fields(node) if is_data else []
        self.generic_visit(node)
        if not is_data:
            node.body = node.body or [ast.Pass()]
            return node
        defaults = {name: None if value is None else self.visit(value) for name, value in fields}
        for base in map(ast.unparse, node.bases):
            inherited = self.data.get(base, {})
            if inherited is None:
                raise _unwritable(node, "a dataclass that adds to another")
            defaults |= inherited
        self.data[node.name] = defaults if is_by_name else None
        annotated = [(name, type_, self.visit(note)) for name, type_, note in hints]
        return [_with_init(node, defaults), _declared(node.name, defaults, annotated)]

    # Displays and comprehensions: a dict keeps its order here, and takes pairs

    def visit_Dict(self, node: ast.Dict) -> ast.AST:
        self.generic_visit(node)
        parts: list[ast.expr] = []
        pairs: list[ast.expr] = []
        for key, value in zip(node.keys, node.values, strict=True):
            if key is not None:
                pairs.append(ast.Tuple([key, value], ast.Load()))
                continue
            if pairs:
                parts.append(ast.Tuple(pairs, ast.Load()))
            parts.append(_call("dict", value))
            pairs = []
        if pairs:
            parts.append(ast.Tuple(pairs, ast.Load()))
        if len(parts) < 2:
            return _call("dict", *parts)
        return _call("dict", _call("chain_pairs", *parts))

    def visit_DictComp(self, node: ast.DictComp) -> ast.AST:
        self.generic_visit(node)
        pair = ast.Tuple([node.key, node.value], ast.Load())
        return _call("dict", ast.GeneratorExp(pair, node.generators))

    def visit_Tuple(self, node: ast.Tuple) -> ast.AST:
        return self.unstarred(node, "tuple_of")

    def visit_List(self, node: ast.List) -> ast.AST:
        return self.unstarred(node, "list_of")

    def visit_Set(self, node: ast.Set) -> ast.AST:
        return self.unstarred(node, "set_of")

    def unstarred(self, node: ast.Tuple | ast.List | ast.Set, maker: str) -> ast.AST:
        self.generic_visit(node)
        is_store = not isinstance(node, ast.Set) and isinstance(node.ctx, ast.Store)
        if is_store or not any(isinstance(each, ast.Starred) for each in node.elts):
            return node
        return _call(maker, *node.elts)

    # Names and methods that MicroPython hasn't

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        function = node.func
        if not isinstance(function, ast.Attribute):
            return node
        if isinstance(function.value, ast.Name) and (function.value.id, function.attr) == (
            "dict",
            "fromkeys",
        ):
            return _call("fromkeys", *node.args)
        if function.attr in _METHODS:
            return _call(f"str_{function.attr}", function.value, *node.args)
        return node

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        # A text's own % takes no dict that keeps its order.
        is_text = isinstance(node.op, ast.Mod) and (
            isinstance(node.right, ast.Dict) or isinstance(node.left, (ast.Call, ast.Constant))
        )
        self.generic_visit(node)
        return _call("filled", node.left, node.right) if is_text else node

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        self.generic_visit(node)
        return _call("getter_of", node.value) if node.attr == "__getitem__" else node

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        self.generic_visit(node)
        part = node.slice
        if not isinstance(part, ast.Slice) or part.step is None:
            return node
        if ast.unparse(part).replace(" ", "") != "::-1":
            raise _unwritable(node, "a slice with steps")
        return _call("backwards", node.value)

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.left, ast.Call) and ast.unparse(node.left).endswith(".keys()"):
            node.left = _call("set", node.left)
        return node

    # `match` on values

    def visit_Match(self, node: ast.Match) -> list[ast.AST]:
        self.generic_visit(node)
        subject = f"_subject_{node.lineno}"
        first: list[ast.stmt] = []
        rest = first
        for case in node.cases:
            test = _test(case.pattern, subject)
            if case.guard is not None:
                raise _unwritable(case.pattern, "a guarded case")
            if test is None:
                rest.extend(case.body)
                break
            branch = ast.If(test, case.body, [])
            rest.append(branch)
            rest = branch.orelse
        return [_assign(subject, node.subject), *first]

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AST:
        raise _unwritable(node, "an async function")

    def visit_TryStar(self, node: ast.TryStar) -> ast.AST:
        raise _unwritable(node, "except*")


def _is_type(value: ast.expr, generic: set[str]) -> bool:
    """Whether the value of an assignment is a type: `Callable[…]`, or a variable for one."""
    if isinstance(value, ast.Call):
        return ast.unparse(value.func) == "TypeVar"
    return (
        isinstance(value, ast.Subscript) and isinstance(value.value, ast.Name) and value.value.id in generic
    )


def _is_dataclass(decorator: ast.expr) -> bool:
    called = decorator.func if isinstance(decorator, ast.Call) else decorator
    return isinstance(called, ast.Name) and called.id == "dataclass"


def _fields(node: ast.ClassDef) -> list[tuple[str, ast.expr | None]]:
    """The fields of a dataclass with their defaults, which are taken out of its body."""
    found: list[tuple[str, ast.expr | None]] = []
    for each in list(node.body):
        if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name):
            if not ast.unparse(each.annotation).startswith("ClassVar"):
                found.append((each.target.id, each.value))
            node.body.remove(each)
    return found


def _hints(node: ast.ClassDef) -> list[tuple[str, ast.expr, ast.expr]]:
    """The fields that are `Annotated`, each with its type and its note. A `Literal` is its values, and None
    stands for another type that isn't a name.
    """
    found = []
    for each in node.body:
        match each:
            case ast.AnnAssign(
                ast.Name(name), ast.Subscript(ast.Name("Annotated"), ast.Tuple([type_, note]))
            ):
                if isinstance(type_, ast.Subscript) and ast.unparse(type_.value) == "Literal":
                    type_ = type_.slice
                elif not isinstance(type_, ast.Name):
                    type_ = ast.Constant(None)
                found.append((name, type_, note))
    return found


def _factory(value: ast.expr | None) -> ast.expr | None:
    """What makes a field's default anew for each object, if anything does."""
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id == "field":
        (keyword,) = value.keywords
        if keyword.arg != "default_factory":
            raise _unwritable(value, f"a field's {keyword.arg}")
        return keyword.value
    return None


def _with_init(node: ast.ClassDef, fields: dict[str, ast.expr | None]) -> ast.ClassDef:
    """The class with what a dataclass gets of itself: `__init__`, and being equal to its like."""
    arguments = ast.arguments(
        posonlyargs=[],
        args=[ast.arg("self"), *(ast.arg(name) for name in fields)],
        kwonlyargs=[],
        kw_defaults=[],
        defaults=[
            ast.Constant(None) if _factory(value) else value for value in fields.values() if value is not None
        ],
    )
    body: list[ast.stmt] = []
    for name, value in fields.items():
        given: ast.expr = _name(name)
        factory = _factory(value)
        if factory is not None:
            is_missing = ast.Compare(_name(name), [ast.Is()], [ast.Constant(None)])
            given = ast.IfExp(is_missing, ast.Call(factory, [], []), given)
        body.append(ast.Assign([ast.Attribute(_name("self"), name, ast.Store())], given))
    own = {each.name for each in node.body if isinstance(each, ast.FunctionDef)}
    if "__post_init__" in own:
        raise _unwritable(node, "a dataclass that goes on after its own __init__")
    init = ast.FunctionDef("__init__", arguments, body or [ast.Pass()], [])
    equal = [
        _assign(f"__{name}__", _name(f"dataclass_{name}"))
        for name in ("eq", "hash", "repr")
        if f"__{name}__" not in own
    ]
    node.body = [init, *equal, *node.body]
    return node


def _declared(
    name: str, fields: dict[str, ast.expr | None], hints: Sequence[tuple[str, ast.expr, ast.expr]]
) -> ast.Expr:
    """What tells the shims a dataclass's fields, and what those that are `Annotated` are annotated with."""
    pairs: list[ast.expr] = [
        ast.Tuple(
            [ast.Constant(field), value if value and not _factory(value) else _name("MISSING")], ast.Load()
        )
        for field, value in fields.items()
    ]
    arguments: list[ast.expr] = [_name(name), ast.Tuple(pairs, ast.Load())]
    if hints:
        notes: list[ast.expr] = [
            ast.Tuple([ast.Constant(field), ast.Tuple([type_, note], ast.Load())], ast.Load())
            for field, type_, note in hints
        ]
        arguments.append(ast.Tuple(notes, ast.Load()))
    return ast.Expr(_call("declare", *arguments))


def _test(pattern: ast.pattern, subject: str) -> ast.expr | None:
    """Whether a pattern fits; None for one that always does."""
    match pattern:
        case ast.MatchValue(value):
            return ast.Compare(_name(subject), [ast.Eq()], [value])
        case ast.MatchSingleton(value):
            return ast.Compare(_name(subject), [ast.Is()], [ast.Constant(value)])
        case ast.MatchOr(patterns):
            tests = [_test(each, subject) for each in patterns]
            return ast.BoolOp(ast.Or(), [test for test in tests if test is not None])
        case ast.MatchAs(None, None):
            return None
    raise _unwritable(pattern, "a pattern that isn't a value")


def _import_what_is_used(tree: ast.Module, modules: set[str]) -> None:
    """Imports of what is used when the program runs, from the shims in place of the standard library."""
    used = {each.id for each in ast.walk(tree) if isinstance(each, ast.Name)} | _exported(tree)
    body: list[ast.stmt] = []
    taken: set[str] = set()
    product = {each.partition(".")[0] for each in modules}
    for node in tree.body:
        if not isinstance(node, (ast.Import, ast.ImportFrom)):
            body.append(node)
            continue
        node.names = [each for each in node.names if (each.asname or each.name).partition(".")[0] in used]
        if not node.names:
            continue
        if isinstance(node, ast.ImportFrom) and str(node.module).partition(".")[0] in product:
            node.names = [
                each
                for each in node.names
                if node.module in modules or f"{node.module}.{each.name}" in modules
            ]
            if node.names:
                body.append(node)
        else:
            taken |= {each.asname or each.name for each in node.names}
            body.append(ast.ImportFrom(SHIMS, node.names, 0))
    own = sorted((used & _SHIM_NAMES) - taken - _assigned(tree))
    if own:
        body.insert(0, ast.ImportFrom(SHIMS, [ast.alias(name) for name in own], 0))
    tree.body = body


def _exported(tree: ast.Module) -> set[str]:
    """What a module says in `__all__`."""
    return {
        str(name.value)
        for node in tree.body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__"
        for name in ast.walk(node.value)
        if isinstance(name, ast.Constant)
    }


def _assigned(tree: ast.Module) -> set[str]:
    stored: Sequence[ast.AST] = [
        each for each in ast.walk(tree) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)
    ]
    return {each.id for each in stored if isinstance(each, ast.Name)}
