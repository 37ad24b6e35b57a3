"""Shaders of every kind to draw traces from: those that are shipped, ejected, written by hand, of the examples."""

from __future__ import annotations

import inspect
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import ModuleType

import moderngl
import onnx

from tests.checkout import ROOT
from tests.faults import models
from tests.faults.seen.subjects import convolutions, elements, layers, networks, pictures, rows
from tests.faults.subjects import Subject
from tests.gl.shipped_shaders import MORE, onnx_subjects, subject_of
from tests.outside.files import mpv_shaders
from tests.tfjs_recordings import four_programs
from tests.webgl_recordings import two_draws
from texelscope import layouts, pipeline
from texelscope.pipeline.debug_session import DebugSession
from texelscope.pipeline.gl.context import limits_of
from texelscope.pipeline.importers.onnx_model import load

EXAMPLES = (
    "webgl_cnn/broken.toml", "webgl_cnn/fixed.toml", "webgl_cnn/as_written.toml",
    "webgl_cnn/as_written_56.toml", "convolution_twice/pipeline.toml", "mpv/sharpen_x2.glsl",
)  # fmt: skip
EJECTED = (
    models.conv(), models.conv(group=5, outputs=5), models.conv_transpose(), models.pool("AveragePool"),
    models.batch_norm(), models.instance_norm(), models.softmax(), models.concat(), models.gemm(), models.prelu(),
    models.resize(mode="linear"), models.pad(mode="reflect"), models.binary("Sub"), models.pointwise("Sigmoid"),
)  # fmt: skip
WRITTEN = (convolutions, elements, layers, networks, pictures, rows)


@dataclass(frozen=True)
class Source:
    """Describes a session's source; `kind` is the kind of its shaders."""

    kind: str
    title: str
    open: Callable[[moderngl.Context], DebugSession]


def sources(gl: moderngl.Context, folder: Path) -> list[Source]:
    """All of them; `folder` is for files of theirs."""
    found = [*_shipped(gl), *_written(), *_ejected(folder)]
    found += [Source("example", name, partial(opened, ROOT / "examples" / name)) for name in EXAMPLES]
    page = four_programs().write(folder / "tfjs")
    found.append(Source("tfjs", "four programs", partial(opened, page)))
    drawn_page = two_draws().write(folder / "webgl")
    found.append(Source("webgl", "two draws", partial(opened, drawn_page)))
    return found


def outside() -> list[Source]:
    """Shaders of others, where they were fetched: see `tests.outside`."""
    return [Source("outside", path.name, partial(opened, path)) for path in mpv_shaders()]


def opened(target: Path | onnx.ModelProto, gl: moderngl.Context) -> DebugSession:
    """Returns a session on a target."""
    return pipeline.open(target, context=gl)


def _shipped(gl: moderngl.Context) -> Iterator[Source]:
    limits = limits_of(gl)
    names = sorted(layouts.all_layouts())
    for subjects in onnx_subjects(limits, lambda name: random.Random(name).choice(names)).values():
        for subject in subjects:
            yield Source("shipped", subject.title, subject.opened)
    for node, layout in MORE:
        subject = subject_of(node, load(node.model()), layout, limits)
        yield Source("shipped", subject.title, subject.opened)


def _written() -> Iterator[Source]:
    for module in WRITTEN:
        for name, make in _makers(module):
            yield Source("written", name, partial(made, make))


def _makers(module: ModuleType) -> Iterator[tuple[str, Callable[[], Subject]]]:
    for name, value in vars(module).items():
        own = getattr(value, "__module__", "") == module.__name__ and callable(value) and not name.startswith("_")
        if own and all(each.default is not each.empty for each in inspect.signature(value).parameters.values()):
            yield name, value


def made(make: Callable[[], Subject], gl: moderngl.Context) -> DebugSession:
    """Returns a session on a subject, with its inputs set."""
    subject = make()
    session = DebugSession(subject.plan, gl)
    for key, value in subject.inputs.items():
        session.set_input(key, value)
    return session


def _ejected(folder: Path) -> Iterator[Source]:
    for number, model in enumerate(EJECTED):
        for layout in ("channel_tiles", "channel_tiles_rgba"):
            place = folder / f"ejected-{number}-{layout}"
            yield Source("ejected", f"{model.title} in {layout}", partial(_eject, model, layout, place))


def _eject(model: models.Model, layout: str, place: Path, gl: moderngl.Context) -> DebugSession:
    from texelscope.pipeline.export.eject import eject
    from texelscope.pipeline.target import OpenOptions

    if not place.exists():
        eject(model.proto, place, OpenOptions(layout=layout))
    return pipeline.open(place / "pipeline.toml", context=gl)
