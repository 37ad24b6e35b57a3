"""If: the branch that is taken, in place of the node."""

from __future__ import annotations

import onnx

from texelscope.pipeline.model_file.unrolled.bodies import alias, inline
from texelscope.pipeline.model_file.unrolled.names import names_of_body
from texelscope.pipeline.model_file.unrolled.scope import GraphScope, body_of


def take_branch(proto: onnx.NodeProto, scope: GraphScope) -> None:
    """Puts the branch in place; its tensors keep their names where nothing else has them."""
    holds = bool(scope.value(proto, proto.input[0], "a condition").any())
    body = body_of(proto, "then_branch" if holds else "else_branch")
    taken = any(scope.has(name) for name in names_of_body(body) if name)
    results = inline(body, {}, scope.unique(proto) if taken else "", scope)
    for inner, outer in zip(results, proto.output, strict=False):
        if outer:
            alias(inner, outer, scope, title=f"{proto.name}/{outer.lstrip('/')}")
