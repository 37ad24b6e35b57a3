"""Checks and compiles programs, caches them by source text, and maps the driver's messages to the author's lines.

moderngl does not delete a program and a shader if a compilation fails: a person who edits shaders all day would fill
the driver with them. A check leaves nothing behind. If only linking fails moderngl deletes both, so that the link,
which is by far the longest part, is not tried by a check but once elsewhere.
"""

from __future__ import annotations

import contextlib
import hashlib
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeVar

import moderngl

from texelscope.pipeline.errors import ShaderError, UnsupportedError
from texelscope.pipeline.gl.context import headless_context, shader_versions, version_told
from texelscope.pipeline.gl.shader_objects import forget_failed, refusal_of
from texelscope.pipeline.gl.state import is_llvmpipe
from texelscope.pipeline.gl.textures import label
from texelscope.pipeline.glsl.assemble import without_title
from texelscope.pipeline.glsl.desktop import NoDesktopMeaningError
from texelscope.pipeline.glsl.handing_over import for_driver
from texelscope.pipeline.glsl.lines import line_map, line_told
from texelscope.pipeline.glsl.macro_growth import endless_macro
from texelscope.pipeline.glsl.old_words import Stage
from texelscope.pipeline.glsl.other_stages import default_vertex_shader
from texelscope.pipeline.glsl.source_text import without_comments
from texelscope.pipeline.plan import ProgramSource
from texelscope.pipeline.quotas import present

# Mesa: "1:12(5): error: …"; NVIDIA: "1(12) : error C1008: …"; Apple, ANGLE: "ERROR: 1:12: …".
_MESSAGE = re.compile(
    r"^\s*(?:(?P<kind0>ERROR|WARNING):\s*)?(?P<file>\d+)(?::(?P<line>\d+)(?:\(\d+\))?|\((?P<line2>\d+)\))\s*:\s*(?P<text>.*)$"
)


Made = TypeVar("Made")


def refusal(context: moderngl.Context, vertex: str, fragment: str) -> str | None:
    """Returns the driver's log for a shader that does not compile; None if both do."""
    try:
        return refusal_of(driver_texts(context, {"vertex": vertex, "fragment": fragment}))
    except NoDesktopMeaningError as error:
        return error.got


@dataclass(frozen=True)
class Diagnostic:
    """Holds one message of the driver: file, 1-based line, text."""

    file: str
    line: int
    text: str


def diagnostics(log: str, program: ProgramSource) -> tuple[Diagnostic, ...]:
    """Parses the errors in a driver's compile log, with places in the author's files or in generated text."""
    found = []
    for line in log.splitlines():
        match = _MESSAGE.match(line)
        if match is None or match["text"].lower().startswith("warning") or match["kind0"] == "WARNING":
            continue
        text = re.sub(r"^(preprocessor )?(error|fatal error)\b\s*(C\d+)?\s*:?\s*(#error\s+)?", "", match["text"])
        number, source_string = int(match["line"] or match["line2"]), int(match["file"])
        file, number = line_told(program, number, source_string) if number else _definition(program, text)
        found.append(Diagnostic(file, number, text))
    return tuple(found)


def _definition(program: ProgramSource, message: str) -> tuple[str, int]:
    """Finds a function that a driver names without a place: ``function `f()' has static recursion``."""
    named = re.search(r"(\w+)\(", message)
    lines = without_comments(program.fragment).split("\n")
    found = (i for i, line in enumerate(lines) if named is not None and re.search(rf"\b{named[1]}\s*\(", line))
    return line_map(program)[next(found, 0)]


# This replaces the vertex shader where a text is a compute shader.
_COMPUTE = "compute"
_WITH_COMPUTE = 430
# The driver refused these texts and is not asked again.
_REMEMBERED = 32


class ProgramCache:
    """Holds programs by source text: the same text is compiled once, and kept while in use."""

    def __init__(self, context: moderngl.Context) -> None:
        self._context = context
        self._programs: dict[tuple[str, str], moderngl.Program] = {}
        self._uses: dict[tuple[str, str], int] = {}
        self._refused: dict[bytes, ShaderError] = {}
        self._computes: dict[str, moderngl.ComputeShader] = {}

    def acquire(self, source: ProgramSource, name: str, *, ask_first: bool = False) -> moderngl.Program:
        """Returns the program of `source`; release it with `release`. Raises ShaderError with file, line, message.

        With `ask_first` a refused text leaves no GL objects behind; it is meant for edited text.
        """
        if source.refused is not None:
            raise ShaderError(source.refused.file, 1, source.refused.reason)
        key = _key(source)
        if key not in self._programs:
            self._programs[key] = self._remembering(source, lambda: self._accepted(source, name, ask_first))
        self._uses[key] = self._uses.get(key, 0) + 1
        return self._programs[key]

    def release(self, source: ProgramSource) -> bool:
        """Gives back one use; the last one frees the program and returns True."""
        key = _key(source)
        self._uses[key] -= 1
        if self._uses[key] > 0:
            return False
        del self._uses[key]
        self._programs.pop(key).release()
        return True

    def acquire_compute(self, source: ProgramSource, name: str, *, ask_first: bool = False) -> moderngl.ComputeShader:
        """Returns the program's text as a compute shader; release it with `release_compute`. Raises ShaderError.

        `ask_first` as for `acquire`.
        """
        text = source.fragment
        if source.refused is not None:
            raise ShaderError(source.refused.file, 1, source.refused.reason)
        if text not in self._computes:
            self._computes[text] = self._remembering(source, lambda: self._dispatchable(source, name, ask_first))
        self._uses[_COMPUTE, text] = self._uses.get((_COMPUTE, text), 0) + 1
        return self._computes[text]

    def release_compute(self, source: ProgramSource) -> bool:
        """Gives back one use; the last one frees the compute shader and returns True."""
        self._uses[_COMPUTE, source.fragment] -= 1
        if self._uses[_COMPUTE, source.fragment] > 0:
            return False
        self._computes.pop(source.fragment).release()
        return True

    def _dispatchable(self, source: ProgramSource, name: str, ask_first: bool) -> moderngl.ComputeShader:  # noqa: FBT001
        first = source.files[0].path if source.files else name
        if self._context.version_code < _WITH_COMPUTE:
            message = f"a compute shader, which needs OpenGL 4.3; this driver has {version_told(self._context)}"
            raise ShaderError(first, 1, message, "Run it on a driver with OpenGL 4.3, or write it as a fragment pass.")
        texts = self._handed_over(source, {"compute": source.fragment}, first)
        log = refusal_of(texts) if ask_first else None
        if log is not None:
            raise _error(log, source, first)
        try:
            shader = _compute_shader(self._context, texts["compute"])
        except moderngl.Error as error:
            raise _error(str(error), source, first) from error
        label(self._context, shader, name)
        return shader

    def _remembering(self, source: ProgramSource, make: Callable[[], Made]) -> Made:
        """Returns the result of `make` for the text, unless the driver refused it before."""
        digest = _digest(source)
        known = self._refused.get(digest)
        if known is not None:  # a pass that cannot run is retried with every run
            raise ShaderError(known.file, known.line, known.message, known.do_next)
        try:
            return make()
        except ShaderError as error:
            while len(self._refused) >= _REMEMBERED:
                del self._refused[next(iter(self._refused))]
            # Without the traceback, which would keep the compilation's objects alive.
            self._refused[digest] = ShaderError(error.file, error.line, error.message, error.do_next)
            raise

    def _accepted(self, source: ProgramSource, name: str, ask_first: bool) -> moderngl.Program:  # noqa: FBT001
        first = source.files[0].path if source.files else name
        texts = self._handed_over(source, {"vertex": _key(source)[0], "fragment": source.fragment}, first)
        log = refusal_of(texts) if ask_first else None
        if log is not None:
            raise _error(log, source, first)
        try:
            program = _linked(self._context, texts)
        except moderngl.Error as error:
            raise _error(str(error), source, first) from error
        label(self._context, program, name)
        return program

    def _handed_over(self, source: ProgramSource, texts: Mapping[Stage, str], first: str) -> dict[Stage, str]:
        """Returns the texts for the driver. Raises ShaderError, with its line, for what it would never take."""
        _check_length(source, first)
        _check_macros(source)
        try:
            return driver_texts(self._context, texts)
        except NoDesktopMeaningError as error:
            of_vertex = error.stage == "vertex" and source.vertex is not None
            file, line = line_map(source, of_vertex=of_vertex)[error.line]
            raise ShaderError(file, line, error.got, error.do_next) from error


def compiled_variant(context: moderngl.Context, vertex: str, fragment: str, who: str) -> moderngl.Program:
    """Compiles a variant of a pass's text for another purpose; the caller releases it.

    Raises UnsupportedError, with the driver's first line, if the driver refuses it.
    """
    try:
        return compiled(context, vertex, fragment)
    except moderngl.Error as error:
        raise _refused_variant(error, who) from error


def compiled(context: moderngl.Context, vertex: str, fragment: str) -> moderngl.Program:
    """Compiles a program that the caller releases. Raises moderngl.Error, leaving no objects, on refusal."""
    try:
        return _linked(context, driver_texts(context, {"vertex": vertex, "fragment": fragment}))
    except NoDesktopMeaningError as error:
        raise moderngl.Error(error.got) from error


def _linked(context: moderngl.Context, texts: Mapping[Stage, str]) -> moderngl.Program:
    try:
        return context.program(vertex_shader=texts["vertex"], fragment_shader=texts["fragment"])
    except moderngl.Error:
        forget_failed(*texts.values())
        raise


def compiled_dispatch(context: moderngl.Context, text: str, who: str) -> moderngl.ComputeShader:
    """Compiles a compute shader, as `compiled_variant`."""
    try:
        return _compute_shader(context, driver_texts(context, {"compute": text})["compute"])
    except NoDesktopMeaningError as error:
        raise UnsupportedError(who, error.expected, error.got, error.do_next) from error
    except moderngl.Error as error:
        raise _refused_variant(error, who) from error


def _compute_shader(context: moderngl.Context, text: str) -> moderngl.ComputeShader:
    """Compiles, on llvmpipe with bounded shared-memory indices: it checks none, and a write may crash this process."""
    from texelscope.pipeline.gl.dispatching.held import held_inside, shares_memory

    held = held_inside(text) if is_llvmpipe(context) and shares_memory(text) else None
    if held is not None:
        with contextlib.suppress(moderngl.Error):
            return context.compute_shader(held)
        forget_failed(held)
    try:
        return context.compute_shader(text)
    except moderngl.Error:
        forget_failed(text)
        raise


def _refused_variant(error: moderngl.Error, who: str) -> UnsupportedError:
    told = (line.strip() for line in str(error).splitlines())
    lines = [line for line in told if ":" in line and "warning" not in line.lower()]
    detail = lines[0] if lines else str(error).strip()
    return UnsupportedError(who, "a variant that the driver compiles", detail, "The pass itself runs as it is.")


def compile_once(vertex: str, fragment: str) -> None:
    """Lets the driver fully compile a program, by drawing or dispatching it once, in a separate context.

    Without a vertex shader the text is a compute shader. Refusals are ignored. Meant for a separate
    process: see `pipeline.shader_trials`.
    """
    context = headless_context()
    with contextlib.suppress(moderngl.Error, UnsupportedError):
        if vertex:
            _drawn_once(context, vertex, fragment)
        else:
            compiled_dispatch(context, fragment, "a shader").run()
            context.finish()


def _drawn_once(context: moderngl.Context, vertex: str, fragment: str) -> None:
    """Compiles a program and draws one texel with it; nothing is left. Raises moderngl.Error as `compiled`."""
    program = compiled(context, vertex, fragment)
    target = context.simple_framebuffer((1, 1), dtype="f4")
    array = context.vertex_array(program, [])
    target.use()
    array.render(moderngl.TRIANGLES, vertices=3)
    context.finish()
    for each in (array, program, target):
        each.release()


def _check_macros(source: ProgramSource) -> None:
    """Raises ShaderError for macros whose expansion would exhaust memory."""
    for text, of_vertex in ((source.fragment, False), (source.vertex or "", True)):
        found = endless_macro(text)
        if found is not None:
            name, line = found
            file, number = line_map(source, of_vertex=of_vertex)[line]
            what = f"macro '{name}', which becomes more than {present().expanded_words} words"
            raise ShaderError(file, number, what, "Shorten it.")


def driver_texts(context: moderngl.Context, texts: Mapping[Stage, str]) -> dict[Stage, str]:
    """Prepares the stages of a program for the driver and for moderngl.

    moderngl looks for the file of an `#include`, in comments too, where GLSL has none. Every caller with an author's
    text uses this first. Raises NoDesktopMeaningError for GLSL ES that means nothing to the driver.
    """
    plain: dict[Stage, str] = {stage: text.replace("#include", "# include") for stage, text in texts.items()}
    return for_driver(plain, shader_versions(context))


def _check_length(source: ProgramSource, first: str) -> None:
    length = len(source.fragment.encode())
    most = present().shader_bytes
    if length > most:
        raise ShaderError(first, 1, f"{length} bytes of source, more than {most}", "Make it shorter.")


def _error(log: str, source: ProgramSource, first: str) -> ShaderError:
    """Returns the driver's first complaint; all of them, at the first line, if none has a place."""
    found = diagnostics(log, source)
    if found:
        return ShaderError(found[0].file, found[0].line, found[0].text)
    return ShaderError(first, 1, " ".join(line.strip(" =") for line in log.splitlines() if line.strip(" =")))


def _key(source: ProgramSource) -> tuple[str, str]:
    """Returns a key that equal programs share: generated text with the same effect differs in its title."""
    if source.stage == "compute":
        return (_COMPUTE, source.fragment)
    fragment = without_title(source.fragment)
    return (source.vertex or default_vertex_shader(fragment), fragment)


def _digest(source: ProgramSource) -> bytes:
    """Returns a digest that replaces the text of a program, which may be long."""
    return hashlib.sha256("\0".join(_key(source)).encode(errors="surrogatepass")).digest()
