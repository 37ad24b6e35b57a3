"""mpv user shaders, each block a pass."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pipeline.device import Limits
from pipeline.dialects.mpv.build import build
from pipeline.dialects.mpv.parse import parse
from pipeline.errors import TexelscopeError
from pipeline.glsl.assemble import MAX_SHADER_BYTES
from pipeline.importers.registry import Importer
from pipeline.plan import Plan
from pipeline.target import OpenOptions


class MpvShaderImporter(Importer):
    """mpv user shaders (//!HOOK …), each block a pass; the picture is bundled, or the input's."""

    suffixes = (".glsl", ".hook")

    def plan(self, target: Any, options: OpenOptions) -> Plan:
        """The plan of a file, at the shapes of the options; layouts are those of mpv's textures.

        Raises TexelscopeError, with the line, for what is wrong with the file.
        """
        path = Path(target)
        shader = parse(_text(path), path.name)
        return build(shader, options.shapes, options.precision, options.limits or Limits())


def _text(path: Path) -> str:
    try:
        size_bytes = path.stat().st_size
        if size_bytes > MAX_SHADER_BYTES:
            raise TexelscopeError(path.name, f"at most {MAX_SHADER_BYTES} bytes", f"{size_bytes}", "Make it shorter.")
        return path.read_text(encoding="utf-8")
    except FileNotFoundError as error:
        raise TexelscopeError(str(path), "a shader file", "no such file", "Check the path.") from error
    except OSError as error:
        raise TexelscopeError(str(path), "a readable file", error.strerror or str(error), "Check the path.") from error
    except UnicodeDecodeError as error:
        raise TexelscopeError(path.name, "text in UTF-8", "other bytes", "Save it as UTF-8.") from error


IMPORTER = MpvShaderImporter()
