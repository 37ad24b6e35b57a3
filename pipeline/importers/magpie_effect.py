"""Imports Magpie effects, with one pass per `//!PASS`."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import TYPE_CHECKING, Any

from texelscope.pipeline.device import Limits
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.importers.effect_file import EffectImporter, text_of
from texelscope.pipeline.start_marks import mark
from texelscope.pipeline.target import OpenOptions
from texelscope.pipeline.untrusted_files import is_file

if TYPE_CHECKING:
    from texelscope.pipeline.dialects.effects.passes import EffectPlan


class MagpieEffectImporter(EffectImporter):
    """Plans Magpie effects (//!MAGPIE EFFECT), one pass per //!PASS; the picture is bundled, or the input's."""

    suffixes = (".hlsl",)

    def takes(self, target: Any) -> bool:
        """Reports whether the target is an effect: other HLSL has not its first line."""
        if not super().takes(target) or not is_file(target):
            return False
        from texelscope.pipeline.dialects.magpie.sections import is_effect

        try:
            return is_effect(text_of(Path(target)))
        except TexelscopeError:  # the importer that takes it reports this
            return False

    def picture(self) -> str:
        """Returns Magpie's name of the picture."""
        from texelscope.pipeline.dialects.magpie.effect import INPUT

        return INPUT

    def planned(self, text: str, path: Path, options: OpenOptions) -> EffectPlan:
        """Plans `text`, a version of the file `path`. Raises TexelscopeError as `EffectImporter.planned`."""
        from texelscope.pipeline.dialects.magpie.build import build
        from texelscope.pipeline.dialects.magpie.parse import parse
        from texelscope.pipeline.dialects.mpv.settings import with_values

        effect = parse(text, path.name)
        parameters = with_values(effect.parameters, options.dialect, f"a //!PARAMETER of {path.name}")
        effect = dataclasses.replace(effect, parameters=parameters)
        mark("read")
        return build(effect, path.parent, options.shapes, options.precision, options.limits or Limits())


IMPORTER = MagpieEffectImporter()
