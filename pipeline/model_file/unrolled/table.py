"""Maps operators to the functions that unroll them."""

from __future__ import annotations

from collections.abc import Collection, Mapping

import onnx

from texelscope.pipeline.model_file.unrolled.branches import take_branch
from texelscope.pipeline.model_file.unrolled.loops import unroll_loop, unroll_scan
from texelscope.pipeline.model_file.unrolled.scope import Unroll
from texelscope.pipeline.model_file.unrolled.sequences import SAME, SEQUENCES

UNROLLED: Mapping[str, Unroll] = {"If": take_branch, "Loop": unroll_loop, "Scan": unroll_scan, **SEQUENCES}


def unroll_of(proto: onnx.NodeProto, no_tensors: Collection[str]) -> Unroll | None:
    """Returns the function that replaces `proto` by plain nodes; `no_tensors` are sequences and optional values."""
    if proto.domain not in ("", "ai.onnx"):
        return None
    if proto.op_type == "Identity" and any(name in no_tensors for name in proto.input):
        return SAME
    return UNROLLED.get(proto.op_type)
