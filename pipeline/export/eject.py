"""Writes the plan of a model as a pipeline file with its shaders, for a person to edit (command `eject`).

The folder is complete: the model, whose tensors are weights and oracle, one shader per pass, the tables that
passes look things up in, and pipeline.toml.
"""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np

from texelscope.layouts.outside_text import in_comment
from texelscope.layouts.shapes import as_nchw
from texelscope.pipeline.atomic_files import new_folder
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.glsl.readable import readable
from texelscope.pipeline.importers.registry import plan_of
from texelscope.pipeline.model_file.message import copy_model
from texelscope.pipeline.plan import Pass, Plan, ProgramSource, Sampler, StoredTensor
from texelscope.pipeline.target import OpenOptions
from texelscope.pipeline.toml_text import layout_value, quoted
from texelscope.pipeline.unique_names import file_stems

if TYPE_CHECKING:
    import onnx


MODEL = "model.onnx"
PIPELINE = "pipeline.toml"
SHADERS = "shaders"
TABLES = "tables"


def eject(
    model: str | Path | onnx.ModelProto,
    folder: Path,
    options: OpenOptions | None = None,
    programs: Mapping[str, ProgramSource] = MappingProxyType({}),
) -> tuple[Path, ...]:
    """Writes the model's plan into `folder`, which must be empty, whole or not at all; returns the files.

    `programs` are edited shaders by pass that replace the planned ones.

    Raises TexelscopeError for a model with a node that cannot run, for a file that is no model, and for a folder that
    is not empty.
    """
    options = options or OpenOptions()
    source = Path(model) if isinstance(model, str | Path) else model
    plan = plan_of(source, options)
    _check(plan)
    names, tables = _shader_names(plan), _table_names(plan)
    with new_folder(folder) as unfinished:
        (unfinished / SHADERS).mkdir()
        copy_model(source, unfinished / MODEL)
        for each in plan.passes:
            shown = replace(each, program=programs.get(each.name, each.program))
            text = shader_text(shown, plan)
            (unfinished / names[each.name]).write_text(text, encoding="utf-8", errors="backslashreplace")
        _write_tables(plan, tables, unfinished)
        (unfinished / PIPELINE).write_text(_pipeline(plan, names, tables, options), encoding="utf-8")
    return (folder / PIPELINE, folder / MODEL, *(folder / name for name in (*names.values(), *tables.values())))


def _check(plan: Plan) -> None:
    if any(not each.from_operator for each in plan.passes):
        raise TexelscopeError(
            f"eject of '{plan.name}'", "a model, whose shaders are the program's",
            "a pipeline of a person's own shaders", "Copy its folder, or bundle it.",
        )  # fmt: skip
    if plan.not_run:
        missing = plan.not_run[0]
        raise TexelscopeError(
            plan.name, "a model of which every node can run", f"{missing.operator} '{missing.name}'", missing.reason
        )


def _shader_names(plan: Plan) -> dict[str, str]:
    """Returns a file name for each pass: its name without problematic characters, unique in any case."""
    return {
        name: f"{SHADERS}/{stem}.frag" for name, stem in file_stems((each.name for each in plan.passes), "pass").items()
    }


def _table_names(plan: Plan) -> dict[str, str]:
    """Returns a file name for each constant that is not the model's: a table that a pass reads, by its tensor."""
    assert plan.graph is not None
    of_model = {name for node in plan.graph.nodes for name in (*node.inputs, *node.outputs)}
    constants = {stored.tensor for stored in plan.textures.values() if stored.role == "constant"}
    found = sorted(constants - of_model - set(plan.graph.outputs))
    return {tensor: f"{TABLES}/{stem}.npy" for tensor, stem in file_stems(found, "table").items()}


def _write_tables(plan: Plan, files: Mapping[str, str], unfinished: Path) -> None:
    for tensor, file in files.items():
        value = plan.constant(tensor)
        assert value is not None
        (unfinished / file).parent.mkdir(exist_ok=True)
        np.save(unfinished / file, np.asarray(value, dtype=np.float32), allow_pickle=False)


def shader_text(shader_pass: Pass, plan: Plan) -> str:
    """Returns the shader of a planned pass as a person would have written it."""
    output = plan.textures[shader_pass.output]
    title = [in_comment(f"{shader_pass.operator} '{shader_pass.name}' makes {_described(output)}")]
    notes = {sampler.uniform: in_comment(_described(plan.textures[sampler.key])) for sampler in shader_pass.samplers}
    return readable(shader_pass.program, title, notes, as_nchw(output.shape)[1])


def _described(stored: StoredTensor) -> str:
    shape = " x ".join(map(str, stored.shape)) or "a scalar"
    return f"{stored.tensor}: {shape} in {stored.layout.name}"


def _pipeline(plan: Plan, shaders: Mapping[str, str], tables: Mapping[str, str], options: OpenOptions) -> str:
    head = ["[pipeline]", f"name = {quoted(plan.name.removesuffix('.onnx'))}", f'model = "{MODEL}"']
    if options.conventions:
        entries = ", ".join(f"{op_type} = {quoted(name)}" for op_type, name in options.conventions.items())
        head.append(f"conventions = {{ {entries} }}")
    if options.gradients:
        head.append(f"gradients = {quoted(options.gradients)}")
    if options.wrt:
        head.append(f"wrt = [{', '.join(map(quoted, options.wrt))}]")
    stored = {each.tensor: each for each in plan.textures.values()}
    blocks = [head, *(_tensor("input", plan.textures[key], "random:0") for key in plan.inputs)]
    blocks += [_tensor("constant", stored[tensor], file) for tensor, file in tables.items()]
    blocks += [_pass(each, plan, shaders[each.name], tables) for each in plan.passes]
    return "\n\n".join("\n".join(lines) for lines in blocks) + "\n"


def _tensor(kind: str, stored: StoredTensor, source: str) -> list[str]:
    return [
        f"[[{kind}]]",
        f"name = {quoted(stored.tensor)}",
        f"shape = {list(stored.shape)}",
        f"layout = {layout_value(stored.layout)}",
        *_dtype(stored, "dtype = "),
        f"source = {quoted(source)}",
    ]


def _pass(shader_pass: Pass, plan: Plan, shader: str, tables: Container[str]) -> list[str]:
    stored = plan.textures[shader_pass.output]
    entries = [] if stored.tensor == shader_pass.name else [f"name = {quoted(stored.tensor)}"]
    entries += [f"shape = {list(stored.shape)}", f"layout = {layout_value(stored.layout)}", *_dtype(stored, "dtype = ")]
    return [
        "[[pass]]",
        f"name = {quoted(shader_pass.name)}",
        f"shader = {quoted(shader)}",
        f"output = {{ {', '.join(entries)} }}",
        *(_texture(sampler, plan.textures[sampler.key], tables) for sampler in shader_pass.samplers),
    ]


def _texture(sampler: Sampler, stored: StoredTensor, tables: Container[str]) -> str:
    if stored.role != "constant" or stored.tensor in tables:
        return f"textures.{sampler.uniform} = {quoted(stored.tensor)}"
    entries = [
        f"tensor = {quoted(stored.tensor)}",
        f"layout = {layout_value(stored.layout)}",
        *_dtype(stored, "dtype = "),
    ]
    return f"textures.{sampler.uniform} = {{ {', '.join(entries)} }}"


def _dtype(stored: StoredTensor, key: str) -> list[str]:
    return [] if stored.storage == "float32" else [f"{key}{quoted(stored.storage)}"]
