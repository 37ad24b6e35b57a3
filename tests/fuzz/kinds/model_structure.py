"""Random graphs, broken in what they say: names, shapes, types, attributes, circles, numbers of things."""

from __future__ import annotations

import random
from collections.abc import Callable

import onnx
from onnx import TensorProto, helper

from tests.fuzz import commands, graphs, words
from tests.fuzz.case import Case

Break = Callable[[onnx.ModelProto, random.Random], None]


def case(random_: random.Random) -> Case:
    model = graphs.graph(random_)
    chosen = random_.sample(BREAKS, random_.choice((0, 1, 1, 1, 2, 3)))
    for each in sorted(chosen, key=lambda each: each is _no_graph):  # what is gone cannot be broken
        each(model, random_)
    what = ", ".join(each.__name__.strip("_").replace("_", " ") for each in chosen) or "a random graph"
    more: tuple[str, ...] = ()
    if random_.random() < 0.1:
        more = ("--shape", f"x0={words.whole(random_)},{words.whole(random_)}")
    return Case(what, {"model.onnx": model.SerializeToString()}, commands.on("case/model.onnx", random_, *more))


def _node(model: onnx.ModelProto, random_: random.Random) -> onnx.NodeProto:
    if not model.graph.node:
        model.graph.node.add(op_type="Relu", input=["x0"], output=["y"])
    chosen: onnx.NodeProto = model.graph.node[random_.randrange(len(model.graph.node))]
    return chosen


def _text(random_: random.Random) -> str:
    return words.name(random_).encode("utf-8", errors="replace").decode()


def _rename_a_tensor(model: onnx.ModelProto, random_: random.Random) -> None:
    old, new = _node(model, random_).output[0], _text(random_)
    for node in model.graph.node:
        for names in (node.input, node.output):
            for place, name in enumerate(names):
                if name == old:
                    names[place] = new
    for value in model.graph.output:
        if value.name == old:
            value.name = new


def _rename_an_input(model: onnx.ModelProto, random_: random.Random) -> None:
    new = _text(random_)
    for node in model.graph.node:
        for place, name in enumerate(node.input):
            if name == "x0":
                node.input[place] = new
    model.graph.input[0].name = new


def _rename_a_node(model: onnx.ModelProto, random_: random.Random) -> None:
    _node(model, random_).name = _text(random_)


def _other_operator(model: onnx.ModelProto, random_: random.Random) -> None:
    _node(model, random_).op_type = random_.choice(
        ("Loop", "If", "Scan", "Optional", "SequenceAt", "RNN", _text(random_))
    )


def _other_domain(model: onnx.ModelProto, random_: random.Random) -> None:
    _node(model, random_).domain = random_.choice(("com.microsoft", "ai.onnx.ml", "ai.onnx.training", _text(random_)))


def _missing_input(model: onnx.ModelProto, random_: random.Random) -> None:
    node = _node(model, random_)
    if node.input:
        node.input[random_.randrange(len(node.input))] = random_.choice(("", "nowhere", _text(random_)))


def _fewer_inputs(model: onnx.ModelProto, random_: random.Random) -> None:
    node = _node(model, random_)
    del node.input[random_.randrange(len(node.input) + 1) :]


def _more_inputs(model: onnx.ModelProto, random_: random.Random) -> None:
    _node(model, random_).input.extend(["x0"] * random_.choice((1, 3, 40, 2000)))


def _circle(model: onnx.ModelProto, random_: random.Random) -> None:
    last = _node(model, random_).output[0]
    if model.graph.node[0].input:
        model.graph.node[0].input[0] = last


def _same_output_twice(model: onnx.ModelProto, random_: random.Random) -> None:
    node = _node(model, random_)
    node.output[0] = random_.choice(("x0", model.graph.node[0].output[0]))


def _odd_attribute(model: onnx.ModelProto, random_: random.Random) -> None:
    node = _node(model, random_)
    names = [each.name for each in node.attribute] or ["axis", "pads", "strides", "kernel_shape", "group", "to"]
    name = random_.choice((*names, _text(random_) or "a"))
    for place in reversed(range(len(node.attribute))):
        if node.attribute[place].name == name:
            del node.attribute[place]
    value = random_.choice((
        words.whole(random_), [words.whole(random_) for _ in range(random_.choice((1, 2, 4, 9)))],
        words.fraction(random_),
        [words.fraction(random_)], _text(random_) or "text", [_text(random_)],
    ))  # fmt: skip
    node.attribute.append(helper.make_attribute(name, value))


def _odd_dimension(model: onnx.ModelProto, random_: random.Random) -> None:
    dimensions = model.graph.input[0].type.tensor_type.shape.dim
    if not dimensions:
        dimensions.add()
    each = random_.choice(dimensions)
    match random_.randrange(3):
        case 0:
            each.dim_value = words.whole(random_)
        case 1:
            each.dim_param = _text(random_)
        case _:
            each.Clear()


def _odd_rank(model: onnx.ModelProto, random_: random.Random) -> None:
    shape = model.graph.input[0].type.tensor_type.shape
    for _ in range(random_.choice((1, 5, 33, 65, 300))):
        shape.dim.add().dim_value = random_.choice((1, 1, 1, 2))


def _no_shape(model: onnx.ModelProto, random_: random.Random) -> None:
    value = random_.choice([*model.graph.input, *model.graph.output])
    value.type.tensor_type.ClearField("shape") if random_.random() < 0.5 else value.ClearField("type")


def _odd_type(model: onnx.ModelProto, random_: random.Random) -> None:
    value = random_.choice([*model.graph.input, *model.graph.output])
    value.type.tensor_type.elem_type = random_.choice((0, 2, 6, 7, 8, 9, 10, 11, 14, 16, 17, 23, 99, -1))


def _odd_constant(model: onnx.ModelProto, random_: random.Random) -> None:
    if not model.graph.initializer:
        model.graph.initializer.append(helper.make_tensor("x0", TensorProto.FLOAT, [2], [1.0, 2.0]))
    tensor = random_.choice(model.graph.initializer)
    match random_.randrange(6):
        case 0:
            tensor.dims.append(words.whole(random_))
        case 1:
            del tensor.dims[:]
            tensor.dims.extend([words.whole(random_)] * random_.choice((1, 2, 70)))
        case 2:
            tensor.raw_data = tensor.raw_data[: random_.randrange(len(tensor.raw_data) + 1)]
        case 3:
            tensor.data_type = random_.choice((0, 1, 2, 7, 8, 9, 10, 11, 16, 17, 22, 23, 50))
        case 4:
            tensor.float_data.extend([1.0] * 3)
        case _:
            tensor.name = _text(random_)


def _odd_version(model: onnx.ModelProto, random_: random.Random) -> None:
    if random_.random() < 0.5:
        model.opset_import[0].version = random_.choice((0, 1, 6, 9, 13, 99, -1, 2**40))
    else:
        model.ir_version = random_.choice((0, 1, 3, 99, 2**40))
    if random_.random() < 0.3:
        model.opset_import.add(domain=_text(random_), version=1)


def _no_graph(model: onnx.ModelProto, random_: random.Random) -> None:
    random_.choice((
        lambda: model.ClearField("graph"), lambda: model.graph.ClearField("node"),
        lambda: model.graph.ClearField("input"),
        lambda: model.graph.ClearField("output"), lambda: model.ClearField("opset_import"),
    ))()  # fmt: skip


def _other_output(model: onnx.ModelProto, random_: random.Random) -> None:
    model.graph.output.append(onnx.ValueInfoProto(name=random_.choice(("x0", "nowhere", "", _text(random_)))))


def _notes(model: onnx.ModelProto, random_: random.Random) -> None:
    model.producer_name = model.doc_string = model.graph.name = model.graph.doc_string = _text(random_)
    model.metadata_props.add(key=_text(random_), value=_text(random_))
    _node(model, random_).doc_string = _text(random_)


def _shapes_told_wrong(model: onnx.ModelProto, random_: random.Random) -> None:
    for node in model.graph.node:
        told = [random_.choice((1, 2, 3, words.whole(random_))) for _ in range(random_.choice((1, 4)))]
        model.graph.value_info.append(helper.make_tensor_value_info(node.output[0], TensorProto.FLOAT, told))


BREAKS: tuple[Break, ...] = (
    _rename_a_tensor, _rename_an_input, _rename_a_node, _other_operator, _other_domain, _missing_input, _fewer_inputs,
    _more_inputs, _circle, _same_output_twice, _odd_attribute, _odd_attribute, _odd_dimension, _odd_dimension,
    _odd_rank, _no_shape,
    _odd_type, _odd_constant, _odd_constant, _odd_version, _no_graph, _other_output, _notes, _shapes_told_wrong,
)  # fmt: skip
