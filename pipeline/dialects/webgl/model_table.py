"""Reads and writes the table that says which texture of a recording holds which tensor of a model, and how.

It is a TOML file beside the model: `[[texture]]` has the texture's `name` in the plan, the model's `tensor`, and a
`layout`. A person may edit it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from texelscope.layouts import Layout, LayoutError
from texelscope.pipeline.dialects.webgl.layout_candidates import holds_all
from texelscope.pipeline.errors import TexelscopeError, nearest
from texelscope.pipeline.graph import Graph
from texelscope.pipeline.pipeline_file.folder import Folder
from texelscope.pipeline.pipeline_file.table import Problems, Table
from texelscope.pipeline.plan import Plan, StoredTensor
from texelscope.pipeline.toml_text import quoted, value_text
from texelscope.pipeline.untrusted_files import read_text, resolved
from texelscope.pipeline.untrusted_files.texts import toml_values

TABLE = "draws.toml"
_KEYS = ("name", "tensor", "layout")
_TITLE = "[[texture]]"
_HEAD = """\
# Which tensor of the model each texture of a recording holds, and in which layout: guessed from the recorded values.
# Change what is wrong: a pass whose texture is here is compared with the model, any other with what the page wrote.
"""


@dataclass(frozen=True)
class TextureMeaning:
    """Says that a texture, by its key in the plan, holds a tensor of the model in a layout.

    `likeness` is the correlation of the two where they are not equal: the page, or the guess, is wrong.
    """

    texture: str
    tensor: str
    layout: Layout
    likeness: float | None = None


@dataclass(frozen=True)
class ModelTable:
    """Holds a table's file, the model's, and what each texture holds."""

    file: Path
    model: Path
    meanings: tuple[TextureMeaning, ...]


def table_text(model: str, meanings: Sequence[TextureMeaning]) -> str:
    """Returns the table as TOML; `model` is the model's file beside it."""
    return "\n".join([_HEAD, f"model = {quoted(model)}", *(line for each in meanings for line in _lines(each))]) + "\n"


def _lines(meaning: TextureMeaning) -> Iterator[str]:
    yield ""
    if meaning.likeness is not None:
        yield f"# Not equal: their correlation is {meaning.likeness:.3f}. The page is wrong here, or this guess is."
    yield _TITLE
    yield f"name = {quoted(meaning.texture)}"
    yield f"tensor = {quoted(meaning.tensor)}"
    yield f"layout = {value_text(meaning.layout)}"


def read_table(path: Path) -> ModelTable:
    """Reads a table. Raises TexelscopeError if it is no TOML, and PipelineFileError with every entry that is wrong."""
    path = resolved(path, what="a table of textures")
    found = toml_values(read_text(path, path.name, what="a table of textures"), path.name)
    problems = Problems(path.name)
    top = Table(found, "", problems)
    top.check_keys(("model", "texture"))
    model = top.text("model", required=True)
    meanings = []
    for each in top.tables("texture") or []:
        each.check_keys(_KEYS)
        name, tensor = each.text("name", required=True), each.text("tensor", required=True)
        layout = each.layout("layout")
        if name is not None and tensor is not None and layout is not None:
            meanings.append(TextureMeaning(name, tensor, layout))
    problems.raise_any()
    assert model is not None
    return ModelTable(path, Folder(path.parent, "table").file(model), tuple(meanings))


def check_table(file: str, meanings: Sequence[TextureMeaning], plan: Plan, graph: Graph) -> None:
    """Raises TexelscopeError for the first entry whose texture, tensor, layout or size does not exist or fit."""
    seen: set[str] = set()
    for each in meanings:
        who = f"{file} {_TITLE} '{each.texture}'"
        stored = plan.textures.get(each.texture)
        if stored is None:
            raise TexelscopeError(
                who, "a texture of the recording", "another name", nearest(each.texture, plan.textures)
            )
        if each.texture in seen:
            raise TexelscopeError(who, "each texture once", "a second entry", "Remove one of the two.")
        seen.add(each.texture)
        if each.tensor not in graph.tensors:
            expected, advice = f"a tensor of {graph.name}", nearest(each.tensor, graph.tensors)
            raise TexelscopeError(who, expected, f"'{each.tensor}'", advice)
        shape = graph.tensors[each.tensor].shape
        _check_size(who, each, stored, shape)
        assert plan.recorded is not None
        texels = stored.layout.encode(plan.recorded.values[each.texture])[:, :, : each.layout.lanes]
        if stored.role == "input" and not holds_all(np.ascontiguousarray(texels), each.layout, shape):
            expected = "a layout that holds every number of what was uploaded, padding of zeros aside"
            raise TexelscopeError(who, expected, f"others where {each.layout} has none", "Correct the layout.")


def _check_size(who: str, meaning: TextureMeaning, stored: StoredTensor, shape: Sequence[int]) -> None:
    height, width = stored.texture_shape
    try:
        size = meaning.layout.texture_shape(shape)
    except LayoutError as error:
        raise TexelscopeError(who, error.expected, error.got, error.do_next) from error
    if size != (height, width) or meaning.layout.lanes > stored.layout.lanes:
        raise TexelscopeError(
            who, f"a layout that puts {list(shape)} into {width}x{height} texels of {stored.layout.lanes} lanes",
            f"{size[1]}x{size[0]} of {meaning.layout.lanes} in {meaning.layout}", "Correct the layout or the tensor.",
        )  # fmt: skip


def by_texture(meanings: Sequence[TextureMeaning]) -> Mapping[str, TextureMeaning]:
    """Returns the entries by the texture's key."""
    return {each.texture: each for each in meanings}
