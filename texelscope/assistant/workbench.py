"""Does what an assistant asks for, on targets inside one folder. Texts are those of the command line."""

from __future__ import annotations

import io
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from texelscope.pipeline.atomic_files import write_whole
from texelscope.pipeline.commands.diff import ComparisonExtras, diff, text
from texelscope.pipeline.commands.step import asked_for, render, stepped
from texelscope.pipeline.compare.comparer import Comparer
from texelscope.pipeline.diagnose.naming import DiagnosisRequest
from texelscope.pipeline.errors import TexelscopeError, nearest
from texelscope.pipeline.export.snapshots import picture, span
from texelscope.pipeline.opening import open_and_run
from texelscope.pipeline.plan import Plan, StoredTensor
from texelscope.pipeline.read_trace.expected import ReadTrace
from texelscope.pipeline.target import OpenOptions, Target
from texelscope.pipeline.untrusted_files import is_inside, read_bytes
from texelscope.target_files import target_files

# What a picture shows of a pass: what the GPU made, what it should have made, or the difference of both.
SHOWN = ("actual", "expected", "difference")
# What may be edited: text that is data, and no code of Python.
_EDITED = (".comp", ".compute", ".frag", ".fx", ".fxh", ".glsl", ".hlsl", ".slang", ".toml", ".vert", ".wgsl")
_MOST_LISTED = 200
# A small texture is enlarged to about so many pixels, so that its texels can be told apart.
_PICTURE_PIXELS = 512
_MOST_READS = 200
_MOST_LETTERS = 20_000


@dataclass(frozen=True)
class TexturePicture:
    """Holds a picture as PNG, and a sentence that says what its colours mean."""

    png: bytes
    says: str


@dataclass(frozen=True)
class Workbench:
    """Opens targets of a folder anew for each call, so that a saved file counts at once.

    `trusts` runs a pipeline's own Python for its oracle, `may_edit` lets shaders be changed. All calls have to come
    from one thread: they use GL. Every method raises TexelscopeError for what cannot be done.
    """

    folder: Path
    trusts: bool = False
    may_edit: bool = False

    def targets(self) -> str:
        """Lists the files that may be opened: pipeline files, models and shaders, a path each line."""
        found = [path.relative_to(self.folder).as_posix() for path in target_files(self.folder)]
        more = f"\nand more; these are the first {_MOST_LISTED}" if len(found) > _MOST_LISTED else ""
        return "\n".join(found[:_MOST_LISTED]) + more if found else "No pipeline file, model or shader is here."

    def diff(self, target: str, seconds: float = 10.0) -> str:
        """Runs a target, compares every pass with its oracle, and names what is wrong, as `diff` prints it."""
        asked = DiagnosisRequest(seconds=seconds)
        return _short(text(diff(self._target(target), extras=ComparisonExtras(asked)).report))

    def repair(self, target: str, seconds: float = 60.0) -> str:
        """Searches for repairs and returns a unified diff that was run, below a sentence on it; writes nothing."""
        asked = DiagnosisRequest(seconds=seconds, repairs=True)
        patch = diff(self._target(target), extras=ComparisonExtras(asked)).patch
        assert patch is not None
        if not patch.text:
            return patch.says
        folder = self._inside(target).parent.relative_to(self.folder).as_posix()
        return f"{patch.says} Its paths are relative to '{folder}'.\n\n{patch.text}"

    def step(self, target: str, pass_name: str, texel: str, lane: int = 0, window: str = "") -> str:
        """Records the execution of one texel, `X,Y`: each line, what it assigned and read; `window` is steps `A:B`."""
        asked = asked_for(pass_name, texel, str(lane), window or None, ())
        return _short(render(*stepped(self._target(target), asked), 160, pass_name))

    def reads(self, target: str, pass_name: str, element: list[int]) -> str:
        """Says what one element of a pass's output read, what of that it should not have read, and what is missing."""
        with open_and_run(self._target(target)) as session:
            place = tuple(element)
            found = session.taps(pass_name, place)
            return _short(reads_text(found, session.plan))

    def texture(self, target: str, pass_name: str, shown: str = "actual") -> TexturePicture:
        """Returns the flattened texture of a pass as a picture."""
        if shown not in SHOWN:
            raise TexelscopeError("the picture", ", ".join(SHOWN), f"'{shown}'", nearest(shown, SHOWN))
        with open_and_run(self._target(target)) as session:
            output = session.plan.pass_called(pass_name).output
            stored, actual = session.plan.textures[output], session.tensor(output)
            texels = session.texels(output)
            if shown != "actual":
                comparer = Comparer(session.plan)
                comparer.compare(session.capture())
                expected = comparer.isolated_values().get(output)
                if expected is None:
                    raise TexelscopeError(f"pass '{pass_name}'", "an oracle", "none", "Ask for the actual texture.")
                values = np.asarray(expected.value, np.float32).reshape(actual.shape)
                texels = stored.layout.encode(actual - values if shown == "difference" else values)
        return _picture(texels, stored, shown)

    def edit(self, file: str, before: str, after: str) -> str:
        """Replaces the one place of a shader or a pipeline file that reads `before`, and saves it."""
        if not self.may_edit:
            raise TexelscopeError("edit", "a server that may edit", "one that may not", "Start it with --allow-edit.")
        path = self._inside(file)
        if path.suffix.lower() not in _EDITED or not path.is_file():
            got = "another kind of file" if path.is_file() else "no such file"
            raise TexelscopeError(file, "a shader or a pipeline file", got, "Name one that targets or diff names.")
        old = read_bytes(path, inside=self.folder).decode("utf-8", "surrogateescape")  # with its own line ends
        if "\r\n" in old:
            before, after = (text.replace("\r\n", "\n").replace("\n", "\r\n") for text in (before, after))
        count = old.count(before) if before else 0
        if count != 1:
            raise TexelscopeError(file, "the text to replace once", f"it {count} times", "Give more of its lines.")
        changed = old.replace(before, after).encode("utf-8", "surrogateescape")
        write_whole(path, lambda unfinished: unfinished.write_bytes(changed))
        return f"Saved {file}. diff compares it."

    def _target(self, path: str) -> Target:
        return Target(str(self._inside(path)), OpenOptions(trust=self.trusts))

    def _inside(self, path: str) -> Path:
        found = self.folder / path
        if not is_inside(found, self.folder):
            raise TexelscopeError(path, f"a file inside {self.folder}", "one outside", "Name one that targets lists.")
        return found


def reads_text(found: ReadTrace, plan: Plan) -> str:
    """Returns a line for each read of an element, and those that are missing."""
    lines = [
        f"{len(found.reads)} reads; {'unknown which are right' if found.expected is None else 'wrong ones say so'}"
    ]
    for read in found.reads[:_MOST_READS]:
        stored = plan.textures[read.key]
        places = ", ".join(_place(element, stored) for element in read.elements) or "padding"
        wrong = "  WRONG" if found.is_wrong(read) else ""
        values = ", ".join(f"{value:.7g}" for value in read.value[: stored.layout.lanes])
        lines.append(f"{stored.tensor} texel ({read.tx}, {read.ty}) = {places}: {values}{wrong}")
    if len(found.reads) > _MOST_READS:
        lines.append(f"and {len(found.reads) - _MOST_READS} more")
    for key, elements in found.missing().items():
        stored, some = plan.textures[key], sorted(elements)[:_MOST_READS]
        lines.append(f"not read of {stored.tensor}: {', '.join(_place(element, stored) for element in some)}")
    return "\n".join(lines)


def _place(element: int, stored: StoredTensor) -> str:
    return (
        f"[{', '.join(str(int(each)) for each in np.unravel_index(element, stored.shape))}]" if stored.shape else "[]"
    )


def _picture(texels: NDArray[np.float32], stored: StoredTensor, shown: str) -> TexturePicture:
    limits = span(texels)
    pixels, low, high = picture(texels, limits)
    image = Image.fromarray(pixels, "RGB")
    scale = max(1, _PICTURE_PIXELS // max(image.size))
    image = image.resize((image.width * scale, image.height * scale), Image.Resampling.NEAREST)
    held = io.BytesIO()
    image.save(held, "PNG")
    height, width, _ = texels.shape
    says = f"{shown} of '{stored.tensor}' {list(stored.shape)} in {stored.layout.name}: {width}x{height} texels, "
    return TexturePicture(held.getvalue(), f"{says}{scale} pixels each, colours from {low:.5g} to {high:.5g}")


def _short(said: str) -> str:
    """Cuts what would fill an assistant's memory."""
    return said if len(said) <= _MOST_LETTERS else f"{said[:_MOST_LETTERS]}\n… cut: ask for less, such as a window."
