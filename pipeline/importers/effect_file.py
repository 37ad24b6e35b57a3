"""Plans effect files of other programs: what Magpie's and ReShade's have in common."""

from __future__ import annotations

import dataclasses
from abc import abstractmethod
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from texelscope.pipeline.graph import Shape
from texelscope.pipeline.importers.registry import Importer
from texelscope.pipeline.plan import Plan
from texelscope.pipeline.start_marks import mark
from texelscope.pipeline.target import OpenOptions
from texelscope.pipeline.untrusted_files import read_text

if TYPE_CHECKING:
    from texelscope.pipeline.dialects.effects.passes import EffectPlan


class EffectImporter(Importer):
    """Plans effects of one kind; the picture is bundled, or the input's."""

    takes_precision = True
    takes_oracle = True
    speaks_a_dialect = True

    @abstractmethod
    def planned(self, text: str, path: Path, options: OpenOptions) -> EffectPlan:
        """Plans `text`, a version of the file `path`, without an oracle.

        Raises TexelscopeError, with the line, for errors in the file.
        """

    @abstractmethod
    def picture(self) -> str:
        """Returns what the effect calls its picture."""

    def effect_plan(self, path: Path, options: OpenOptions) -> EffectPlan:
        """Plans an effect without an oracle. Raises TexelscopeError, with the line, for errors in the file."""
        return self.planned(text_of(path), path, options)

    def plan(self, target: Any, options: OpenOptions) -> Plan:
        """Plans a file, at the shapes of the options, whose dialect has its parameters.

        Its oracle is the network in its own text, or the one of the options' `oracle`, a model or an effect.

        Raises TexelscopeError, with the line, for errors in the file.
        """
        from texelscope.pipeline.dialects.effects.judging import judged

        plan = self.effect_plan(Path(target), options)
        mark("planned")
        return judged(plan, options.oracle, self.suffixes, lambda path: self.effect_plan(path, options))

    def shapes_for(self, target: Any, inputs: Mapping[str, str]) -> Mapping[str, Shape]:
        """Returns the size of the picture: an effect accepts any size."""
        from texelscope.pipeline.inputs.sources import picture_size

        name = self.picture()
        size = picture_size(inputs.get(name, inputs.get("", "")))
        return {} if size is None else {name: (1, 3, *size)}

    def replan(self, target: Any, options: OpenOptions, plan: Plan, changed: Collection[Path]) -> Plan:
        """Plans as `plan`; an edited effect is compared with its former text, as long as it has the same passes."""
        from texelscope.pipeline.dialects.effects.judging import judged_as_before

        path = Path(target)
        if {each.resolve() for each in changed} & set(plan.files):
            return self.plan(target, options)
        former = getattr(plan, "former_text", "")
        edited = dataclasses.replace(self.effect_plan(path, options), files=plan.files, former_text=former)
        again = judged_as_before(edited, plan, options, lambda: self.planned(former, path, options))
        return self.plan(target, options) if again is None else again

    def watched(self, target: Any, plan: Plan) -> Collection[Path]:
        """Returns the effect, what it includes, and the model or effect of its oracle."""
        return (*super().watched(target, plan), *plan.files)


def text_of(path: Path) -> str:
    """Returns an effect's text. Raises TexelscopeError for a file that is none."""
    return read_text(path, path.name, what="an effect")
