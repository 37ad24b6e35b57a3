"""Models whose weights lie in other files: outside, nowhere, beyond the end, in a pipe, in very many."""

from __future__ import annotations

import random

import numpy as np
from onnx import TensorProto, helper

from tests.fuzz import commands, words
from tests.fuzz.case import Case, Content, Fifo, Folder, Hole, Link


def case(random_: random.Random) -> Case:
    location = random_.choice(
        (
            "weights.bin",
            "weights.bin",
            "weights.bin",
            words.path(random_),
            words.name(random_),
            "pipe",
            "folder",
            "hole",
            "out",
            "loop",
        )
    )
    count = random_.choice((1, 1, 1, 3, 200, 20_000))
    inputs, tensors = ["x"], []
    for number in range(count):
        tensor = helper.make_tensor(f"w{number}", TensorProto.FLOAT, [4], [0.0] * 4)
        tensor.ClearField("float_data")
        tensor.data_location = TensorProto.EXTERNAL
        entries = {"location": location if number % 7 == 0 or count < 4 else f"{number}.bin"}
        if random_.random() < 0.4:
            entries["offset"] = random_.choice((str(words.whole(random_)), "²", "1e3", "", words.name(random_)))
        if random_.random() < 0.4:
            entries["length"] = random_.choice((str(words.whole(random_)), "٣", "-1", words.name(random_)))
        for key, value in entries.items():
            tensor.external_data.add(key=key, value=value.encode("utf-8", errors="replace").decode())
        if random_.random() < 0.05:
            tensor.dims[0] = words.whole(random_)
        tensors.append(tensor)
        inputs.append(f"w{number}")
    node = helper.make_node("Sum", inputs, ["y"])
    image = helper.make_tensor_value_info("x", TensorProto.FLOAT, [4])
    graph = helper.make_graph(
        [node], "outside", [image], [helper.make_tensor_value_info("y", TensorProto.FLOAT, [4])], tensors
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=8)
    files: dict[str, Content] = {
        "model.onnx": model.SerializeToString(), "weights.bin": np.ones(4, np.float32).tobytes(), "pipe": Fifo(),
        "folder": Folder(), "hole": Hole(1 << 40), "out": Link("../outside/secret.bin"), "loop": Link("loop"),
    }  # fmt: skip
    return Case(f"external data in {location[:20]!a}", files, commands.on("case/model.onnx", random_))
