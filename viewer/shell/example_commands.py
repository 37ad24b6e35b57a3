"""Implements the commands that open the bundled examples, one of each kind of file, and the submenu that lists them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from imgui_bundle import imgui

from texelscope.viewer.app import App
from texelscope.viewer.command import Action, Command, MenuGroup
from texelscope.viewer.shell.files import open_path
from texelscope.viewer.widgets.controls import entry_tooltip


@dataclass(frozen=True)
class ShippedExample:
    """An example: the last part of its command's name, its file in the folder of examples, and what it is."""

    name: str
    file: str
    says: str


EXAMPLES = (
    ShippedExample("facades", "facades/facades.onnx", "Houses from labels, an ONNX model"),
    ShippedExample("webgl_cnn", "webgl_cnn/as_written.toml", "A network in fragment shaders, with a bug"),
    ShippedExample(
        "convolutions", "convolution_twice/pipeline.toml", "A convolution as a fragment and a compute shader"
    ),
    ShippedExample("classifier", "finetune/classifier.onnx", "A classifier to train, an ONNX model"),
    ShippedExample("tfjs", "tfjs/small_network.tfjs.zip", "A run of TensorFlow.js, recorded in a browser"),
    ShippedExample("mpv", "mpv/sharpen_x2.glsl", "A user shader of mpv"),
    ShippedExample("magpie", "magpie/sharpen_x2.hlsl", "An effect of Magpie, in HLSL"),
    ShippedExample("reshade", "reshade/sharpen.fx", "An effect of ReShade"),
    ShippedExample("ncnn", "ncnn/relu_pack4.comp", "A layer of ncnn"),
)


def folder_of(app: App) -> Path | None:
    """Returns the folder of the examples; None in a window that has no demo."""
    return Path(app.demo.path).resolve().parent.parent if app.demo is not None else None


def examples_menu(app: App) -> None:
    """Draws a submenu: the bundled examples."""
    folder = folder_of(app)
    is_open = imgui.begin_menu("Examples", folder is not None)
    app.mark("examples")
    if is_open:
        for each in EXAMPLES if folder is not None else ():
            if imgui.menu_item(each.says, "", False)[0]:
                app.send(_command_of(each))
            app.mark(f"example {each.name}")
            entry_tooltip(app, each.file)
        imgui.end_menu()


def _opening(example: ShippedExample) -> Action:
    def action(app: App) -> None:
        folder = folder_of(app)
        if folder is not None:
            open_path(app, path=str(folder / example.file))

    return action


def _command_of(example: ShippedExample) -> str:
    return f"open_example_{example.name}"


COMMANDS = tuple(
    Command(_command_of(each), _opening(each), f"Open an example: {each.says[0].lower()}{each.says[1:]}")
    for each in EXAMPLES
)
MENUS = (MenuGroup("File", 10, (examples_menu,)),)
