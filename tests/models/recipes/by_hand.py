"""Models in the form in which tools write them that take hours to install: a GPT's step, and trees behind a network."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from tests.models.recipes.written import write

WORDS, WIDTH, HEADS, SHARED, SIZE, PAST = 24, 32, 2, 1, 16, 5
BLOCK = 16
_RANDOM = np.random.default_rng(9)


class Parts:
    """Collects nodes and initializers of a model."""

    def __init__(self) -> None:
        self.nodes: list[onnx.NodeProto] = []
        self.fixed: list[onnx.TensorProto] = []

    def add(self, op_type: str, inputs: list[str], outputs: int | list[str] = 1, **attributes: Any) -> str:
        """One more node; returns its first output's name."""
        name = f"{op_type.lower()}_{len(self.nodes)}"
        names = [f"{name}_{i}" for i in range(outputs)] if isinstance(outputs, int) else outputs
        self.nodes.append(helper.make_node(op_type, inputs, names, name, **attributes))
        return names[0]

    def constant(self, value: np.ndarray) -> str:
        """One more initializer; returns its name."""
        name = f"weight_{len(self.fixed)}"
        self.fixed.append(numpy_helper.from_array(value, name))
        return name

    def real(self, *shape: int, scale: float = 0.3) -> str:
        """Returns random weights."""
        return self.constant((_RANDOM.standard_normal(shape) * scale).astype(np.float32))


def linear(parts: Parts, x: str, depth: int, count: int) -> str:
    """Returns a product with weights of four bits."""
    blocks = depth // BLOCK
    packed = parts.constant(_RANDOM.integers(0, 256, (count, blocks, BLOCK // 2), dtype=np.uint8))
    scales = parts.constant((_RANDOM.random((count, blocks)) * 0.05).astype(np.float32))
    said = {"K": depth, "N": count, "bits": 4, "block_size": BLOCK, "accuracy_level": 0}
    return parts.add("MatMulNBits", [x, packed, scales], domain="com.microsoft", **said)


def step() -> onnx.ModelProto:
    """A next word from three words and a cache of five: rotated, grouped, four bits, as generators are written."""
    parts = Parts()
    x = parts.add("Gather", [parts.real(WORDS, WIDTH), "input_ids"])
    lengths = parts.add("ReduceSum", ["attention_mask", parts.constant(np.array([1]))], keepdims=0)
    last = parts.add("Cast", [parts.add("Sub", [lengths, parts.constant(np.array([1]))])], to=TensorProto.INT32)
    shape = parts.add("Shape", ["attention_mask"])
    total = parts.add("Gather", [shape, parts.constant(np.array(1))], axis=0)
    total = parts.add("Cast", [total], to=TensorProto.INT32)
    angles = np.outer(np.arange(32), 100.0 ** -(np.arange(SIZE // 2) / (SIZE // 2)))
    cos, sin = (parts.constant(each(angles).astype(np.float32)) for each in (np.cos, np.sin))
    skip = x
    y = parts.add("SimplifiedLayerNormalization", [x, parts.real(WIDTH, scale=1.0)], axis=-1, epsilon=1e-6)
    for layer in range(2):
        heads = [linear(parts, y, WIDTH, count * SIZE) for count in (HEADS, SHARED, SHARED)]
        past = [f"past_key_values.{layer}.key", f"past_key_values.{layer}.value"]
        present = [f"attended_{layer}", f"present.{layer}.key", f"present.{layer}.value"]
        attended = parts.add(
            "GroupQueryAttention", [*heads, *past, last, total, cos, sin], present, domain="com.microsoft",
            num_heads=HEADS, kv_num_heads=SHARED, do_rotary=1, scale=SIZE**-0.5,
        )  # fmt: skip
        y, skip = skipped(parts, linear(parts, attended, HEADS * SIZE, WIDTH), skip)
        gate, up = linear(parts, y, WIDTH, 2 * WIDTH), linear(parts, y, WIDTH, 2 * WIDTH)
        gate = parts.add("QuickGelu", [gate], domain="com.microsoft", alpha=1.0)
        y, skip = skipped(parts, linear(parts, parts.add("Mul", [gate, up]), 2 * WIDTH, WIDTH), skip)
    parts.add("MatMul", [y, parts.real(WIDTH, WORDS)], ["logits"])
    cache = [1, SHARED, PAST, SIZE]
    given = [("input_ids", TensorProto.INT64, [1, 3]), ("attention_mask", TensorProto.INT64, [1, PAST + 3])]
    pasts = [(f"past_key_values.{i}.{kind}", TensorProto.FLOAT, cache) for i in range(2) for kind in ("key", "value")]
    kept = [1, SHARED, PAST + 3, SIZE]
    presents = [(f"present.{i}.{kind}", TensorProto.FLOAT, kept) for i in range(2) for kind in ("key", "value")]
    made = [("logits", TensorProto.FLOAT, [1, 3, WORDS]), *presents]
    opsets = [helper.make_opsetid("", 21), helper.make_opsetid("com.microsoft", 1)]
    return model(parts, "step", [*given, *pasts], made, opsets)


def skipped(parts: Parts, x: str, skip: str) -> tuple[str, str]:
    """Returns the sum normalised, and the sum."""
    name = f"skipped_{len(parts.nodes)}"
    gamma = parts.real(WIDTH, scale=1.0)
    outputs = [name, "", "", f"{name}_sum"]
    parts.add("SkipSimplifiedLayerNormalization", [x, skip, gamma], outputs, domain="com.microsoft", epsilon=1e-6)
    return name, f"{name}_sum"


def chosen() -> onnx.ModelProto:
    """A convolution whose features are picked and compared with a threshold, by operators of ai.onnx.ml."""
    parts = Parts()
    y = parts.add("Conv", ["image", parts.real(6, 3, 3, 3), parts.real(6)], strides=[2, 2])
    y = parts.add("Flatten", [parts.add("GlobalAveragePool", [parts.add("Relu", [y])])])
    y = parts.add("ArrayFeatureExtractor", [y, parts.constant(np.array([4, 0, 2]))], domain="ai.onnx.ml")
    parts.add("Binarizer", [y], ["flags"], domain="ai.onnx.ml", threshold=0.2)
    given, made = [("image", TensorProto.FLOAT, [2, 3, 9, 9])], [("flags", TensorProto.FLOAT, [2, 3])]
    return model(parts, "chosen", given, made, [helper.make_opsetid("", 13), helper.make_opsetid("ai.onnx.ml", 1)])


def trees() -> onnx.ModelProto:
    """Two trees of a regression over four numbers, as scikit-learn's are written."""
    parts = Parts()
    parts.add(
        "TreeEnsembleRegressor", ["numbers"], ["value"], domain="ai.onnx.ml", n_targets=1,
        nodes_treeids=[0, 0, 0, 1, 1, 1, 1, 1], nodes_nodeids=[0, 1, 2, 0, 1, 2, 3, 4],
        nodes_featureids=[2, 0, 0, 0, 3, 0, 0, 0],
        nodes_modes=["BRANCH_LEQ", "LEAF", "LEAF", "BRANCH_LEQ", "BRANCH_LEQ", "LEAF", "LEAF", "LEAF"],
        nodes_values=[0.1, 0.0, 0.0, -0.3, 0.5, 0.0, 0.0, 0.0],
        nodes_truenodeids=[1, 0, 0, 1, 3, 0, 0, 0], nodes_falsenodeids=[2, 0, 0, 2, 4, 0, 0, 0],
        nodes_missing_value_tracks_true=[0] * 8, nodes_hitrates=[1.0] * 8, post_transform="NONE",
        target_treeids=[0, 0, 1, 1, 1], target_nodeids=[1, 2, 2, 3, 4], target_ids=[0] * 5,
        target_weights=[-1.5, 0.75, 0.25, 2.0, -0.5],
    )  # fmt: skip
    given, made = [("numbers", TensorProto.FLOAT, [6, 4])], [("value", TensorProto.FLOAT, [6, 1])]
    return model(parts, "trees", given, made, [helper.make_opsetid("", 15), helper.make_opsetid("ai.onnx.ml", 1)])


def model(
    parts: Parts,
    name: str,
    given: Sequence[tuple[str, int, list[int]]],
    made: Sequence[tuple[str, int, list[int]]],
    opsets: list[onnx.OperatorSetIdProto],
) -> onnx.ModelProto:
    """Builds a model of the parts with those inputs and outputs."""
    graph = helper.make_graph(
        parts.nodes,
        name,
        [helper.make_tensor_value_info(*each) for each in given],
        [helper.make_tensor_value_info(*each) for each in made],
        parts.fixed,
    )
    return helper.make_model(graph, opset_imports=opsets, ir_version=10)


def main() -> None:
    write(step(), "gpt_step")
    write(chosen(), "ml_chosen")
    write(trees(), "ml_trees")


if __name__ == "__main__":
    main()
