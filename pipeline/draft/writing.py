"""Writes a draft as a folder: the shaders with what they include, the model, and pipeline.toml."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from os.path import commonpath
from pathlib import Path

from texelscope.pipeline.atomic_files import new_folder
from texelscope.pipeline.device import Limits
from texelscope.pipeline.draft.document import document
from texelscope.pipeline.draft.drafting import DraftRequest, drafted
from texelscope.pipeline.draft.fields import Draft
from texelscope.pipeline.draft.shaders import DeclaredShader, declared_shaders
from texelscope.pipeline.draft.trial import Fit, fitted
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.graph import Graph
from texelscope.pipeline.importers.onnx_model import asked_for, load_beside
from texelscope.pipeline.model_file.message import copy_model
from texelscope.pipeline.pipeline_file.folder import Folder
from texelscope.pipeline.planning.planner import lower
from texelscope.pipeline.untrusted_files import copy_file, is_file

PIPELINE, MODEL = "pipeline.toml", "model.onnx"


@dataclass(frozen=True)
class WrittenDraft:
    """A draft that was written: the pipeline file, how many layouts were tried, and which passes match the model."""

    file: Path
    draft: Draft
    tried: int
    matched: tuple[str, ...]


def write_draft(shaders: Sequence[Path], folder: Path, request: DraftRequest, model: Path | None) -> WrittenDraft:
    """Drafts shaders into a new or empty folder, whole or not at all.

    With a model, layouts are tried until every pass matches it; nothing is tried if something has to be asked.

    Raises TexelscopeError for a file that cannot be read, and for a folder that is not empty.
    """
    declared = declared_in(shaders)
    with new_folder(folder) as unfinished:
        for file in dict.fromkeys(file.path for each in declared for file in each.program.files):
            (unfinished / file).parent.mkdir(parents=True, exist_ok=True)
            copy_file(_common(shaders) / file, unfinished / file)
        graph = None
        if model is not None:
            copy_model(model, unfinished / MODEL)
            graph = model_graph(unfinished / MODEL, request)
            request = dataclasses.replace(request, model=MODEL)
        draft = drafted(declared, graph, request)
        place, fit = unfinished / PIPELINE, Fit(draft)
        if graph is not None:
            fit = fitted(declared, graph, request, place, draft)
        place.write_text(document(fit.draft, [each.file for each in declared]), encoding="utf-8")
    return WrittenDraft(folder / PIPELINE, fit.draft, fit.tried, fit.matched)


def declared_in(shaders: Sequence[Path]) -> tuple[DeclaredShader, ...]:
    """Returns the declarations of shader files, whose paths begin in the folder that they have in common."""
    for each in shaders:
        if not is_file(each):
            raise TexelscopeError(f"'{each}'", "a shader file", "none of that name", "Check the path.")
    common = _common(shaders)
    return declared_shaders(Folder(common), tuple(each.resolve().relative_to(common).as_posix() for each in shaders))


def _common(shaders: Sequence[Path]) -> Path:
    return Path(commonpath([each.resolve().parent for each in shaders]))


def model_graph(model: Path, request: DraftRequest) -> Graph:
    """Returns the model's graph as a pipeline file's plan has it. Raises TexelscopeError for no model."""
    return lower(asked_for(load_beside(model, request.shapes, {}), {}, "", ()), Limits())
