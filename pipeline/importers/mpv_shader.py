"""Imports mpv user shaders, with one pass per block."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from texelscope.pipeline.device import Limits
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.graph import Shape
from texelscope.pipeline.importers.registry import Importer
from texelscope.pipeline.plan import Plan
from texelscope.pipeline.start_marks import mark
from texelscope.pipeline.target import OpenOptions
from texelscope.pipeline.untrusted_files import read_text

if TYPE_CHECKING:
    from texelscope.pipeline.dialects.mpv.passes import ShaderPlan


class MpvShaderImporter(Importer):
    """Plans mpv user shaders (//!HOOK …), one pass per block; the picture is bundled, or the input's."""

    suffixes = (".glsl", ".hook")
    takes_precision = True
    takes_oracle = True
    speaks_a_dialect = True

    def plan(self, target: Any, options: OpenOptions) -> Plan:
        """Plans a file, at the shapes of the options, whose dialect has its parameters; layouts are mpv's textures'.

        Its oracle is the network in its own text, or the one of the options' `oracle`, a model or a shader.

        Raises TexelscopeError, with the line, for errors in the file.
        """
        from texelscope.pipeline.dialects.mpv.network.of_plan import (
            judged_by,
            judged_by_itself,
            network_of_plan,
        )
        from texelscope.pipeline.dialects.mpv.weights.model_oracle import judged_by_model

        path = Path(target)
        plan = shader_plan(path, options)
        mark("planned")
        if not options.oracle:
            return judged_by_itself(plan)
        oracle = Path(options.oracle)
        if oracle.suffix.lower() in self.suffixes:
            judged = judged_by(plan, network_of_plan(shader_plan(oracle, options)).graph())
            return dataclasses.replace(judged, files=(*judged.files, oracle.resolve()))
        return judged_by_model(plan, oracle)

    def shapes_for(self, target: Any, inputs: Mapping[str, str]) -> Mapping[str, Shape]:
        """Returns the size of the picture as the input's: an mpv shader accepts any size."""
        from texelscope.pipeline.dialects.mpv.build import input_of
        from texelscope.pipeline.dialects.mpv.parse import parse
        from texelscope.pipeline.inputs.sources import picture_size

        try:
            key, channels = input_of(parse(_text(Path(target)), Path(target).name))
        except TexelscopeError:  # the caller that opens it reports it
            return {}
        size = picture_size(inputs.get(key, inputs.get("", "")))
        return {} if size is None else {key: (1, channels, *size)}

    def replan(self, target: Any, options: OpenOptions, plan: Plan, changed: Collection[Path]) -> Plan:
        """Plans as `plan`; an edited shader is compared with its former text, as long as it has the same passes.

        With other parameters its former text has them too.
        """
        if plan.graph is None or {path.resolve() for path in changed} & set(plan.files):
            return self.plan(target, options)
        path, former = Path(target), getattr(plan, "former_text", "")
        edited = dataclasses.replace(shader_plan(path, options), files=plan.files, former_text=former)
        is_varied = _varied(edited, plan, options.dialect)
        if is_varied and (edited.text == former or options.oracle):
            return self.plan(target, options)
        from texelscope.pipeline.dialects.mpv.network.of_plan import judged_by, judged_by_itself

        try:
            judge = judged_by_itself(planned(former, path, options)) if is_varied else plan
            made = {edited.textures[each.output].tensor for each in edited.passes}
            if judge.graph is None or not made <= {*judge.graph.tensors, *judge.unjudged}:
                return self.plan(target, options)
            return judged_by(dataclasses.replace(edited, unjudged=judge.unjudged), judge.graph)
        except TexelscopeError:  # other sizes: another network
            return self.plan(target, options)

    def watched(self, target: Any, plan: Plan) -> Collection[Path]:
        """Returns the shader, and the model or shader of its oracle."""
        return (*super().watched(target, plan), *plan.files)


def _varied(edited: ShaderPlan, before: Plan, chosen: Collection[str]) -> bool:
    """Reports whether a chosen parameter has another value than before."""
    known = {each.name: each.initial for each in getattr(before, "parameters", ())}
    return any(known.get(each.name) != each.initial for each in edited.parameters if each.name in chosen)


def shader_plan(path: Path, options: OpenOptions) -> ShaderPlan:
    """Plans a shader file without an oracle. Raises TexelscopeError, with the line, for errors in the file."""
    return planned(_text(path), path, options)


def planned(text: str, path: Path, options: OpenOptions) -> ShaderPlan:
    """Plans `text`, a version of the file `path`. Raises TexelscopeError as `shader_plan`."""
    from texelscope.pipeline.dialects.mpv.build import build
    from texelscope.pipeline.dialects.mpv.parse import parse
    from texelscope.pipeline.dialects.mpv.settings import with_parameters

    shader = with_parameters(parse(text, path.name), options.dialect)
    mark("read")
    return build(shader, options.shapes, options.precision, options.limits or Limits())


def _text(path: Path) -> str:
    return read_text(path, path.name, what="a shader file")


IMPORTER = MpvShaderImporter()
