"""Tests which layer a file of ncnn's is of, and one line for each mismatch."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.ncnn_shaders import PRODUCT, relu, write_relu
from texelscope.layouts.base import Layout
from texelscope.pipeline.device import Limits, WorkGroups
from texelscope.pipeline.dialects.ncnn.layers.base import named, sibling
from texelscope.pipeline.dialects.ncnn.layers.opening import all_layers, open_shader, packs_of
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.importers.registry import importer_for, plan_of
from texelscope.pipeline.plan import Plan
from texelscope.pipeline.target import OpenOptions

LIMITS = Limits(work_groups=WorkGroups())


def opened(path: Path, **said: str) -> Plan:
    return open_shader(path, said, LIMITS)


@pytest.mark.parametrize(
    ("stem", "family", "packs"),
    [
        ("relu", "relu", (1, 1)), ("relu_pack8", "relu", (8, 8)), ("padding_pack4to1", "padding", (4, 1)),
        ("convolution_pack1to8_1x1s1d1", "convolution_1x1s1d1", (1, 8)), ("my_package", "my_package", (1, 1)),
    ],
)  # fmt: skip
def test_a_name_says_layer_and_packs(stem: str, family: str, packs: tuple[int, int]) -> None:
    found = named(f"x/{stem}.comp")
    assert (found.family, (found.pack, found.out_pack)) == (family, packs)


def test_the_files_of_a_layer_are_found_beside_each_other(tmp_path: Path) -> None:
    path = write_relu(tmp_path)
    assert packs_of(path) == (1, 4, 8)
    assert packs_of(tmp_path / "none.comp") == ()
    assert sibling(path, 4).name == "relu_pack4.comp"
    assert sibling(sibling(path, 4), 1) == path
    assert sibling(Path("convolution_pack8_1x1s1d1.comp"), 4).name == "convolution_pack4_1x1s1d1.comp"
    assert opened(path, pack="8").passes[0].name == "relu_pack8"


def test_tensors_are_stored_as_ncnn_stores_them(tmp_path: Path) -> None:
    path = write_relu(tmp_path)

    def stored(**said: str) -> tuple[Layout, str]:
        x = opened(path, **said).textures["x"]
        return x.layout, x.storage

    assert [str(stored(pack=pack)[0]) for pack in "148"] == ["ncnn_pack1", "ncnn_pack4", "ncnn_pack8"]
    assert tuple(map(str, stored(pack="4", mode="fp16_packed"))) == ("ncnn_pack4 with align 2", "float16")
    assert tuple(map(str, stored(mode="fp16_packed"))) == ("ncnn_pack1", "float32")
    assert tuple(map(str, stored(mode="fp16_storage"))) == ("ncnn_pack1 with align 8", "float16")
    assert tuple(map(str, stored(mode="fp32_image"))) == ("ncnn_pack1 with align 1", "float32")


def test_a_file_of_any_name_is_of_the_layer_that_is_said(tmp_path: Path) -> None:
    path = tmp_path / "mine_pack4.comp"
    path.write_text(relu(4), encoding="utf-8")
    assert opened(path, layer="relu").passes[0].operator == "Relu"


def test_the_importer_takes_the_ending(tmp_path: Path) -> None:
    path = write_relu(tmp_path)
    importer = importer_for(path)
    plan = importer.plan(path, OpenOptions(limits=LIMITS))
    assert plan.name == "relu.comp (fp32)"
    assert path.resolve() in importer.watched(path, plan)


def test_at_least_twelve_layers_are_known() -> None:
    wanted = {
        "convolution", "convolution_1x1s1d1", "convolutiondepthwise", "pooling", "innerproduct", "relu", "sigmoid",
        "batchnorm", "concat", "interp", "padding", "binaryop", "softmax_div_sum",
    }  # fmt: skip
    assert wanted <= set(all_layers())


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ({"pack": "2"}, "--pack: expected 1, 4 or 8, got '2'"),
        ({"slop": "1"}, r"relu\.comp: expected a parameter of 'relu' \(.*\), got 'slop'\. Did you mean 'slope'"),
        ({"slope": "much"}, r"relu\.comp slope: expected a number, got 'much'"),
        ({"channels": "0"}, r"relu\.comp channels: expected 1 or more, got '0'"),
        ({"channels": "1e8"}, r"relu\.comp: expected tensors of 1 to 16777216 elements, got 'x' of 1 x 100000000"),
        (
            {"channels": "12", "pack": "8"},
            r"relu_pack8\.comp: expected channels in groups of 8, got 12\. Set channels to 16",
        ),
        (
            {"layer": "rely"},
            r"relu\.comp: expected a shader of ncnn, named after a layer that is .* got 'rely'\. Did you mean 'relu'",
        ),
        ({"layer": "binaryop"}, r"relu\.comp:4: expected push constants that the layer 'relu' has, got 'w'"),
        ({"layer": "unaryop", "op_type": "99"}, r"unaryop op_type: expected one of 0 \(Abs\), .* got 99"),
        (
            {"layer": "innerproduct", "out_channels": "1000000000"},
            "--param: expected sizes that make at most 67108864 weights, got 1000000000 x ",
        ),
        ({"mode": "fp64"}, "ncnn mode: expected one of fp32, .* got 'fp64'"),
    ],
)
def test_what_cannot_be_is_told_in_one_line(said: dict[str, str], message: str, tmp_path: Path) -> None:
    with pytest.raises(TexelscopeError, match=message):
        opened(write_relu(tmp_path), **said)


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        (
            "relu.comp",
            "#version 450\nvoid main() {}\n",
            r"relu\.comp: expected a shader with ncnn's types or functions, got none",
        ),
        (
            "relu.comp",
            relu(1).replace("int cstep;\n", "int cstep;\n    int more;\n"),
            r"relu\.comp:\d+: expected push constants that the layer 'relu' has, got 'more'",
        ),
        ("relu.comp", relu(1).replace("#version", '#include "none.comp"\n#version'), "#version on its first line"),
        (
            "convolution_pack4_1x1s1d1.comp",
            PRODUCT.replace("bias_blob", "biases"),
            r"convolution_pack4_1x1s1d1\.comp:16: expected a binding of the layer .* got 'biases'",
        ),
    ],
)
def test_what_a_shader_has_and_its_layer_has_not_is_told(name: str, text: str, message: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(TexelscopeError, match=message):
        opened(tmp_path / name)


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(TexelscopeError, match=r"'relu\.comp'"):
        opened(tmp_path / "relu.comp")
    write_relu(tmp_path)
    (tmp_path / "relu_pack4.comp").unlink()
    with pytest.raises(
        TexelscopeError, match=r"--pack 4: expected 'relu_pack4\.comp' beside 'relu\.comp', got no such file"
    ):
        opened(tmp_path / "relu.comp", pack="4")


def test_what_means_nothing_to_a_target_is_told(tmp_path: Path) -> None:
    path = write_relu(tmp_path)
    with pytest.raises(TexelscopeError, match=r"--shape x: expected a model, got 'relu\.comp', a layer with"):
        plan_of(path, OpenOptions(shapes={"x": (1, 2, 3, 4)}))
    model = tmp_path / "m.onnx"
    with pytest.raises(TexelscopeError, match=r"--mode: expected a shader whose dialect leaves that open.*m\.onnx"):
        plan_of(model, OpenOptions(dialect={"mode": "fp32"}))
    with pytest.raises(TexelscopeError, match="--param channels: expected a shader whose dialect leaves that open"):
        plan_of(model, OpenOptions(dialect={"channels": "8"}))


def test_without_a_device_none_is_asked(tmp_path: Path) -> None:
    assert open_shader(write_relu(tmp_path), {}, None).passes[0].name == "relu"
