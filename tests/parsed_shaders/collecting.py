"""Every shader of the suites by a stable name, each once: shaders that differ in nothing but the name count as one.

Bugs that nobody who changes rules may look into are named by numbers, and their text is not shown.
"""

from __future__ import annotations

import ast
import dataclasses
import hashlib
import inspect
import random
import warnings
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MappingProxyType
from typing import Any

from tests.checkout import ROOT
from tests.faults.fresh.cases import FRESH, cases_of, is_opened, styles
from tests.faults.fresh.planting import planted
from tests.faults.practice.look import PRACTICE
from tests.faults.suite import FOLDERS
from tests.gl.shipped_shaders import MORE, onnx_subjects, subject_of
from tests.ncnn_shaders import TYPES, copying
from tests.parsed_shaders.internals import shaders_of
from tests.parsed_shaders.shader import File, Shader, Stage
from tests.tfjs_recordings import four_programs
from tests.traces.sources import EJECTED, EXAMPLES, WRITTEN
from tests.webgl_recordings import two_draws
from texelscope import layouts, pipeline
from texelscope.pipeline.device import Limits
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.export.eject import eject
from texelscope.pipeline.importers.onnx_model import load
from texelscope.pipeline.target import OpenOptions

# Words that make a string of a test a shader, and those that make it a file of an engine.
_SHADER_WORDS, _MPV_WORD, _NCNN_WORD = ("void main", "gl_FragColor", "#version"), "//!HOOK", "sfp"
_SUFFIXES = frozenset({".frag", ".comp", ".glsl", ".vert", ".hook"})
# Numbers of a model for shaders that come without one.
_SIZES, _ROWS, _SCALARS = (3.0, 5.0, 12.0), ((0.25, 0.5, 0.125),), (0.3,)
# Shapes of the examples' models, by folder, where they are free.
_SHAPES: Mapping[str, Mapping[str, tuple[int, ...]]] = {"webgl_cnn": {"image": (1, 3, 64, 64)}}
# Layouts that models of the examples are planned in.
_LAYOUTS = ("channel_tiles_rgba", "tfjs_packed", "row_major_rgba")
_NCNN_MODES, _NCNN_PACKS = ("fp32", "fp16_packed", "fp16_storage"), ("1", "4", "8")


def every_shader(sources: Collection[str] = ()) -> list[Shader]:
    """All of them, sorted by name; those of the named `SOURCES` alone if there are any."""
    found: dict[str, Shader] = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for source in sources or SOURCES:
            for shader in SOURCES[source]():
                found.setdefault(shader.key, shader)
    return _named_apart(found.values())


def _named_apart(shaders: Iterable[Shader]) -> list[Shader]:
    """With the beginning of its hash behind a name that several have."""
    by_name: dict[str, list[Shader]] = {}
    for shader in shaders:
        by_name.setdefault(shader.name, []).append(shader)
    named = [
        shader if len(alike) == 1 else _renamed(shader, f"{name} ({shader.key[:6]})")
        for name, alike in by_name.items()
        for shader in alike
    ]
    return sorted(named, key=lambda shader: shader.name)


def _renamed(shader: Shader, name: str) -> Shader:
    return dataclasses.replace(shader, name=name)


def _of_target(target: Any, name: str, *, is_shown: bool = True, **options: Any) -> Iterator[Shader]:
    """The shaders of what a target is planned as; none where it is refused."""
    try:
        plan = pipeline.plan_of(target, **options)
    except TexelscopeError:
        return
    yield from shaders_of(plan, name, is_shown=is_shown)


def _bare(text: str, name: str, stage: Stage | None = None) -> Shader:
    """A text that comes without a model."""
    is_compute = "local_size_x" in text or "gl_GlobalInvocationID" in text
    stage = stage or ("compute" if is_compute else "fragment")
    return Shader(name, text, stage, (File(1, "shader.glsl", text),), sizes=_SIZES, rows=_ROWS, scalars=_SCALARS)


# -- sources ---------------------------------------------------------------------------------------------


def _shipped() -> Iterator[Shader]:
    """Generated programs of the shaders that are shipped: for ONNX's own nodes, and for what those leave out."""
    limits, names = Limits(), sorted(layouts.all_layouts())
    subjects = [
        subject
        for some in onnx_subjects(limits, lambda name: random.Random(name).choice(names)).values()
        for subject in some
    ]
    subjects += [subject_of(node, load(node.model()), layout, limits) for node, layout in MORE]
    for subject in subjects:
        yield from shaders_of(subject.plan, f"shipped/{subject.title}")


def _written() -> Iterator[Shader]:
    """Shaders written by hand that bugs are planted in."""
    for module in WRITTEN:
        title = module.__name__.rpartition(".")[2]
        for name, make in vars(module).items():
            is_own = getattr(make, "__module__", "") == module.__name__ and callable(make) and not name.startswith("_")
            if is_own and all(each.default is not each.empty for each in inspect.signature(make).parameters.values()):
                yield from shaders_of(make().plan, f"written/{title}/{name}")


def _planted() -> Iterator[Shader]:
    """Bugs planted in plans, and what they are planted in."""
    for half, families in FOLDERS.items():
        is_shown, healthy = half == "seen", dict[str, int]()
        for family, faults in families.items():
            for number, fault in enumerate(faults):
                subject = fault.subject()
                plan = subject.plan
                place = healthy.setdefault(subject.title, len(healthy))
                title = subject.title if is_shown else f"{place:03}"
                yield from shaders_of(plan, f"{half}/healthy/{title}", is_shown=is_shown)
                for change in fault.changes:
                    plan = change.to_plan(plan, subject.name)
                name = fault.name if is_shown else f"{number:03}"
                yield from shaders_of(plan, f"{half}/{family}/{name}", subject.name, is_shown=is_shown)


def _cases(home: str) -> Iterator[Shader]:
    """Bugs planted in pipeline files, and the files without them."""
    title = home.rpartition(".")[2]
    for style in styles(home):
        folders = set[Path]()
        for number, case in enumerate(cases_of(style, home)):
            is_shown = home == PRACTICE or is_opened(case)
            if case.folder not in folders:
                folders.add(case.folder)
                name = f"{title}/{style}/right/{case.folder.name}"
                yield from _of_target(case.folder / "pipeline.toml", name, is_shown=home == PRACTICE)
            name = f"{title}/{style}/{case.kind}/{case.what.name if home == PRACTICE else f'{number:03}'}"
            with planted(case.folder, case.swaps) as folder:
                yield from _of_target(folder / "pipeline.toml", name, is_shown=is_shown)


def _examples() -> Iterator[Shader]:
    """What lies in `examples/`, and models ejected as pipeline files."""
    examples = ROOT / "examples"
    for name in EXAMPLES:
        yield from _of_target(examples / name, f"examples/{name}")
    for path in sorted(examples.rglob("*.onnx")):
        for layout in _LAYOUTS:
            shapes = _SHAPES.get(path.parent.name, {})
            yield from _of_target(path, f"examples/{path.relative_to(examples)}/{layout}", layout=layout, shapes=shapes)
    for path in sorted((examples / "ncnn").glob("*.comp")):
        for mode in _NCNN_MODES:
            for pack in _NCNN_PACKS:
                dialect = {"mode": mode, "pack": pack}
                yield from _of_target(path, f"examples/ncnn/{path.name}/{mode}/{pack}", dialect=dialect)
    with TemporaryDirectory() as above:
        for number, model in enumerate(EJECTED):
            for layout in ("channel_tiles", "channel_tiles_rgba"):
                folder = Path(above) / f"{number}-{layout}"
                eject(model.proto, folder, OpenOptions(layout=layout))
                yield from _of_target(folder / "pipeline.toml", f"ejected/{model.title}/{layout}")
        yield from _of_target(four_programs().write(Path(above) / "tfjs"), "tfjs/four programs")
        yield from _of_target(two_draws().write(Path(above) / "webgl"), "webgl/two draws")


def _files() -> Iterator[Shader]:
    """Files of shader text as they are, complete or not, outside of the suites of bugs."""
    for top in ("shaders", "examples", "tests/data", "docs", "benchmarks"):
        for path in sorted((ROOT / top).rglob("*")):
            if path.suffix in _SUFFIXES and path.is_file():
                text = path.read_text(encoding="utf-8")
                yield _bare(text, f"files/{path.relative_to(ROOT)}", _stage(text))


def _literals() -> Iterator[Shader]:
    """Strings in tests that are shaders, by their hash: whichever test they stand in."""
    texts = set[str]()
    for path in sorted((ROOT / "tests").rglob("*.py")):
        if "faults" in path.parts:
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                texts.add(node.value)
    texts |= {copying(one, other) for one in TYPES for other in TYPES if one != other}
    for text in sorted(texts):
        if "\n" in text and any(word in text for word in (*_SHADER_WORDS, _MPV_WORD)):
            name = hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()[:12]
            yield _bare(text, f"literals/{name}", _stage(text))


def _stage(text: str) -> Stage | None:
    """The engine whose file a text is; None of GLSL."""
    if _MPV_WORD in text:
        return "mpv"
    return "ncnn" if _NCNN_WORD in text else None


def _fresh() -> Iterator[Shader]:
    return _cases(FRESH)


def _practice() -> Iterator[Shader]:
    return _cases(PRACTICE)


SOURCES: Mapping[str, Callable[[], Iterator[Shader]]] = MappingProxyType(
    {
        "shipped": _shipped,
        "written": _written,
        "examples": _examples,
        "files": _files,
        "literals": _literals,
        "planted": _planted,
        "practice": _practice,
        "fresh": _fresh,
    }
)
