"""Maps operators to the functions that unroll them, of which If's is here: the taken branch replaces the node."""

from __future__ import annotations

from collections.abc import Collection, Mapping

import onnx

from texelscope.pipeline.model_file.unrolled.bodies import alias, inline, names_of_body
from texelscope.pipeline.model_file.unrolled.loops import unroll_loop, unroll_scan
from texelscope.pipeline.model_file.unrolled.scope import GraphScope, Unroll, body_of
from texelscope.pipeline.model_file.unrolled.sequences import SAME, SEQUENCES


def take_branch(proto: onnx.NodeProto, scope: GraphScope) -> None:
    """Inlines the branch; its tensors keep their names where these are unique."""
    holds = bool(scope.value(proto, proto.input[0], "a condition").any())
    body = body_of(proto, "then_branch" if holds else "else_branch")
    taken = any(scope.has(name) for name in names_of_body(body) if name)
    results = inline(body, {}, scope.unique(proto) if taken else "", scope)
    for inner, outer in zip(results, proto.output, strict=False):
        if outer:
            alias(inner, outer, scope, title=f"{proto.name}/{outer.lstrip('/')}")


UNROLLED: Mapping[str, Unroll] = {"If": take_branch, "Loop": unroll_loop, "Scan": unroll_scan, **SEQUENCES}


def unroll_of(proto: onnx.NodeProto, no_tensors: Collection[str]) -> Unroll | None:
    """Returns the function that replaces `proto` by plain nodes; `no_tensors` are sequences and optional values."""
    if proto.domain not in ("", "ai.onnx"):
        return None
    if proto.op_type == "Identity" and any(name in no_tensors for name in proto.input):
        return SAME
    return UNROLLED.get(proto.op_type)
