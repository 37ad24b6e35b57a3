"""Makes the programs of a recording's passes: the page's texts, translated, with the overrides that the page set."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping

from texelscope.pipeline.dialects.recordings.files import Files, text_of
from texelscope.pipeline.dialects.webgpu.manifest import RecordedDispatch, WebgpuRecording
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.front_ends.request import TranslationRequest
from texelscope.pipeline.front_ends.wgsl import translated
from texelscope.pipeline.glsl.assemble import literal
from texelscope.pipeline.glsl.authored.refused import AuthorTextError
from texelscope.pipeline.glsl.authored.taking import taken
from texelscope.pipeline.glsl.lines import line_directive, line_map
from texelscope.pipeline.plan import ProgramSource, SourceFile, TranslatedText
from texelscope.pipeline.quotas import present
from texelscope.pipeline.wgsl.resources import Resource, interface_of

_Constants = tuple[tuple[str, str], ...]
Variables = Mapping[tuple[int, int], Resource]


class WgslPrograms:
    """Reads each text of a recording once, and translates it once for each way in which it is dispatched."""

    def __init__(self, files: Files, recording: WebgpuRecording) -> None:
        self._files = files
        self._recording = recording
        self._texts: dict[str, str] = {}
        self._variables: dict[tuple[int, _Constants], Variables | AuthorTextError] = {}
        self._made: dict[tuple[int, str, _Constants, frozenset[str]], ProgramSource | AuthorTextError] = {}

    def text(self, dispatch: RecordedDispatch) -> str:
        """Returns the page's text. Raises TexelscopeError for a missing or oversized file."""
        path = self.path(dispatch)
        if path not in self._texts:
            self._texts[path] = text_of(self._files, path, present().shader_bytes)
        return self._texts[path]

    def path(self, dispatch: RecordedDispatch) -> str:
        """Returns the path of the text in the recording."""
        return self._recording.programs[dispatch.program].text

    def variables(self, dispatch: RecordedDispatch) -> Variables | str:
        """Returns the variables of a dispatch's text by group and binding, or says why not, as `source` does."""
        asked = dispatch.program, _constants(dispatch)
        if asked not in self._variables:
            try:
                declared = interface_of(self.text(dispatch), dict(asked[1])).resources.values()
                self._variables[asked] = {(each.group, each.binding): each for each in declared}
            except AuthorTextError as error:
                self._variables[asked] = error
        found = self._variables[asked]
        return self._reason(dispatch, found) if isinstance(found, AuthorTextError) else found

    def source(self, dispatch: RecordedDispatch, bound: Collection[str]) -> ProgramSource | str:
        """Returns the program of a dispatch, whose buffers of those names are bound, or in words why there is none.

        Raises TexelscopeError for a text that was edited and cannot be translated.
        """
        asked = dispatch.program, dispatch.entry, _constants(dispatch), frozenset(bound)
        if asked not in self._made:
            try:
                self._made[asked] = self._translated(dispatch, dict(asked[2]), asked[3])
            except AuthorTextError as error:
                self._made[asked] = error
        found = self._made[asked]
        return self._reason(dispatch, found) if isinstance(found, AuthorTextError) else found

    def _reason(self, dispatch: RecordedDispatch, error: AuthorTextError) -> str:
        """Says why a text as it was recorded is not supported; raises that for one that was edited."""
        text, place = self.text(dispatch), f"'{self.path(dispatch)}' line {error.row + 1}"
        if hashlib.sha256(text.encode()).hexdigest() != self._recording.programs[dispatch.program].sha256:
            raise TexelscopeError(place, error.expected, error.got, error.do_next)
        return f"{place}: expected {error.expected}, got {error.got}"

    def _translated(
        self, dispatch: RecordedDispatch, constants: Mapping[str, str], bound: frozenset[str]
    ) -> ProgramSource:
        """Returns the program. Raises AuthorTextError with the row of the page's text."""
        path, text = self.path(dispatch), self.text(dispatch)
        files, given = (SourceFile(0, path, text),), f"{line_directive(0, 1)}\n{text}"
        try:
            given = translated(TranslationRequest(given, "compute", dispatch.entry, constants, bound))
            own = taken(given, "compute")
        except AuthorTextError as error:
            _, line = line_map(ProgramSource(given, files, stage="compute"))[error.row]
            raise AuthorTextError(line - 1, error.expected, error.got, error.do_next) from error
        origin = TranslatedText("WGSL", text, dispatch.entry, tuple(constants.items()))
        return ProgramSource(own.text, files, stage="compute", translated=origin)


def _constants(dispatch: RecordedDispatch) -> tuple[tuple[str, str], ...]:
    """Returns the values of overrides as they are spelled; a whole number may be that of any type."""
    return tuple((name, literal(value)) for name, value in sorted(dispatch.constants.items()))
