"""ONNX Runtime's operators: what cannot be written in ONNX's says why, and the model opens all the same."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.conformance.contrib.case import Case
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.graph import CONTRIB_DOMAIN, Node
from texelscope.pipeline.model_file.graph_builder import graph_of
from texelscope.pipeline.model_file.message import read
from texelscope.pipeline.model_file.written import writes, written
from texelscope.pipeline.oracle.reference import Reference
from texelscope.pipeline.planning.planner import plan_graph

Array = NDArray[Any]


def real(*shape: int) -> Array:
    return np.ones(shape, dtype=np.float32)


def codes(*shape: int) -> Array:
    return np.ones(shape, dtype=np.uint8)


def whole(*numbers: int) -> Array:
    return np.array(numbers, dtype=np.int32)


X, W, HEADS = real(2, 4, 6), real(6, 24), {"num_heads": 2}
GROUPS = {"num_heads": 4, "kv_num_heads": 2}
GROUPED = (real(2, 3, 64), real(2, 3, 32), real(2, 3, 32), None, None, whole(2, 2), whole(3)[0])
PAST = (real(2, 2, 64), real(2, 2, 32), real(2, 2, 32), real(2, 2, 3, 16), real(2, 2, 3, 16), whole(4, 4))
NBITS = {"K": 16, "N": 2, "block_size": 16}
NBITS_INPUTS = (real(3, 16), codes(2, 1, 8), real(2, 1))

ROTATED = (real(1, 2, 4), np.zeros(1, np.int64), real(3, 2), real(3, 2))
CONVOLVED = (real(1, 1, 4, 4), real(1, 1, 3, 3))
LSTM = (real(2, 1, 3), codes(1, 3, 16), codes(1, 4, 16), None)
REFUSED = [
    (Case("FusedConv", CONVOLVED, {"activation": "Mish"}), "an activation out of Clip, Elu.* got 'Mish'"),
    (Case("FusedConv", CONVOLVED, {"activation": "Clip"}), "attributes and shapes that make sense.*ValueError"),
    (Case("Attention", (X, W), {}), "attribute 'num_heads', got none"),
    (Case("Attention", (X, W), {**HEADS, "do_rotary": 1}), "without rotation.* got do_rotary"),
    (Case("Attention", (X, W), {**HEADS, "past_present_share_buffer": 1}), "a separate past, got past_present_share"),
    (
        Case("Attention", (X, W, None, np.ones((2, 1, 9, 9), np.int32)), HEADS),
        r"a mask of 4 keys, or of lengths, got \[2, 1, 9, 9\]",
    ),
    (
        Case("QAttention", (codes(2, 4, 6), codes(6, 24), real(24), real(), real()), {**HEADS, "do_rotary": 1}),
        "got do_rotary",
    ),
    (
        Case("MultiHeadAttention", (real(2, 4, 8),) * 3 + (None,) * 5 + (whole(3),), HEADS),
        "shares its buffer with the present",
    ),
    (Case("GroupQueryAttention", (*GROUPED, *(None,) * 5, real(1)), GROUPS), "got a quantised cache"),
    (Case("GroupQueryAttention", (*GROUPED, *(None,) * 7, real(16)), GROUPS), "got norms of query and key"),
    (Case("GroupQueryAttention", GROUPED, {**GROUPS, "sliding_window_cache": 1}), "got sliding_window_cache"),
    (Case("GroupQueryAttention", GROUPED, GROUPS, outputs=(True, True, True, True)), "got output_qk"),
    (
        Case("GroupQueryAttention", (*PAST, whole(5)[0]), GROUPS, given=(0, 6)),
        "the total sequence length known before the run",
    ),
    (
        Case("GroupQueryAttention", (*PAST, whole(5)[0]), GROUPS, given=(0, 5)),
        "one new token for each of a batch, got 2",
    ),
    (Case("RotaryEmbedding", ROTATED, {"scale": 2.0}), "got a scale, which ONNX Runtime ignores"),
    (Case("RotaryEmbedding", ROTATED, {"is_packed_batching": 1}), "got is_packed_batching"),
    (
        Case("CDist", (real(2, 3), real(2, 3)), {"metric": "cosine"}),
        "a metric out of euclidean, sqeuclidean, got 'cosine'",
    ),
    (Case("Inverse", (real(5, 5),)), "matrices of at most 4 rows, got 5"),
    (Case("DynamicQuantizeLSTM", (*LSTM, whole(2))), "one length, without peepholes, got sequence lengths"),
    (
        Case("DynamicQuantizeLSTM", LSTM, {"activations": ["Relu", "Tanh", "Tanh"]}),
        "sigmoids and hyperbolic tangents, got activations",
    ),
    (Case("DynamicQuantizeLSTM", (real(300, 1, 3), *LSTM[1:])), "at most 256 steps, got 300"),
    (Case("MatMulNBits", NBITS_INPUTS, {**NBITS, "bits": 3}), "2, 4 or 8 bits .* got 3 bits"),
    (Case("MatMulNBits", (*NBITS_INPUTS, None, whole(0)), NBITS), "got a g_idx"),
    (Case("MatMulNBits", NBITS_INPUTS, {**NBITS, "weight_prepacked": 1}), "got prepacked weights"),
    (
        Case("MatMulNBits", NBITS_INPUTS, NBITS, given=(0, 1)),
        "weights known before the run, got 'in1', which depends on the input",
    ),
    (
        Case("GatherBlockQuantized", (codes(4, 8), whole(1), real(4, 1)), {"quantize_axis": 0}, given=(1,)),
        "in blocks along its last axis, got uint8 along axis 0",
    ),
    (
        Case("FusedMatMul", (real(2, 3), real(2, 3))),
        r"make sense together, got 'in0' float32\[2,3\], 'in1' float32\[2,3\]\. Check the ex",
    ),
    (Case("BiasSoftmax", (real(2, 3), real(3))), r"a bias of 2 axes, got \[3\]"),
    (
        Case("SkipGroupNorm", (real(1, 2, 2, 4), real(4), real(4), real(1, 4)), {"channels_last": 0, "groups": 2}),
        "channels in the last axis, got channels_last = 0",
    ),
    (Case("GroupNorm", (real(1, 2, 2, 4), real(4), real(4)), {"groups": 3}), "groups of all 4 channels, got 3"),
    (Case("ExpandDims", (real(2), None)), "input 1, got an omitted one"),
]


@pytest.mark.parametrize(("case", "reason"), REFUSED, ids=[reason for _, reason in REFUSED])
def test_a_form_that_cannot_be_written_is_not_run_and_says_why(case: Case, reason: str) -> None:
    plan = plan_graph(graph_of(*read(case.model()), {}))
    (not_run, *_) = plan.not_run
    assert plan.passes == ()
    assert not_run.reason.startswith(f"{case.op_type} 'node': expected ")
    with pytest.raises(TexelscopeError, match=reason):
        raise TexelscopeError("", not_run.reason, "", "")


def test_names_that_both_domains_have_are_told_apart() -> None:
    assert writes(CONTRIB_DOMAIN, "Gelu") is not None
    assert writes("", "Gelu") is None
    assert writes("", "SimplifiedLayerNormalization") is not None
    assert writes("somebody", "FusedConv") is None


def test_nodes_are_called_after_the_one_they_stand_for() -> None:
    case = Case("SkipLayerNormalization", (real(1, 2, 4), real(1, 2, 4), real(4)))
    graph = graph_of(*read(case.model()), {})
    assert [node.name for node in graph.nodes] == ["node/sum", "node"]
    assert graph.refusals == {}


def test_every_operator_has_a_definition_of_its_own() -> None:
    reference = Reference()
    for name in written(CONTRIB_DOMAIN):
        with pytest.raises(TexelscopeError) as raised:
            reference.run_node(Node("n", name, (), ("y",), {}, CONTRIB_DOMAIN), ())
        assert "inputs that the operator accepts" in str(raised.value), name


def test_an_operator_that_has_no_definition_says_so() -> None:
    with pytest.raises(TexelscopeError, match=r"an operator of com.microsoft, got 'FusedConf'\. .*FusedConv"):
        Reference().run_node(Node("n", "FusedConf", (), ("y",), {}, CONTRIB_DOMAIN), ())
