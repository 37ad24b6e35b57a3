"""Writes the models beside the pipelines: `python -m tests.faults.practice.transformers._models`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import helper, numpy_helper

FOLDER = Path(__file__).parent
Nodes = list[onnx.NodeProto]
Arrays = dict[str, NDArray[Any]]


def node(kind: str, inputs: str, outputs: str, **attributes: Any) -> onnx.NodeProto:
    """Inputs and outputs by names with spaces between."""
    return helper.make_node(kind, inputs.split(), outputs.split(), **attributes)


def floats(seed: int, **shapes: Sequence[int]) -> Arrays:
    """Builds normal noise, small enough that nothing saturates."""
    random = np.random.default_rng(seed)
    return {
        name: (random.normal(0.0, 1.0, shape) / np.sqrt(shape[0])).astype(np.float32) for name, shape in shapes.items()
    }


def whole(**values: Sequence[int]) -> Arrays:
    """Constants of int64, as shapes and axes are."""
    return {name: np.array(each, np.int64) for name, each in values.items()}


def write(
    name: str,
    nodes: Nodes,
    constants: Arrays,
    inputs: Mapping[str, Sequence[int]],
    outputs: Mapping[str, Sequence[int]],
) -> None:
    """NAME/model.onnx."""
    kind = onnx.TensorProto.FLOAT
    graph = helper.make_graph(
        nodes,
        name,
        [helper.make_tensor_value_info(each, kind, shape) for each, shape in inputs.items()],
        [helper.make_tensor_value_info(each, kind, shape) for each, shape in outputs.items()],
        [numpy_helper.from_array(np.asarray(values), each) for each, values in constants.items()],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=8)
    onnx.checker.check_model(model, full_check=True)
    onnx.save(model, FOLDER / name / "model.onnx")


def block() -> None:
    """Builds a block of GPT-2: 7 tokens of 15 channels, 3 heads of 5, q, k and v in one matrix, a causal mask."""
    constants = floats(
        1,
        qkv_w=(15, 45), qkv_b=(45,), out_w=(15, 15), out_b=(15,), up_w=(15, 26), up_b=(26,), down_w=(26, 15),
        down_b=(15,), ln1_b=(15,), ln2_b=(15,),
    )  # fmt: skip
    constants |= {name: values + 1 for name, values in floats(2, ln1_g=(15,), ln2_g=(15,)).items()}
    constants |= whole(by_head=(7, 3, 5), flat=(7, 15))
    constants["scale"] = np.array(1 / np.sqrt(5), np.float32)
    constants["mask"] = np.triu(np.full((7, 7), -10000, np.float32), 1)
    nodes = [
        node("LayerNormalization", "x ln1_g ln1_b", "ln1", axis=-1, epsilon=1e-5),
        node("MatMul", "ln1 qkv_w", "qkv_sum"),
        node("Add", "qkv_sum qkv_b", "qkv"),
        node("Split", "qkv", "q k v", axis=1, num_outputs=3),
        node("Reshape", "q by_head", "q3"),
        node("Reshape", "k by_head", "k3"),
        node("Reshape", "v by_head", "v3"),
        node("Transpose", "q3", "qh", perm=[1, 0, 2]),
        node("Transpose", "k3", "kh", perm=[1, 2, 0]),
        node("Transpose", "v3", "vh", perm=[1, 0, 2]),
        node("MatMul", "qh kh", "qk"),
        node("Mul", "qk scale", "scaled"),
        node("Add", "scaled mask", "scores"),
        node("Softmax", "scores", "probs", axis=-1),
        node("MatMul", "probs vh", "context"),
        node("Transpose", "context", "context_t", perm=[1, 0, 2]),
        node("Reshape", "context_t flat", "merged"),
        node("MatMul", "merged out_w", "out_sum"),
        node("Add", "out_sum out_b", "out"),
        node("Add", "x out", "attended"),
        node("LayerNormalization", "attended ln2_g ln2_b", "ln2", axis=-1, epsilon=1e-5),
        node("MatMul", "ln2 up_w", "up_sum"),
        node("Add", "up_sum up_b", "up_in"),
        node("Gelu", "up_in", "up", approximate="tanh"),
        node("MatMul", "up down_w", "down_sum"),
        node("Add", "down_sum down_b", "down"),
        node("Add", "attended down", "y"),
    ]
    write("block", nodes, constants, {"x": (7, 15)}, {"y": (7, 15)})


def rotated(of: str, heads: int) -> Nodes:
    """Rotary positions by halves, as in Llama: x * cos + rotate_half(x) * sin."""
    return [
        node("Reshape", f"{of} heads{heads}", f"{of}_h"),
        node("Slice", f"{of}_h zero three last", f"{of}_a"),
        node("Slice", f"{of}_h three six last", f"{of}_b"),
        node("Neg", f"{of}_b", f"{of}_n"),
        node("Concat", f"{of}_n {of}_a", f"{of}_half", axis=-1),
        node("Mul", f"{of}_h cos", f"{of}_c"),
        node("Mul", f"{of}_half sin", f"{of}_s"),
        node("Add", f"{of}_c {of}_s", f"{of}_r"),
        node("Reshape", f"{of}_r flat{heads}", f"{of}_rot"),
    ]


def rms(of: str, gain: str, to: str) -> Nodes:
    """Builds a root-mean-square norm, in plain operators."""
    return [
        node("Mul", f"{of} {of}", f"{to}_sq"),
        node("ReduceMean", f"{to}_sq last", f"{to}_mean"),
        node("Add", f"{to}_mean eps", f"{to}_eps"),
        node("Sqrt", f"{to}_eps", f"{to}_root"),
        node("Div", f"{of} {to}_root", f"{to}_unit"),
        node("Mul", f"{to}_unit {gain}", to),
    ]


def llama() -> None:
    """Builds a Llama block: 5 tokens of 24 channels, 4 heads of 6 on 2 of keys and values, SwiGLU of 20, no biases."""
    constants = floats(
        3, wq=(24, 24), wk=(12, 24), wv=(12, 24), wo=(24, 24), w_gate=(20, 24), w_up=(20, 24), w_down=(24, 20)
    )
    constants |= {name: values + 1 for name, values in floats(4, rms1_g=(24,), rms2_g=(24,)).items()}
    constants |= whole(
        heads4=(5, 4, 6), heads2=(5, 2, 6), flat4=(5, 24), flat2=(5, 12), zero=(0,), three=(3,), six=(6,), last=(-1,),
        grouped=(5, 2, 1, 6), spread=(5, 2, 2, 6),
    )  # fmt: skip
    angle = np.outer(np.arange(5), 100.0 ** (-np.arange(3) / 3))
    constants["cos"] = np.tile(np.cos(angle), 2).astype(np.float32).reshape(5, 1, 6)
    constants["sin"] = np.tile(np.sin(angle), 2).astype(np.float32).reshape(5, 1, 6)
    constants["eps"] = np.array(1e-3, np.float32)
    constants["scale"] = np.array(1 / np.sqrt(6), np.float32)
    constants["mask"] = np.triu(np.full((5, 5), -10000, np.float32), 1)
    nodes = [
        *rms("x", "rms1_g", "rms1"),
        node("Gemm", "rms1 wq", "q", transB=1),
        node("Gemm", "rms1 wk", "k", transB=1),
        node("Gemm", "rms1 wv", "v", transB=1),
        *rotated("q", 4),
        *rotated("k", 2),
        node("Reshape", "q_rot heads4", "q3"),
        node("Transpose", "q3", "qh", perm=[1, 0, 2]),
        node("Reshape", "k_rot grouped", "k4"),
        node("Expand", "k4 spread", "k5"),
        node("Reshape", "k5 heads4", "k6"),
        node("Transpose", "k6", "kh", perm=[1, 2, 0]),
        node("Reshape", "v grouped", "v4"),
        node("Expand", "v4 spread", "v5"),
        node("Reshape", "v5 heads4", "v6"),
        node("Transpose", "v6", "vh", perm=[1, 0, 2]),
        node("MatMul", "qh kh", "qk"),
        node("Mul", "qk scale", "scaled"),
        node("Add", "scaled mask", "masked"),
        node("Softmax", "masked", "weights", axis=-1),
        node("MatMul", "weights vh", "mixed"),
        node("Transpose", "mixed", "mixed_t", perm=[1, 0, 2]),
        node("Reshape", "mixed_t flat4", "context"),
        node("Gemm", "context wo", "out", transB=1),
        node("Add", "x out", "h"),
        *rms("h", "rms2_g", "rms2"),
        node("Gemm", "rms2 w_gate", "gate", transB=1),
        node("Gemm", "rms2 w_up", "up", transB=1),
        node("Sigmoid", "gate", "gate_s"),
        node("Mul", "gate gate_s", "silu"),
        node("Mul", "silu up", "glu"),
        node("Gemm", "glu w_down", "down", transB=1),
        node("Add", "h down", "y"),
    ]
    write("llama", nodes, constants, {"x": (5, 24)}, {"y": (5, 24)})


def cross() -> None:
    """Six queries look at nine words: two heads of 5, a bias by distance as in T5, padding, the norm after the sum."""
    constants = floats(
        5, wq=(10, 10), wk=(10, 10), wv=(10, 10), bq=(10,), bk=(10,), bv=(10,), wo=(10, 10), bo=(10,), ln_b=(10,)
    )  # fmt: skip
    constants |= {"ln_g": 1 + floats(6, ln_g=(10,))["ln_g"], "scale": np.array(1 / np.sqrt(5), np.float32)}
    constants |= whole(split_q=(6, 2, 5), split_kv=(9, 2, 5), flat=(6, 10))
    constants["buckets"] = (np.arange(9)[None, :] - np.arange(6)[:, None] + 5).astype(np.int64)
    nodes: Nodes = []
    for part, of in (("q", "x"), ("k", "words"), ("v", "words")):
        nodes += [
            node("MatMul", f"{of} w{part}", f"{part}_sum"),
            node("Add", f"{part}_sum b{part}", f"{part}_flat"),
            node("Reshape", f"{part}_flat split_{'q' if part == 'q' else 'kv'}", f"{part}_split"),
            node("Transpose", f"{part}_split", part, perm=[1, 0, 2]),
        ]
    nodes += [
        node("Transpose", "k", "k_t", perm=[0, 2, 1]),
        node("MatMul", "q k_t", "qk"),
        node("Mul", "qk scale", "scaled"),
        node("Gather", "distances buckets", "by_distance", axis=1),
        node("Add", "scaled by_distance", "biased"),
        node("Add", "biased padding", "scores"),
        node("Softmax", "scores", "probs", axis=-1),
        node("MatMul", "probs v", "context_h"),
        node("Transpose", "context_h", "context_t", perm=[1, 0, 2]),
        node("Reshape", "context_t flat", "context"),
        node("MatMul", "context wo", "out_sum"),
        node("Add", "out_sum bo", "out"),
        node("Add", "x out", "added"),
        node("LayerNormalization", "added ln_g ln_b", "y", axis=-1, epsilon=1e-3),
    ]
    write(
        "cross",
        nodes,
        constants,
        {"x": (6, 10), "words": (9, 10), "padding": (9,), "distances": (2, 14)},
        {"y": (6, 10)},
    )


def vit() -> None:
    """Builds 4 x 4 patches of a picture, a class token, positions, token mixing, a quick GELU MLP, a class head."""
    constants = floats(
        7, patch_w=(14, 3, 4, 4), patch_b=(14,), cls=(1, 14), pos=(7, 14), mix_w=(7, 7), mix_s=(14,), fc1_w=(22, 14),
        fc1_b=(22,), fc2_w=(14, 22), fc2_b=(14,), head_w=(5, 14), head_b=(5,),
    )  # fmt: skip
    constants["patch_w"] /= np.float32(2)
    constants["slope"] = np.array(1.702, np.float32)
    constants |= whole(to_rows=(14, 6), zero=(0,), one=(1,))
    nodes = [
        node("Conv", "image patch_w patch_b", "patches", strides=[4, 4]),
        node("Reshape", "patches to_rows", "patch_cols"),
        node("Transpose", "patch_cols", "patch_rows", perm=[1, 0]),
        node("Concat", "cls patch_rows", "with_cls", axis=0),
        node("Add", "with_cls pos", "tokens"),
        node("MatMul", "mix_w tokens", "mix_sum"),
        node("Mul", "mix_sum mix_s", "mix_scaled"),
        node("Add", "tokens mix_scaled", "mixed"),
        node("Gemm", "mixed fc1_w fc1_b", "fc1_in", transB=1),
        node("Mul", "fc1_in slope", "fc1_steep"),
        node("Sigmoid", "fc1_steep", "fc1_gate"),
        node("Mul", "fc1_in fc1_gate", "fc1"),
        node("Gemm", "fc1 fc2_w fc2_b", "fc2", transB=1),
        node("Add", "mixed fc2", "features"),
        node("Slice", "features zero one zero", "class_token"),
        node("Gemm", "class_token head_w head_b", "logits", transB=1),
    ]
    write("vit", nodes, constants, {"image": (1, 3, 8, 12)}, {"logits": (1, 5)})


if __name__ == "__main__":
    for each in (block, llama, cross, vit):
        each()
