"""Plans the draft of one shader without writing it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from pathlib import Path

from texelscope.pipeline.draft.document import document
from texelscope.pipeline.draft.drafting import DraftRequest, drafted
from texelscope.pipeline.draft.fields import Certainty, Draft
from texelscope.pipeline.draft.writing import declared_in, model_graph
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.importers.planned_file import plan_file
from texelscope.pipeline.installation import command
from texelscope.pipeline.pipeline_file.build import file_folder
from texelscope.pipeline.pipeline_file.file_plan import FilePlan
from texelscope.pipeline.target import OpenOptions
from texelscope.pipeline.untrusted_files import resolved

# The field that names the model.
_MODEL = "pipeline.model"


@dataclass(frozen=True, kw_only=True)
class DraftedPlan(FilePlan):
    """The plan of a draft that is in no file, with the draft."""

    draft: Draft


def planned_draft(shader: Path, options: OpenOptions) -> DraftedPlan:
    """Returns the plan of a shader's draft, in which what has to be asked is left out: such a uniform is 0.

    Shapes of the options are those of inputs and of passes; the values of its dialect replace fields of the draft.
    Raises TexelscopeError for a text that cannot be read, and for a field that the draft cannot have.
    """
    declared = declared_in([shader])
    names = {each.name for each in declared}
    outputs = {name: shape for name, shape in options.shapes.items() if name in names}
    shapes = {name: shape for name, shape in options.shapes.items() if name not in names}
    model = _model(shader, options)
    request = DraftRequest(outputs, shapes, model=model)
    graph = model_graph(file_folder(shader).file(model), request) if model else None
    draft = drafted(declared, graph, request).with_values(options.dialect)
    plan = plan_file(shader, options, text=document(draft.without_asked(), [shader.name]))
    values = {each.name: getattr(plan, each.name) for each in fields(plan)}
    return DraftedPlan(**{**values, "warnings": (*_kept(plan, draft), *_asked(draft))}, draft=draft)


def _kept(plan: FilePlan, draft: Draft) -> Iterator[str]:
    """Yields the warnings of a plan without those of uniforms that nobody has set: they are asked for."""
    asked = [each.key for table in draft.tables for each in table.fields if each.certainty is Certainty.ASKED]
    return (each for each in plan.warnings if not any(f"Add '{key} = " in each for key in asked))


def _asked(draft: Draft) -> Iterator[str]:
    """Yields a line for each field that is left out."""
    for table in draft.tables:
        for each in table.fields:
            if each.certainty is Certainty.ASKED:
                yield f"{table.name}: {each.key} is left out ({each.reason}). Set it by --param {table.name}.{each.key}=…"


def _model(shader: Path, options: OpenOptions) -> str:
    """Returns the path of the model that the shader is compared with, as a pipeline file beside it writes it."""
    if not options.oracle:
        return options.dialect.get(_MODEL, "")
    model, folder = resolved(Path(options.oracle), what="a model"), file_folder(shader).path
    if not model.is_relative_to(folder):
        raise TexelscopeError(
            f"--oracle {options.oracle}", f"a model in the folder of '{shader.name}'", "one elsewhere",
            f"Copy it there, or draft a folder of both: '{command()} draft {shader.name} --model FILE --to DIR'.",
        )  # fmt: skip
    return model.relative_to(folder).as_posix()
