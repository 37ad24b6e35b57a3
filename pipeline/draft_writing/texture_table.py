"""Writes the table that says which texture of a recording holds which tensor of a model, with the model."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from texelscope.pipeline.atomic_files import new_folder, write_text_whole
from texelscope.pipeline.device import Limits
from texelscope.pipeline.dialects.recordings.files import files_of
from texelscope.pipeline.dialects.webgl import planning as webgl_planning
from texelscope.pipeline.dialects.webgl.explained import model_graph
from texelscope.pipeline.dialects.webgl.guessing import guessed
from texelscope.pipeline.dialects.webgl.kinds import MANIFEST
from texelscope.pipeline.dialects.webgl.model_table import TABLE, TextureMeaning, table_text
from texelscope.pipeline.dialects.webgpu import planning as webgpu_planning
from texelscope.pipeline.dialects.webgpu.kinds import MANIFEST as WEBGPU_MANIFEST
from texelscope.pipeline.dialects.webgpu.kinds import is_webgpu_recording
from texelscope.pipeline.draft.drafting import DraftRequest
from texelscope.pipeline.errors import one_line
from texelscope.pipeline.model_file.message import copy_model
from texelscope.pipeline.plan import Plan

MODEL = "model.onnx"


@dataclass(frozen=True)
class WrittenTable:
    """A table that was written: its file, what the textures hold, and how many passes the recording has."""

    file: Path
    meanings: tuple[TextureMeaning, ...]
    explained: int
    passes: int

    @property
    def summary(self) -> str:
        """One line about it."""
        alike = sum(each.likeness is not None for each in self.meanings)
        doubt = f", {alike} of them only alike" if alike else ""
        return one_line(f"{self.file}: {self.explained} of {self.passes} passes hold a tensor of the model{doubt}.")


def write_texture_table(recording: Path, folder: Path, request: DraftRequest, model: Path) -> WrittenTable:
    """Writes the guessed table and the model into a new or empty folder, whole or not at all.

    Raises TexelscopeError for a file that cannot be read, for a model that explains no draw, and for a folder that is
    not empty.
    """
    with new_folder(folder) as unfinished:
        copy_model(model, unfinished / MODEL)
        plan = _planned(recording)
        meanings = guessed(plan, model_graph(unfinished / MODEL, request.shapes))
        write_text_whole(unfinished / TABLE, table_text(MODEL, meanings))
    known = {each.texture for each in meanings}
    explained = sum(all(key in known for key in each.outputs) for each in plan.passes)
    return WrittenTable(folder / TABLE, meanings, explained, len(plan.passes))


def _planned(recording: Path) -> Plan:
    """Plans a recording of WebGPU or of WebGL. Raises TexelscopeError for a file that cannot be read."""
    if is_webgpu_recording(recording):
        with closing(files_of(recording, WEBGPU_MANIFEST)) as files:
            return webgpu_planning.plan_recording(files, Limits())
    with closing(files_of(recording, MANIFEST)) as files:
        return webgl_planning.plan_recording(files, Limits())
