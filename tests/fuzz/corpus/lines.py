"""Keeps cases that ended in a traceback, or in an overlong or unprintable message: each has its line now."""

from __future__ import annotations

import io
from collections.abc import Iterator

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from tests.fuzz import seeds
from tests.fuzz.case import Case, Content, Folder, Link
from tests.fuzz.kinds.model_size import model_of
from tests.fuzz.kinds.shaders import COPYING, PIPELINE

_DIFF = ("--json", "-")
_ODD_NAMES = {
    "a newline": "a\nb", "an escape": "\x1b[31mred", "a return": "a\rb", "a direction": "\u202egnp", "a zero": "a\x00b",
    "4,097 letters": "n" * 4097, "20,000 letters": "n" * 20_000, "two signs alone": "²",
}  # fmt: skip
_ORACLES = {
    "that raises in its own text": "class E(Exception):\n    def __str__(self):\n        raise ValueError\n\n\n"
    "def a(t_image):\n    raise E\n",
    "that exits": "import sys\n\n\ndef a(t_image):\n    sys.exit(7)\n",
    "that exits at once": "raise SystemExit(7)\n",
    "that is cut off": "def drawn(x:\n",
    "that calls itself": "def a(t_image):\n    return a(t_image)\n",
    "that gives no array": "def a(t_image):\n    return [[1], [2, 3]]\n",
}  # fmt: skip


def cases() -> Iterator[tuple[str, Case]]:
    """Name and case."""
    yield from _toml()
    yield from _arrays()
    yield from _names()
    yield from _places()
    yield from _shapes()
    yield from _oracles()
    yield from _processes()


def _example() -> dict[str, Content]:
    return dict(seeds.folder("convolution_twice"))


def _text() -> str:
    return seeds.folder("convolution_twice")["pipeline.toml"].decode()


def _toml() -> Iterator[tuple[str, Case]]:
    text, digits = _text(), "9" * 5000
    for name, changed in {
        "an integer of 5,000 digits": text.replace("[1, 3, 64, 64]", f"[1, 3, 64, {digits}]"),
        "an integer of 5,000 digits in base 16": text.replace("[1, 3, 64, 64]", f"[1, 3, 64, 0x{'f' * 5000}]"),
        "arrays in each other": text + "x = " + "[" * 3000 + "]" * 3000,
        "a table in each other": "[" + ".".join(["a"] * 3000) + "]",
        "a lone surrogate": text.replace('"drawn"', '"\\ud800"'),
        "3,000 passes with nothing in them": "[[pass]]\n" * 3000,
        "an expression in brackets": text.replace('"shape(image).c"', '"' + "(" * 3000 + "1" + ")" * 3000 + '"'),
        "an expression of 5,000 digits": text.replace('"shape(image).c"', f'"{digits}"'),
        "an expression of a sign that is a digit to some": text.replace('"shape(image).c"', '"²"'),
    }.items():
        files = _example() | {"pipeline.toml": changed.encode()}
        yield name, Case(name, files, ("diff", "case/pipeline.toml", *_DIFF))


def _arrays() -> Iterator[tuple[str, Case]]:
    file, packed = io.BytesIO(), io.BytesIO()
    np.save(file, np.zeros((1, 3, 64, 64), np.float32))
    np.savez(packed, np.zeros((1, 3, 64, 64), np.float32))
    whole = file.getvalue()
    dictionary = whole[10:138]
    for name, data in {
        "a header that ends early": whole[:40], "a header without an end": whole[:10] + dictionary.replace(b"}", b" "),
        "a header with a bracket too few": whole[:10] + dictionary.replace(b"64)", b"64 ") + bytes(64),
        "a header with a quote too few": whole[:10] + dictionary.replace(b"'<f4'", b"'<f4 ") + bytes(64),
        "an archive": packed.getvalue(), "a shape of 5,000 digits": _npy("(" + "9" * 5000 + ",)"),
        "a shape of 2^63": _npy("(9223372036854775807,)"), "a shape of 70 dimensions": _npy("(" + "1," * 70 + ")"),
        "a negative shape": _npy("(-1,)"),
    }.items():  # fmt: skip
        files = _example() | {"a.npy": data}
        yield f"array: {name}", Case(name, files, ("diff", "case/model.onnx", "--input", "image=case/a.npy", *_DIFF))


def _npy(shape: str) -> bytes:
    header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': {shape}, }}\n".encode()
    return b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header + bytes(64)


def _names() -> Iterator[tuple[str, Case]]:
    for what, odd in _ODD_NAMES.items():
        nodes = [
            helper.make_node("Relu", ["x"], [odd], name=odd),
            helper.make_node("Neg", [odd], ["y"], name=f"{odd}2"),
        ]
        image = helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 2, 4, 4])
        files = {"model.onnx": model_of(nodes, [image], "y", []).SerializeToString()}
        for line in (("diff", "case/model.onnx", *_DIFF), ("export", "case/model.onnx", "--to", "out/layers")):
            yield f"a name of {what}, {line[0]}", Case(what, files, line)
        yield f"an ejected name of {what}", Case(what, files, ("eject", "case/model.onnx", "--to", "out/ejected"))
        unknown = helper.make_node(odd, ["x"], ["y"], domain=odd)
        data = model_of([unknown], [image], "y", []).SerializeToString()
        yield (
            f"an operator of {what}",
            Case(what, {"model.onnx": data}, ("diff", "case/model.onnx", "--html", "out/a.html")),
        )


def _places() -> Iterator[tuple[str, Case]]:
    text = _text()
    loops: dict[str, Content] = {
        "loop": Link("loop"),
        "self": Link("."),
        "loop.png": Link("loop.png"),
        "folder": Folder(),
    }
    for name, source in {
        "a link to itself": "loop.png", "a folder of itself": "self/" * 60 + "house.png",
        "a long name": "a" * 300 + ".png",
        "a long path": "a/" * 3000 + "a.png", "a folder": "folder", "a newline": "a\\nb.png", "a zero": "a\\u0000.png",
    }.items():  # fmt: skip
        files = _example() | loops | {"pipeline.toml": text.replace("house.png", source).encode()}
        yield f"a picture: {name}", Case(name, files, ("diff", "case/pipeline.toml", *_DIFF))
    for name, path in {"a link to itself": "loop", "a long name": "a" * 300, "a long path": "a/" * 3000}.items():
        shader = f'#version 330\n#include "{path}"\nvoid main() {{}}\n'.encode()
        files = _example() | loops | {"conv.frag": shader}
        yield f"an include: {name}", Case(name, files, ("diff", "case/pipeline.toml", *_DIFF))
        yield f"a target: {name}", Case(name, loops, ("diff", f"case/{path}.onnx"))
        yield f"a target of no kind: {name}", Case(name, loops, ("diff", f"case/{path}"))
        yield f"a file to write: {name}", Case(name, _example(), ("diff", "case/model.onnx", "--html", f"out/{path}"))
    named: dict[str, Content] = {"\udce9.onnx": seeds.folder("convolution_twice")["model.onnx"]}
    for line in (
        ("diff", "case/\udce9.onnx", *_DIFF), ("diff", "case/\udce9.onnx", "--html", "out/a.html"),
        ("eject", "case/\udce9.onnx", "--to", "out/e"), ("export", "case/\udce9.onnx", "--to", "out/\udce9"),
    ):  # fmt: skip
        yield f"a name that is no text, {line[0]} {line[2]}", Case("surrogate", named, line)


def _shapes() -> Iterator[tuple[str, Case]]:
    def of(*shapes: list[int]) -> list[onnx.ValueInfoProto]:
        return [helper.make_tensor_value_info(f"x{at}", TensorProto.FLOAT, shape) for at, shape in enumerate(shapes)]

    tall = numpy_helper.from_array(np.array([1] * 70, np.int64), "s")
    for name, nodes, inputs, constants in (
        ("65 dimensions", [helper.make_node("Relu", ["x0"], ["y"])], of([1] * 65), []),
        ("70 dimensions of a constant", [helper.make_node("Expand", ["x0", "s"], ["y"])], of([1]), [tall]),
        ("shapes that broadcast nowhere", [helper.make_node("Add", ["x0", "x1"], ["y"])], of([1, 3, 4], [1, 2, 4]), []),
        ("an iterator too large", [helper.make_node("Add", ["x0", "x1"], ["y"])], of([2**31, 1], [1, 2**32]), []),
        ("no dimension at all", [helper.make_node("Relu", ["x0"], ["y"])], of([0, 3]), []),
        ("a negative dimension", [helper.make_node("Relu", ["x0"], ["y"])], of([-1, 3]), []),
        ("itself twice, 300 times", [
            helper.make_node("Concat", [f"x{at}"] * 2, [f"x{at + 1}"], axis=0) for at in range(300)
        ] + [helper.make_node("Relu", ["x300"], ["y"])], of([1]), []),
    ):  # fmt: skip
        data = model_of(nodes, inputs, "y", constants).SerializeToString()
        yield name, Case(name, {"model.onnx": data}, ("diff", "case/model.onnx", *_DIFF))
    tensor = onnx.TensorProto(name="w", data_type=TensorProto.FLOAT, dims=[1], data_location=TensorProto.EXTERNAL)
    tensor.external_data.add(key="location", value="w.bin")
    tensor.external_data.add(key="offset", value="²")
    added = [helper.make_node("Add", ["x0", "w"], ["y"])]
    data = model_of(added, of([1]), "y", [tensor]).SerializeToString()
    yield (
        "an offset of a sign that is a digit to some",
        Case("²", {"model.onnx": data, "w.bin": bytes(8)}, ("diff", "case/model.onnx")),
    )
    for option in ("random:²", "checker:²", "one-hot:²"):
        yield f"an input of {option}", Case(option, _example(), ("diff", "case/model.onnx", "--input", option))


def _oracles() -> Iterator[tuple[str, Case]]:
    for name, code in _ORACLES.items():
        files = {"oracle.py": code.encode(), "pipeline.toml": PIPELINE.encode(), "a.frag": COPYING.encode()}
        yield f"an oracle {name}", Case(name, files, ("diff", "case/pipeline.toml", "--trust", *_DIFF))


def _processes() -> Iterator[tuple[str, Case]]:
    ascii_only = {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}
    for name, settings, line in (
        ("a full disk", {"STDOUT": "/dev/full"}, ("list",)),
        ("a closed pipe", {"STDOUT": "closed"}, ("list",)),
        ("a locale that is not UTF-8", ascii_only, ("diff", "case/\udcc3\udca9.onnx")),
        ("no assertions", {"PYTHON_OPTION": "-O"}, ("eject", "case/broken.onnx", "--to", "out/e")),
    ):
        files: dict[str, Content] = {"\udcc3\udca9.onnx": b"", "broken.onnx": seeds.models()[0][:500]}
        yield name, Case(name, files, line, entry="process", settings=settings, codes=frozenset({141}))
