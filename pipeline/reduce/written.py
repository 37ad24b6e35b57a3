"""Writes a subject as a folder: pipeline.toml, shader, model or functions, inputs as .npy."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.export.eject import MODEL, PIPELINE
from texelscope.pipeline.graph import Graph, Shape
from texelscope.pipeline.plan import Sampler, StoredTensor
from texelscope.pipeline.resizing.subject import PassSubject
from texelscope.pipeline.toml_text import layout_value, quoted, value_text
from texelscope.pipeline.unique_names import file_stems

ORACLE = "oracle.py"
Array = NDArray[Any]


@dataclass(frozen=True)
class FolderContents:
    """Holds the contents of a folder: texts and bytes by relative path, arrays by the .npy file they go to."""

    files: Mapping[str, str | bytes]
    arrays: Mapping[str, Array]

    def save(self, unfinished: Path) -> tuple[Path, ...]:
        """Writes it; the folder is there, empty, and nobody else's yet. Returns the files."""
        for name, content in self.files.items():
            (unfinished / name).parent.mkdir(parents=True, exist_ok=True)
            data = content.encode("utf-8", "backslashreplace") if isinstance(content, str) else content
            (unfinished / name).write_bytes(data)
        for name, array in self.arrays.items():
            np.save(unfinished / name, array, allow_pickle=False)
        return tuple(unfinished / name for name in (*self.files, *self.arrays))


def write(
    subject: PassSubject,
    shapes: Mapping[str, Shape],
    shaders: Mapping[str, str],
    oracle: str | bytes,
    graph: Graph | None,
    tables: Mapping[str, Array] = MappingProxyType({}),
    derived: Mapping[str, Array] = MappingProxyType({}),
) -> FolderContents:
    """Returns the folder of a subject.

    `shapes` by key are those of its textures, `shaders` the texts of its files by path, the author's first. `oracle` is
    the text of the functions, or a model, which became `graph`. `tables` are constants that neither has, by tensor, and
    `derived` further inputs.
    """
    names = _file_names(subject)
    known = graph.constants if graph is not None else {}
    loose = {
        stored.tensor: stored
        for stored in subject.stored.values()
        if stored.role == "constant" and stored.tensor not in known
    }
    values = {**subject.values, **tables, **derived}
    is_model = isinstance(oracle, bytes)
    in_model = graph.tensors if graph is not None else {}
    head = ["[pipeline]", f"name = {quoted(f'{subject.name}, reduced')}"]
    head.append(f'model = "{MODEL}"' if is_model else f'oracle = "{ORACLE}"')
    sections = [head]
    arrays: dict[str, Array] = {}
    if subject.conventions:
        entries = ", ".join(f"{op_type} = {quoted(name)}" for op_type, name in subject.conventions.items())
        head.append(f"conventions = {{ {entries} }}")
    sections += _atlases(subject.stored.values())
    for tensor in (*subject.given, *derived):
        key = subject.key(tensor)
        arrays[names[tensor]] = np.asarray(values[tensor], dtype=np.float32)
        renamed = tensor if tensor in in_model and tensor != key else ""
        sections.append(_input(key, subject.stored[key], shapes[key], names[tensor], renamed))
    for tensor, stored in loose.items():
        arrays[names[tensor]] = np.asarray(values[tensor], dtype=np.float32)
        sections.append(
            ["[[constant]]", f"name = {quoted(tensor)}", f"source = {quoted(names[tensor])}",
             f"shape = {list(np.shape(values[tensor]))}", f"layout = {layout_value(stored.layout)}",
             *_dtype(stored, "dtype = ")]
        )  # fmt: skip
    sections.append(_pass(subject, shapes, next(iter(shaders)), loose, is_model=is_model))
    text = "\n\n".join("\n".join(lines) for lines in sections) + "\n"
    return FolderContents({PIPELINE: text, **shaders, MODEL if is_model else ORACLE: oracle}, arrays)


def _file_names(subject: PassSubject) -> dict[str, str]:
    """Names a separate file for each tensor."""
    tensors = (*subject.values, *(stored.tensor for stored in subject.stored.values()))
    return {tensor: f"{stem}.npy" for tensor, stem in file_stems(tensors, "tensor").items()}


def _input(key: str, stored: StoredTensor, shape: Shape, source: str, oracle: str) -> list[str]:
    return [
        "[[input]]",
        f"name = {quoted(key)}",
        *([f"oracle = {quoted(oracle)}"] if oracle else []),
        f"shape = {list(shape)}",
        f"layout = {layout_value(stored.layout)}",
        *_dtype(stored, "dtype = "),
        f"source = {quoted(source)}",
    ]


def _pass(
    subject: PassSubject,
    shapes: Mapping[str, Shape],
    shader: str,
    loose: Mapping[str, StoredTensor],
    *,
    is_model: bool,
) -> list[str]:
    outputs = [
        _output(subject, key, subject.stored[key], shapes[key], is_model=is_model)
        for key in subject.shader_pass.outputs
    ]
    lines = [
        "[[pass]]",
        f"name = {quoted(subject.name)}",
        f"shader = {quoted(shader)}",
        *([f"vertex = {quoted(subject.vertex)}"] if subject.vertex is not None else []),
        f"output = {outputs[0] if len(outputs) == 1 else '[' + ', '.join(outputs) + ']'}",
    ]
    bound: dict[str, list[str]] = {}
    for sampler in subject.shader_pass.samplers:
        stored = subject.stored[sampler.key]
        is_constant, is_loose = stored.role == "constant", stored.tensor in loose
        value = _constant(sampler, stored, is_loose=is_loose) if is_constant else _activation(sampler)
        bound.setdefault(sampler.uniform, []).append(value)
    for uniform, each in bound.items():
        lines.append(f"textures.{uniform} = {each[0] if len(each) == 1 else '[' + ', '.join(each) + ']'}")
    lines += [f"uniforms.{name} = {_value(value)}" for name, value in subject.uniforms.items()]
    lines += [f"defines.{name} = {_value(value)}" for name, value in subject.defines.items()]
    if subject.tolerance is not None:
        lines.append(f"tolerance = {{ rtol = {subject.tolerance.rtol!r}, atol = {subject.tolerance.atol!r} }}")
    return lines


def _output(subject: PassSubject, key: str, stored: StoredTensor, shape: Shape, *, is_model: bool) -> str:
    entries = [] if key == subject.name else [f"name = {quoted(key)}"]
    function = subject.oracle_file.functions.get(key) if subject.oracle_file is not None else None
    oracle = stored.tensor if is_model else function
    if oracle is not None and oracle != key:
        entries.append(f"oracle = {quoted(oracle)}")
    entries += [f"shape = {list(shape)}", f"layout = {layout_value(stored.layout)}", *_dtype(stored, "dtype = ")]
    return f"{{ {', '.join(entries)} }}"


def _constant(sampler: Sampler, stored: StoredTensor, *, is_loose: bool) -> str:
    entries = [f"tensor = {quoted(stored.tensor)}"]
    if not is_loose:
        entries += [f"layout = {layout_value(stored.layout)}", *_dtype(stored, "dtype = ")]
    return f"{{ {', '.join([*entries, *_sampling(sampler)])} }}"


def _activation(sampler: Sampler) -> str:
    sampling = _sampling(sampler)
    if not sampling:
        return quoted(sampler.key)
    return f"{{ {', '.join([f'tensor = {quoted(sampler.key)}', *sampling])} }}"


def _sampling(sampler: Sampler) -> list[str]:
    found = [] if sampler.filter == "nearest" else [f"filter = {quoted(sampler.filter)}"]
    found += [f"size = {list(sampler.size)}"] if sampler.size else []
    return found if sampler.wrap == "clamp_to_edge" else [*found, f"wrap = {quoted(sampler.wrap)}"]


def _dtype(stored: StoredTensor, key: str) -> list[str]:
    if stored.storage == "float32" or (stored.layout.atlas and stored.quantization is None):
        return []
    steps = stored.quantization
    found = [f"{key}{quoted(stored.storage)}"]
    if steps is not None:
        for name, numbers in (("scale", steps.scales), ("zero_point", steps.zero_points)):
            found.append(f"{name} = {value_text(numbers if len(numbers) > 1 else numbers[0])}")
        found.append(f"axis = {steps.axis}")
    return found


def _atlases(stored: Iterable[StoredTensor]) -> list[list[str]]:
    """Returns a section for each texture that tensors share."""
    found: dict[str, list[str]] = {}
    for each in stored:
        name, (height, width) = each.layout.atlas, each.texture_shape
        if name:
            found[name] = [
                "[[atlas]]", f"name = {quoted(name)}", f"size = {[width, height]}", f"lanes = {each.layout.lanes}",
                f"dtype = {quoted(each.storage)}",
            ]  # fmt: skip
    return [*found.values()]


def _value(value: Any) -> str:
    """Formats a uniform or define as TOML."""
    if isinstance(value, Sequence) and not isinstance(value, str):
        return f"[{', '.join(_value(item) for item in value)}]"
    return quoted(value) if isinstance(value, str) else json.dumps(value)
