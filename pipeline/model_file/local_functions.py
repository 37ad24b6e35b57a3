"""A model's own functions, opened by onnx.inliner once what it overlooks is put right.

It forgets the defaults that a function declares for its attributes. And it leaves alone a function that imports another
version of a domain than the model, though the format lets it: what the function uses must be the same in both.
"""

from __future__ import annotations

from collections.abc import Mapping

import onnx
import onnx.inliner
from onnx import defs

from texelscope.pipeline.model_file.asked_for import nodes_within


def inlined(model: onnx.ModelProto) -> onnx.ModelProto:
    """A new model with the bodies of the model's functions in place of their calls; the model itself without any.

    A function whose operators are others in the model's opset stays a call. Raises what onnx raises, for functions that
    call themselves.
    """
    if not model.functions:
        return model
    prepared = onnx.ModelProto()
    prepared.CopyFrom(model)  # it may be the caller's
    versions = {_domain(entry.domain): entry.version for entry in model.opset_import}
    functions = {(each.domain, each.name, each.overload): each for each in prepared.functions}
    for function in functions.values():
        _line_up(function, versions)
    for node in nodes_within((*prepared.graph.node, *(node for each in prepared.functions for node in each.node))):
        called = functions.get((node.domain, node.op_type, node.overload))
        if called is not None:
            given = {attribute.name for attribute in node.attribute}
            node.attribute.extend(default for default in called.attribute_proto if default.name not in given)
    return onnx.inliner.inline_local_functions(prepared)


def calls_itself(model: onnx.ModelProto) -> str:
    """The name of a function that calls itself, be it by way of others; empty if none does."""
    called = {
        (each.domain, each.name): {(node.domain, node.op_type) for node in nodes_within(each.node)}
        for each in model.functions
    }
    for name in called:
        reached, pending = set(), list(called[name])
        while pending:
            function = pending.pop()
            if function not in reached:
                reached.add(function)
                pending.extend(called.get(function, ()))
        if name in reached:
            return name[1]
    return ""


def _line_up(function: onnx.FunctionProto, versions: Mapping[str, int]) -> None:
    """Lets the function import the model's versions, where all operators that it uses are the same in them."""
    used = {(_domain(node.domain), node.op_type) for node in nodes_within(function.node)}
    for entry in function.opset_import:
        domain = _domain(entry.domain)
        version = versions.get(domain, entry.version)
        names = [op_type for where, op_type in used if where == domain]
        if all(_since(name, entry.version, domain) == _since(name, version, domain) for name in names):
            entry.version = version


def _since(op_type: str, opset: int, domain: str) -> int | None:
    """The opset that brought the operator as it is in `opset`; None for one that ONNX does not know."""
    try:
        return defs.get_schema(op_type, opset, domain).since_version
    except defs.SchemaError:
        return None


def _domain(domain: str) -> str:
    return "" if domain == "ai.onnx" else domain
