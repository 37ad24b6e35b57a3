"""Warns of what in a pass's shader runs but is likely to surprise: roundings, gaps, what was assumed of its text."""

from __future__ import annotations

from collections.abc import Mapping

from texelscope.pipeline.glsl.lines import line_map
from texelscope.pipeline.glsl.resources import blocks_of
from texelscope.pipeline.pipeline_file.declarations import lowp_samplers
from texelscope.pipeline.pipeline_file.includes import AuthorProgram
from texelscope.pipeline.pipeline_file.sampler_bindings import declared_at
from texelscope.pipeline.pipeline_file.schema import LINEAR
from texelscope.pipeline.plan import ProgramSource, StoredTensor


def assumed(author: AuthorProgram) -> list[str]:
    """Returns what was assumed of the author's text."""
    files = author.source.files
    return [f"{files[0].path}: {warning}" for text in author.texts for warning in text.warnings]


def rounded_reads(bound: Mapping[str, StoredTensor | None], program: ProgramSource) -> list[str]:
    """Returns a warning of samplers that are lowp without saying so, bound to tensors of floats."""
    rounded = [
        uniform
        for uniform in lowp_samplers(program.fragment)
        if (stored := bound.get(uniform.name)) is not None and stored.storage != "uint8"
    ]
    if not rounded:
        return []
    path, line = declared_at(program, rounded[0])
    names = ", ".join(uniform.name for uniform in rounded)
    return [
        f"{path}:{line}: {names}: a sampler is lowp in GLSL ES unless declared otherwise, and drivers round "
        "what it reads. Add 'precision highp sampler2D;'."
    ]


def gapped_arrays(where: str, twins: Mapping[str, StoredTensor | None], program: ProgramSource) -> list[str]:
    """Returns warnings of arrays with gaps between their elements, bound to tensors that have none."""
    lines, found = line_map(program), []
    for name, block in blocks_of(program.fragment).items():
        stored = twins.get(f"buffers.{name}")
        if stored is None or stored.layout != LINEAR:
            continue
        for each in block.gapped:
            path, line = lines[each.line - 1]
            found.append(
                f"{where}: elements of '{each.type} {each.name}[]' ({path}:{line}) lie "
                f"4 floats apart in {block.rules}, and '{stored.key}' has no gaps. Declare 'float {each.name}[]'"
                f"{' in std430' if block.rules == 'std140' else ''}."
            )
    return found
