"""Writes a draft as a folder: the shaders with what they include, the model, and pipeline.toml."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from texelscope.pipeline.atomic_files import new_folder, write_text_whole
from texelscope.pipeline.draft.document import document
from texelscope.pipeline.draft.drafting import DraftRequest, drafted
from texelscope.pipeline.draft.fields import DraftFile
from texelscope.pipeline.draft_writing.trial import Fit, fitted
from texelscope.pipeline.importers.planned_draft import declared_in, folder_of, model_graph
from texelscope.pipeline.model_file.message import copy_model
from texelscope.pipeline.untrusted_files import copy_file

PIPELINE, MODEL = "pipeline.toml", "model.onnx"


@dataclass(frozen=True)
class WrittenDraft:
    """A draft that was written: the pipeline file, how many layouts were tried, and which passes match the model."""

    file: Path
    draft: DraftFile
    tried: int
    matched: tuple[str, ...]


def write_draft(shaders: Sequence[Path], folder: Path, request: DraftRequest, model: Path | None) -> WrittenDraft:
    """Writes the draft of shaders into a new or empty folder, whole or not at all.

    With a model, layouts are tried until every pass matches it; nothing is tried if something has to be asked.

    Raises TexelscopeError for a file that cannot be read, and for a folder that is not empty.
    """
    declared = declared_in(shaders, request.values)
    with new_folder(folder) as unfinished:
        for file in dict.fromkeys(file.path for each in declared for file in each.program.files):
            (unfinished / file).parent.mkdir(parents=True, exist_ok=True)
            copy_file(folder_of(shaders) / file, unfinished / file)
        graph = None
        if model is not None:
            copy_model(model, unfinished / MODEL)
            graph = model_graph(unfinished / MODEL, request)
            request = dataclasses.replace(request, model=MODEL)
        draft = drafted(declared, graph, request)
        place, fit = unfinished / PIPELINE, Fit(draft)
        if graph is not None:
            fit = fitted(declared, graph, request, place, draft)
        write_text_whole(place, document(fit.draft, [each.file for each in declared]))
    return WrittenDraft(folder / PIPELINE, fit.draft, fit.tried, fit.matched)
