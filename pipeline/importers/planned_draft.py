"""Plans the draft of one shader without writing it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from os.path import commonpath
from pathlib import Path
from types import MappingProxyType

from texelscope.pipeline.device import Limits
from texelscope.pipeline.draft.document import document
from texelscope.pipeline.draft.drafting import DraftRequest, drafted
from texelscope.pipeline.draft.fields import Certainty, DraftFile, field_parts, typed_value
from texelscope.pipeline.draft.shaders import DeclaredShader, declared_shaders
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.graph import Graph
from texelscope.pipeline.importers.onnx_model import asked_for, load_beside
from texelscope.pipeline.importers.planned_file import plan_file
from texelscope.pipeline.installation import command
from texelscope.pipeline.pipeline_file.build import file_folder
from texelscope.pipeline.pipeline_file.file_plan import FilePlan
from texelscope.pipeline.pipeline_file.folder import Folder
from texelscope.pipeline.pipeline_file.includes import Define
from texelscope.pipeline.planning.planner import lower
from texelscope.pipeline.target import OpenOptions
from texelscope.pipeline.untrusted_files import is_file, resolved

# The field that names the model.
MODEL = "pipeline.model"
# The field that names further shaders of the same draft.
SHADERS = "pipeline.shaders"


@dataclass(frozen=True, kw_only=True)
class DraftedPlan(FilePlan):
    """The plan of a draft that is in no file, with the draft."""

    draft: DraftFile


@dataclass(frozen=True)
class DraftedRequest:
    """Holds a shader's draft with all that it was made from; `files` are the shaders' paths."""

    files: tuple[Path, ...]
    shaders: tuple[DeclaredShader, ...]
    graph: Graph | None
    request: DraftRequest
    draft: DraftFile


def drafted_request(shader: Path, options: OpenOptions) -> DraftedRequest:
    """Returns the draft of a shader, and of those that its options name beside it.

    Shapes of the options are those of inputs and of passes; the values of its dialect replace fields of the draft.
    Raises TexelscopeError for a text that cannot be read, and for a field that the draft cannot have.
    """
    files = tuple(dict.fromkeys((shader, *further_shaders(shader, options.dialect))))
    declared = declared_in(files, options.dialect)
    names = {each.name for each in declared}
    outputs = {name: shape for name, shape in options.shapes.items() if name in names}
    shapes = {name: shape for name, shape in options.shapes.items() if name not in names}
    model = _model(shader, options)
    values = {name: text for name, text in options.dialect.items() if name != SHADERS}
    request = DraftRequest(outputs, shapes, model=model, values=values)
    graph = model_graph(file_folder(shader).file(model), request) if model else None
    return DraftedRequest(files, declared, graph, request, drafted(declared, graph, request))


def planned_draft(shader: Path, options: OpenOptions) -> DraftedPlan:
    """Returns the plan of a shader's draft, in which what has to be asked is left out: such a uniform is 0.

    Raises TexelscopeError as `drafted_request`, and for a draft that is no plan.
    """
    own = drafted_request(shader, options)
    text = document(own.draft.runnable(), [each.name for each in own.files])
    plan = plan_file(shader, options, text=text)
    planned = {each.name: getattr(plan, each.name) for each in fields(plan)}
    warnings = (*_kept(plan, own.draft), *_asked(own.draft))
    # No file has the lines of a draft, so none of them can be repaired.
    return DraftedPlan(**{**planned, "warnings": warnings, "bound_at": MappingProxyType({})}, draft=own.draft)


def _kept(plan: FilePlan, draft: DraftFile) -> Iterator[str]:
    """Yields the warnings of a plan without those of uniforms that nobody has set: they are asked for."""
    asked = [each.key for table in draft.tables for each in table.fields if each.certainty is Certainty.ASKED]
    return (each for each in plan.warnings if not any(f"Add '{key} = " in each for key in asked))


def _asked(draft: DraftFile) -> Iterator[str]:
    """Yields a line for each field that is left out."""
    for table in draft.tables:
        for each in table.fields:
            if each.certainty is Certainty.ASKED:
                key = f"{table.name}.{each.key}"
                yield f"{key} is left out ({each.reason}). Set it by --param {key}=…"


def _model(shader: Path, options: OpenOptions) -> str:
    """Returns the path of the model that the shader is compared with, as a pipeline file beside it writes it."""
    if not options.oracle:
        return options.dialect.get(MODEL, "")
    model, folder = resolved(Path(options.oracle), what="a model"), file_folder(shader).path
    if not model.is_relative_to(folder):
        raise TexelscopeError(
            f"--oracle {options.oracle}", f"a model in the folder of '{shader.name}'", "one elsewhere",
            f"Copy it there, or draft a folder of both: '{command()} draft {shader.name} --model FILE --to DIR'.",
        )  # fmt: skip
    return model.relative_to(folder).as_posix()


def further_shaders(shader: Path, values: Mapping[str, str]) -> Iterator[Path]:
    """Yields the shaders that a person names beside the opened one, separated by commas, or by spaces without any."""
    text = values.get(SHADERS, "")
    for name in text.split(",") if "," in text else text.split():
        yield file_folder(shader).file(name.strip())


def declared_in(
    shaders: Sequence[Path], values: Mapping[str, str] = MappingProxyType({})
) -> tuple[DeclaredShader, ...]:
    """Returns the declarations of shader files, whose paths begin in the folder that they have in common.

    Macros that are among the values of a person are defined.
    """
    for each in shaders:
        if not is_file(each):
            raise TexelscopeError(f"'{each}'", "a shader file", "none of that name", "Check the path.")
    folder = folder_of(shaders)
    files = tuple(each.resolve().relative_to(folder).as_posix() for each in shaders)
    return declared_shaders(Folder(folder), files, _defines(values))


def _defines(values: Mapping[str, str]) -> Mapping[str, Mapping[str, Define]]:
    """Returns the macros that a person defines, by the shader's name."""
    found: dict[str, dict[str, Define]] = {}
    for key, text in values.items():
        table, kind, name = field_parts(key)
        value = typed_value(text)
        if kind == "defines" and name and isinstance(value, str | int | float | bool):
            found.setdefault(table, {})[name] = value
    return found


def folder_of(shaders: Sequence[Path]) -> Path:
    """Returns the folder that shader files have in common."""
    return Path(commonpath([each.resolve().parent for each in shaders]))


def model_graph(model: Path, request: DraftRequest) -> Graph:
    """Returns the model's graph as a pipeline file's plan has it. Raises TexelscopeError for no model."""
    return lower(asked_for(load_beside(model, request.shapes, {}), {}, "", ()), Limits())
