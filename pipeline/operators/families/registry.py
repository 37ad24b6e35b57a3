"""Finds the operators: every module that lists some in `OPERATORS`, in this folder or of an installed plug-in.

Operators of ONNX's domain need nothing else. A module of another domain names it in `DOMAIN` and defines its operators
in tables by operator type: `DEFINITIONS` are functions of an `Invocation` that the oracle evaluates, `SHAPES` functions
that infer the types of outputs (see `InferTypes`; without one the definition is evaluated on zeros), and `DEFAULTS`
values of attributes that a node may omit. The module may hold derivatives too (see
`pipeline.gradients.derivatives.registry`), and its shader may lie beside it (see `Kernel.shaders`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from types import MappingProxyType, ModuleType
from typing import Any

import texelscope.pipeline.operators.families
from texelscope.pipeline.discovery import Plugin, are_functions, by_name, gathered, installed, plugins
from texelscope.pipeline.graph import OWN_DOMAIN, Node, Shape, TensorInfo
from texelscope.pipeline.operators.base import Operator
from texelscope.pipeline.operators.facts import NOTHING, Facts

# Maps the inputs (None for an omitted one) and the attributes to the shape and numpy dtype name of each output.
InferTypes = Callable[[Sequence[TensorInfo | None], Mapping[str, Any]], Sequence[tuple[Shape, str]]]
_NO_DEFAULTS: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True)
class ListedOperator:
    """One operator type that a module lists, with the definitions that a domain outside ONNX needs.

    `define` takes an `Invocation` and returns the outputs. `module` is the module that lists the operator.
    """

    operator: Operator
    module: Plugin
    domain: str = ""
    define: Callable[[Any], Any] | None = None
    infer: InferTypes | None = None
    defaults: Mapping[str, Any] = field(default_factory=lambda: _NO_DEFAULTS)


def key_of(op_type: str, domain: str) -> str:
    """Returns an operator's key in `all_operators`: its type, prefixed by any domain other than ONNX's and our own."""
    return op_type if domain in ("", "ai.onnx", OWN_DOMAIN) else f"{domain}.{op_type}"


@cache
def all_operators() -> Mapping[str, Operator]:
    """Returns key (see `key_of`) → operator. Raises TexelscopeError naming the file of a bad or doubled entry."""
    return MappingProxyType({key: each.operator for key, each in all_listed().items()})


@cache
def all_listed() -> Mapping[str, ListedOperator]:
    """Returns the same keys as `all_operators`, with the definitions from the operators' modules."""
    return _listed(families_and_plugins())


def families_and_plugins() -> Iterator[Plugin]:
    """Yields the modules that list operators: those of this folder, then those of installed distributions."""
    yield from plugins(texelscope.pipeline.operators.families, without=("registry",))
    yield from installed("operators")


def operator_of(node: Node) -> Operator | None:
    """Returns the operator of a node; None for an unknown one."""
    return all_operators().get(key_of(node.op_type, node.domain))


def operator_called(op_type: str) -> Operator | None:
    """Returns the operator of a type in any domain, preferably ONNX's; None for an unknown one."""
    own = all_operators().get(op_type)
    others = (each.operator for each in all_listed().values() if op_type in each.operator.names())
    return own if own is not None else next(others, None)


def definition_of(node: Node) -> Callable[[Any], Any] | None:
    """Returns the function from an operator's module that evaluates a node of its domain; None for any other node."""
    listed = all_listed().get(key_of(node.op_type, node.domain)) if node.domain else None
    return None if listed is None else listed.define


def facts_of(node: Node) -> Facts:
    """Returns the facts of the node's operator; none for an unknown one."""
    operator = operator_of(node)
    return NOTHING if operator is None else operator.facts


def discover(package: ModuleType) -> Mapping[str, Operator]:
    """Returns the operators in the modules of `package`, by key."""
    listed = _listed(plugins(package, without=("registry",)))
    return MappingProxyType({key: each.operator for key, each in listed.items()})


def domain_of(plugin: Plugin) -> str:
    """Returns the domain of a module's operators; empty for ONNX's. Raises TexelscopeError for an invalid name."""
    if not hasattr(plugin.module, "DOMAIN"):
        return ""
    name: str = plugin.take("DOMAIN", "the name of a domain", 'Add a line like DOMAIN = "com.example".', _is_name)
    return name


def _listed(found: Iterable[Plugin]) -> Mapping[str, ListedOperator]:
    return by_name(gathered(found, _entries), "an operator")


def _entries(plugin: Plugin) -> Iterator[tuple[str, Plugin, ListedOperator]]:
    listed = plugin.take("OPERATORS", "a tuple of Operator instances", "List the module's operators there.", _valid)
    domain = domain_of(plugin)
    names = [name for entry in listed for name in entry.names()]
    tables = {table: _table(plugin, table, names, domain) for table in ("DEFINITIONS", "SHAPES", "DEFAULTS")}
    for entry in listed:
        for name in entry.names():
            yield (
                key_of(name, domain), plugin,
                ListedOperator(
                    entry, plugin, domain, tables["DEFINITIONS"].get(name), tables["SHAPES"].get(name),
                    tables["DEFAULTS"].get(name, _NO_DEFAULTS),
                ),
            )  # fmt: skip
    if domain and domain != OWN_DOMAIN:
        lacking = [name for name in names if name not in tables["DEFINITIONS"]]
        if lacking:
            raise plugin.refuse(
                f"a definition of each operator of '{domain}'", f"none of '{lacking[0]}'",
                f'Add a line like DEFINITIONS = {{"{lacking[0]}": evaluate}}.',
            )  # fmt: skip


def _table(plugin: Plugin, table: str, names: Sequence[str], domain: str) -> Mapping[str, Any]:
    """Returns one of the tables by operator type; empty if the module has none."""
    if not hasattr(plugin.module, table):
        return {}
    if not domain:
        raise plugin.refuse(f"{table} beside a DOMAIN", "no DOMAIN", "ONNX defines this for its operators: remove it.")
    is_valid = _are_defaults if table == "DEFAULTS" else are_functions
    what = "attributes by name" if table == "DEFAULTS" else "functions"
    found: Mapping[str, Any] = plugin.take(
        table, f"a mapping from operator types to {what}", "See the folder's registry.py.", is_valid
    )
    unknown = [name for name in found if name not in names]
    if unknown:
        raise plugin.refuse(f"{table} of operators in OPERATORS", f"'{unknown[0]}'", "List it there, or remove it.")
    return found


def _valid(entries: object) -> bool:
    return isinstance(entries, tuple) and all(isinstance(entry, Operator) for entry in entries)


def _is_name(domain: object) -> bool:
    return isinstance(domain, str) and bool(domain)


def _are_defaults(table: object) -> bool:
    return isinstance(table, Mapping) and all(isinstance(each, Mapping) for each in table.values())
