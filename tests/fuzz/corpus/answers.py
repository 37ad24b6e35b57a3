"""Keeps cases that took more than a minute or 4 GiB, or ended in a signal: each ends in time, some by a limit."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from tests.fuzz import seeds
from tests.fuzz.case import Case, Content, Fifo, Hole
from tests.fuzz.kinds.inputs import png
from tests.fuzz.kinds.model_size import model_of

_TOLD = ("--timeout", "2")


def cases() -> Iterator[tuple[str, Case]]:
    """Name and case."""
    for name, model, more in _models():
        line = ("diff", "case/model.onnx", "--json", "-", *more)
        yield name, Case(name, {"model.onnx": model.SerializeToString()}, line)
    example = dict[str, Content](seeds.folder("convolution_twice"))
    text = seeds.folder("convolution_twice")["pipeline.toml"].decode()
    yield (
        "a pipe named as a picture",
        Case("pipe", example | {"house.png": Fifo()}, ("diff", "case/pipeline.toml", "--json", "-")),
    )
    yield "a pipe as a model", Case("pipe", {"model.onnx": Fifo()}, ("diff", "case/model.onnx"))
    yield "very many passes", Case("passes", {"pipeline.toml": _many_passes(text)} | example_without(example), (
        "diff", "case/pipeline.toml", "--json", "-", *_TOLD))  # fmt: skip
    large = {"image.png": png(7680, 4320), "wide.png": png(60_000, 60_000)}
    for picture in large:
        for source in (f"image=case/{picture}", f"image=fit:case/{picture}"):
            line = ("diff", "case/model.onnx", "--input", source, "--json", "-")
            yield f"a picture of {picture} {source[:9]}", Case(picture, example | large, line)
    for name, bomb in _bombs():
        files = example | {"conv.frag": seeds.folder("convolution_twice")["conv.frag"] + bomb.encode()}
        yield name, Case(name, files, ("diff", "case/pipeline.toml", "--json", "-"))
    yield "a file of a terabyte", Case("hole", {"model.onnx": Hole(1 << 40)}, ("diff", "case/model.onnx"))


def example_without(example: dict[str, Content]) -> dict[str, Content]:
    """Returns the files of the example but its pipeline file."""
    return {name: content for name, content in example.items() if name != "pipeline.toml"}


def _value(name: str, *shape: int) -> onnx.ValueInfoProto:
    return helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)


def _models() -> Iterator[tuple[str, onnx.ModelProto, tuple[str, ...]]]:
    """Name, model, and more words."""
    yield "a chain of 2,000 nodes", _chain(2000), ("--timeout", "10")
    yield "a chain of 20,000 nodes", _chain(20_000), _TOLD
    yield "a loop without an end", _loop(2**62), _TOLD
    yield "a loop of a million turns", _loop(10**6), _TOLD
    names = [f"x{number}" for number in range(10_000)]
    many = helper.make_node("Sum", names, ["y"])
    yield "10,000 inputs", model_of([many], [_value(name, 1, 2) for name in names], "y", []), _TOLD
    product = [helper.make_node("MatMul", ["x", "x"], ["y"])]
    yield "a product of huge matrices", model_of(product, [_value("x", 20_000, 20_000)], "y", []), _TOLD
    loss = [helper.make_node("SoftmaxCrossEntropyLoss", ["x", "t"], ["y"])]
    labels = helper.make_tensor_value_info("t", TensorProto.INT64, [3, 700, 700, 30])
    yield "a loss of large dimensions", model_of(loss, [_value("x", 3, 100, 700, 700, 30), labels], "y", []), _TOLD
    relu = [helper.make_node("Relu", ["x"], ["y"])]
    yield "a shape of 2^62", model_of(relu, [_value("x", 2**62)], "y", []), ()
    yield "a shape of 16 GiB", model_of(relu, [_value("x", 1, 1, 65_536, 65_536)], "y", []), ()
    yield "20,000 tensors in other files", _external(20_000), _TOLD
    shape = numpy_helper.from_array(np.array([1 << 16, 1 << 16], np.int64), "s")
    expanded = [helper.make_node("ConstantOfShape", ["s"], ["c"]), helper.make_node("Add", ["c", "x"], ["y"])]
    yield "a constant of 16 GiB", model_of(expanded, [_value("x", 1)], "y", [shape]), _TOLD


def _chain(count: int) -> onnx.ModelProto:
    names = ["x", *(f"t{number}" for number in range(count))]
    nodes = [helper.make_node("Relu", [names[at]], [names[at + 1]]) for at in range(count)]
    return model_of(nodes, [_value("x", 1, 1, 2, 2)], names[-1], [])


def _loop(turns: int) -> onnx.ModelProto:
    inputs = [
        helper.make_tensor_value_info("i", TensorProto.INT64, []), helper.make_tensor_value_info("c",
        TensorProto.BOOL, []),
        _value("v", 1, 2),
    ]  # fmt: skip
    outputs = [helper.make_tensor_value_info("d", TensorProto.BOOL, []), _value("w", 1, 2)]
    nodes = [helper.make_node("Relu", ["v"], ["w"]), helper.make_node("Identity", ["c"], ["d"])]
    body = helper.make_graph(nodes, "body", inputs, outputs)
    constants = [
        numpy_helper.from_array(np.array(turns, np.int64), "m"), numpy_helper.from_array(np.array([True]), "go")
    ]  # fmt: skip
    loop = helper.make_node("Loop", ["m", "go", "x"], ["y"], body=body)
    return model_of([loop], [_value("x", 1, 2)], "y", constants)


def _external(count: int) -> onnx.ModelProto:
    tensors = []
    for number in range(count):
        tensor = onnx.TensorProto(name=f"w{number}", data_type=TensorProto.FLOAT, dims=[1])
        tensor.data_location = TensorProto.EXTERNAL
        tensor.external_data.add(key="location", value=f"{number}.bin")
        tensors.append(tensor)
    node = helper.make_node("Sum", ["x", *(tensor.name for tensor in tensors)], ["y"])
    return model_of([node], [_value("x", 1)], "y", tensors)


def _many_passes(text: str) -> bytes:
    head, first, _ = text.split("[[pass]]")
    passes = [first.replace('"drawn"', f'"drawn{number}"') for number in range(3000)]
    return "[[pass]]".join([head, *passes]).encode()


def _bombs() -> Iterator[tuple[str, str]]:
    """Returns texts to append to a shader."""
    plain = "".join(f"#define M{at} {' + '.join([f'M{at + 1}'] * 10)}\n" for at in range(12)) + "#define M12 1.0\n"
    rows = "".join(f"#define N{at}(x) N{at + 1}(x + x + x + x)\n" for at in range(16)) + "#define N16(x) x\n"
    used = "float bomb() { return M0; }\n"
    yield "a bomb of macros", f"\n{plain}{used}"
    yield "a bomb of macros with arguments", f"\n{rows}#define M0 N0(1.0)\n{used}"
    yield "a bomb of macros in a condition", f"\n{plain}#if M0\n#endif\n"
