"""Which operators are unrolled, and by what."""

from __future__ import annotations

from collections.abc import Collection, Mapping

import onnx

from texelscope.pipeline.model_file.unrolled.branches import take_branch
from texelscope.pipeline.model_file.unrolled.loops import unroll_loop, unroll_scan
from texelscope.pipeline.model_file.unrolled.scope import Unroll
from texelscope.pipeline.model_file.unrolled.sequences import SAME, SEQUENCES

UNROLLED: Mapping[str, Unroll] = {"If": take_branch, "Loop": unroll_loop, "Scan": unroll_scan, **SEQUENCES}


def unroll_of(proto: onnx.NodeProto, no_tensors: Collection[str]) -> Unroll | None:
    """What puts plain nodes in place of `proto`; `no_tensors` are the sequences and optional values so far."""
    if proto.domain not in ("", "ai.onnx"):
        return None
    if proto.op_type == "Identity" and any(name in no_tensors for name in proto.input):
        return SAME
    return UNROLLED.get(proto.op_type)
