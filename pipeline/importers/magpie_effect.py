"""Imports Magpie effects, with one pass per `//!PASS`."""

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
from texelscope.pipeline.untrusted_files import is_file, read_text

if TYPE_CHECKING:
    from texelscope.pipeline.dialects.effects.passes import EffectPlan


class MagpieEffectImporter(Importer):
    """Plans Magpie effects (//!MAGPIE EFFECT), one pass per //!PASS; the picture is bundled, or the input's."""

    suffixes = (".hlsl",)
    takes_precision = True
    takes_oracle = True
    speaks_a_dialect = True

    def takes(self, target: Any) -> bool:
        """Reports whether the target is an effect: other HLSL has not its first line."""
        if not super().takes(target) or not is_file(target):
            return False
        from texelscope.pipeline.dialects.magpie.sections import is_effect

        try:
            return is_effect(_text(Path(target)))
        except TexelscopeError:  # the importer that takes it reports this
            return False

    def plan(self, target: Any, options: OpenOptions) -> Plan:
        """Plans a file, at the shapes of the options, whose dialect has its parameters.

        Its oracle is the network in its own text, or the one of the options' `oracle`, a model or an effect.

        Raises TexelscopeError, with the line, for errors in the file.
        """
        from texelscope.pipeline.dialects.effects.judging import judged

        plan = effect_plan(Path(target), options)
        mark("planned")
        return judged(plan, options.oracle, self.suffixes, lambda path: effect_plan(path, options))

    def shapes_for(self, target: Any, inputs: Mapping[str, str]) -> Mapping[str, Shape]:
        """Returns the size of the picture as INPUT's: an effect accepts any size."""
        from texelscope.pipeline.dialects.magpie.effect import INPUT
        from texelscope.pipeline.inputs.sources import picture_size

        size = picture_size(inputs.get(INPUT, inputs.get("", "")))
        return {} if size is None else {INPUT: (1, 3, *size)}

    def replan(self, target: Any, options: OpenOptions, plan: Plan, changed: Collection[Path]) -> Plan:
        """Plans as `plan`; an edited effect is compared with its former text, as long as it has the same passes."""
        from texelscope.pipeline.dialects.effects.judging import judged_as_before

        path = Path(target)
        if {each.resolve() for each in changed} & set(plan.files):
            return self.plan(target, options)
        former = getattr(plan, "former_text", "")
        edited = dataclasses.replace(effect_plan(path, options), files=plan.files, former_text=former)
        again = judged_as_before(edited, plan, options, lambda: planned(former, path, options))
        return self.plan(target, options) if again is None else again

    def watched(self, target: Any, plan: Plan) -> Collection[Path]:
        """Returns the effect, what it includes, and the model or effect of its oracle."""
        return (*super().watched(target, plan), *plan.files)


def effect_plan(path: Path, options: OpenOptions) -> EffectPlan:
    """Plans an effect without an oracle. Raises TexelscopeError, with the line, for errors in the file."""
    return planned(_text(path), path, options)


def planned(text: str, path: Path, options: OpenOptions) -> EffectPlan:
    """Plans `text`, a version of the file `path`. Raises TexelscopeError as `effect_plan`."""
    from texelscope.pipeline.dialects.magpie.build import build
    from texelscope.pipeline.dialects.magpie.parse import parse
    from texelscope.pipeline.dialects.mpv.settings import with_values

    effect = parse(text, path.name)
    parameters = with_values(effect.parameters, options.dialect, f"a //!PARAMETER of {path.name}")
    effect = dataclasses.replace(effect, parameters=parameters)
    mark("read")
    return build(effect, path.parent, options.shapes, options.precision, options.limits or Limits())


def _text(path: Path) -> str:
    return read_text(path, path.name, what="an effect")


IMPORTER = MagpieEffectImporter()
