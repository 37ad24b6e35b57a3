"""Plans a pipeline file and the model beside it; imported when the first such file is opened."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from texelscope.pipeline.device import Limits
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.graph import Graph, Shape
from texelscope.pipeline.importers.onnx_model import asked_for, load_beside
from texelscope.pipeline.operators.conventions import with_only
from texelscope.pipeline.pipeline_file.bound_lines import bound_lines
from texelscope.pipeline.pipeline_file.build import PlanBuilder, file_folder, model_shapes
from texelscope.pipeline.pipeline_file.file_plan import (
    FilePlan,
    shader_files,
    stamped,
    with_other_values,
    with_saved_shaders,
)
from texelscope.pipeline.pipeline_file.folder import Folder
from texelscope.pipeline.pipeline_file.schema import PipelineEntries, read
from texelscope.pipeline.pipeline_file.table import Problems
from texelscope.pipeline.pipeline_file.tensor_parts import with_parts
from texelscope.pipeline.pipeline_values.writing import with_values
from texelscope.pipeline.plan import Plan
from texelscope.pipeline.planning.planner import lower
from texelscope.pipeline.target import OpenOptions
from texelscope.pipeline.untrusted_files import OutsideFileError, read_text
from texelscope.pipeline.untrusted_files.texts import toml_values


def plan_again(path: Path, options: OpenOptions, plan: Plan, changed: Collection[Path]) -> Plan:
    """Plans as `plan_file`; if only shaders or values changed nothing else is read again, nor an unchanged model."""
    saved = with_saved_shaders(plan, path.resolve(), file_folder(path), options, changed) if changed else None
    return saved or (None if changed else _with_values(path, options, plan)) or plan_file(path, options, plan, changed)


def _with_values(path: Path, options: OpenOptions, plan: Plan) -> FilePlan | None:
    """Returns the plan with other values of passes; None if they are as before, or anything else changed."""
    if not isinstance(plan, FilePlan) or plan.options.dialect == options.dialect:
        return None
    text = _text_of(path, options)
    problems, folder = Problems(path.name), file_folder(path)
    entries = read(toml_values(text, path.name), problems, folder.path.name)
    problems.raise_any()
    return with_other_values(plan, entries, text, folder, options)


def _text_of(path: Path, options: OpenOptions) -> str:
    """Returns the text of the file, with the values that the options give its passes."""
    try:
        text = read_text(path, path.name, what="a pipeline file")
    except OutsideFileError as error:  # which of all files of that name
        raise TexelscopeError(str(path), error.expected, error.got, error.do_next) from error
    return with_values(text, options.dialect, path.name)


def shaders_of(path: Path, plan: Plan) -> Collection[Path]:
    """Returns absolute paths of every shader of a pipeline file, and of their includes."""
    return shader_files(plan, file_folder(path))


def plan_file(
    path: Path,
    options: OpenOptions,
    previous: Plan | None = None,
    changed: Collection[Path] = (),
    *,
    text: str = "",
    instead: Mapping[str, str] | None = None,
) -> FilePlan:
    """Plans a pipeline file; the model of a `previous` plan is kept unless its file `changed`.

    `text` replaces the file's content, to try another text than the saved one with the options' values; `instead` does
    that to other files, by their paths in the folder.
    """
    started_ns = time.time_ns()
    problems = Problems(path.name)
    folder = dataclasses.replace(file_folder(path), instead=instead or {})
    if isinstance(previous, FilePlan):
        changed = {*changed, *previous.outdated()}
    own = text or _text_of(path, options)
    entries = read(toml_values(own, path.name), problems, folder.path.name)
    conventions = {**entries.conventions, **options.conventions}
    if isinstance(previous, FilePlan) and not _same_gradients(previous, entries, conventions):
        previous = None
    graph = None
    if entries.model is not None:
        graph = _model(entries, conventions, folder, problems, options.values, previous, changed)
    if graph is not None:
        graph = _with_parts(with_only(graph, conventions), entries, problems)
    plan = PlanBuilder(entries, folder, graph, options.limits or Limits(), problems).build(options.trust)
    plan = dataclasses.replace(plan, options=options, bound_at=bound_lines(own, path.name))
    if options.dialect and not text:
        plan = dataclasses.replace(plan, text=own)
    return stamped(plan, path.resolve(), folder, started_ns)


def _model(
    entries: PipelineEntries,
    conventions: Mapping[str, str],
    folder: Folder,
    problems: Problems,
    values: Mapping[str, NDArray[Any]],
    previous: Plan | None,
    changed: Collection[Path],
) -> Graph | None:
    """Returns the model with its nodes rewritten as for its own plan, so that an ejected file finds its tensors.

    The limits are the default ones: names must not depend on the driver.
    """
    assert entries.model is not None
    shapes = model_shapes(entries)
    try:
        path = folder.file(entries.model)
        if previous is not None and path in previous.files and path not in changed and _has(previous.graph, shapes):
            return previous.graph
        graph = load_beside(path, shapes, values)
    except TexelscopeError as error:
        problems.add_error("[pipeline]", "model", error)
        return None
    try:
        return lower(asked_for(graph, conventions, entries.gradients, entries.wrt), Limits())
    except TexelscopeError as error:
        problems.add_error("[pipeline]", "gradients", error)
        return None


def _with_parts(graph: Graph, entries: PipelineEntries, problems: Problems) -> Graph:
    """Returns the model with the parts of tensors that the file names."""
    outputs = (output for each in entries.passes for output in each.outputs)
    named = [(entry.title, entry.oracle or entry.name) for entry in (*entries.inputs, *outputs)]
    try:
        return with_parts(graph, [name for _, name in named])
    except TexelscopeError as error:
        title = next((title for title, name in named if f"'{name}'" in error.who), "[pipeline]")
        problems.add_error(title, "oracle" if title != "[pipeline]" else "model", error)
        return graph


def _same_gradients(previous: FilePlan, entries: PipelineEntries, conventions: Mapping[str, str]) -> bool:
    """Whether the graph of a previous plan has the requested backward nodes."""
    was, before = previous.entries, {**previous.entries.conventions, **previous.options.conventions}
    if (was.gradients, was.wrt) != (entries.gradients, entries.wrt):
        return False
    return not entries.gradients or before == conventions


def _has(graph: Graph | None, shapes: Mapping[str, Shape]) -> bool:
    """Whether the graph has all of these shapes."""
    if graph is None:
        return False
    known = {name: graph.tensors[name].shape for name in shapes if name in graph.tensors}
    return all(shapes[name] == shape for name, shape in known.items())
