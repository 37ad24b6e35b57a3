"""Lists the functions that an oracle file defines and checks their parameters; nothing of it runs here."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Mapping
from dataclasses import dataclass

from texelscope.pipeline.errors import TexelscopeError, nearest
from texelscope.pipeline.oracle.function_oracle import argument_names
from texelscope.pipeline.pipeline_file.table import Problems
from texelscope.pipeline.plan import Plan


@dataclass(frozen=True)
class Function:
    """A name defined at the top level. `required` are parameters without default; None if it is no plain `def`.

    `parameters` are all of them, also those with a default; `takes_any` says that it takes any other name too.
    """

    name: str
    line: int
    required: tuple[str, ...] | None
    parameters: tuple[str, ...] = ()
    takes_any: bool = False


def functions_in(text: str, file: str) -> Mapping[str, Function]:
    """Returns the top-level names that the file defines. Raises TexelscopeError, with the line, for a syntax error."""
    try:
        with warnings.catch_warnings(action="ignore"):  # about a text that nobody asked to see
            module = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:  # the last two where it is too deep
        line = f":{error.lineno}" if isinstance(error, SyntaxError) else ""
        raise TexelscopeError(
            f"{file}{line}", "Python", str(getattr(error, "msg", error)) or "a text too deep", "Correct it."
        ) from error
    found: dict[str, Function] = {}
    for node in module.body:
        for function in _defined(node):
            if not function.name.startswith("_"):
                found[function.name] = function
    return found


def _defined(node: ast.stmt) -> list[Function]:
    if isinstance(node, ast.FunctionDef):
        own = node.args
        named = (*own.posonlyargs, *own.args, *own.kwonlyargs)
        names, takes_any = tuple(each.arg for each in named), own.kwarg is not None
        return [Function(node.name, node.lineno, _required(own), names, takes_any)]
    if isinstance(node, ast.Assign):
        return [Function(target.id, node.lineno, None) for target in node.targets if isinstance(target, ast.Name)]
    if isinstance(node, ast.ImportFrom):
        return [Function(alias.asname or alias.name, node.lineno, None) for alias in node.names]
    return []


def _required(arguments: ast.arguments) -> tuple[str, ...]:
    positional = [*arguments.posonlyargs, *arguments.args]
    without_default = positional[: len(positional) - len(arguments.defaults)]
    keywords = [
        argument
        for argument, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
        if default is None
    ]
    return tuple(argument.arg for argument in [*without_default, *keywords])


def check_functions(plan: Plan, titles: Mapping[str, str], problems: Problems) -> None:
    """Records parameters without default whose name no texture or uniform of the pass has."""
    file = plan.oracle_file
    assert file is not None
    known = functions_in(file.text, file.path)
    for each in plan.passes:
        offered = argument_names(plan, each)
        for key in each.outputs:
            function = known.get(file.functions.get(key, ""))
            for parameter in (function.required or ()) if function is not None else ():
                if parameter not in offered:
                    assert function is not None
                    problems.add(
                        titles[each.name],
                        "oracle",
                        f"parameters of {function.name}() ({file.path}:{function.line}) called as the pass's tensors",
                        f"'{parameter}'",
                        nearest(parameter, offered),
                    )
