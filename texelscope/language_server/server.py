"""Answers an editor: the Language Server Protocol, version 3.17, by pygls."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import Any

from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams, JsonRpcRequestCancelled
from pygls.lsp.server import LanguageServer

from texelscope.language_server.desk import Desk
from texelscope.language_server.marks import EditorMark, fixes_of
from texelscope.language_server.names import definitions, name_at, renamed
from texelscope.language_server.one_thread import OneThread
from texelscope.language_server.positions import TextPositions, path_of, uri_of
from texelscope.language_server.target_index import TargetIndex
from texelscope.language_server.texts import EditorTexts
from texelscope.layouts.outside_text import one_line
from texelscope.pipeline.crash_report.fault_log import told
from texelscope.pipeline.errors import CancelledError, TexelscopeError
from texelscope.pipeline.target import OpenOptions

SOURCE = "texelscope"
# What is typed is compiled when nothing more was typed for so long.
_TYPING_SECONDS = 0.3
# A hover waits so long for values; then it shows what is known without them.
_HOVER_SECONDS = 1.0
_SEVERITIES = {
    "error": types.DiagnosticSeverity.Error,
    "warning": types.DiagnosticSeverity.Warning,
    "information": types.DiagnosticSeverity.Information,
}


class ShaderServer(LanguageServer):
    """One conversation with an editor. Protocol messages are handled in its thread, targets in one of their own."""

    def __init__(self, version: str, options: OpenOptions, seconds: float) -> None:
        super().__init__(SOURCE, version, types.TextDocumentSyncKind.Incremental)
        self._options, self._seconds = options, seconds
        self.work = OneThread()
        self.desk = self._new_desk([], seconds)
        self._marks: dict[Path, Sequence[EditorMark]] = {}
        self._shown: set[str] = set()
        self._waiting: dict[Path, asyncio.TimerHandle] = {}
        self._loop: asyncio.AbstractEventLoop | None = None

    def begin(self, folders: Sequence[Path], seconds: float | None) -> None:
        """Learns the editor's folders, and how long a diagnosis may take."""
        self._loop = asyncio.get_running_loop()
        self.desk = self._new_desk(folders, self._seconds if seconds is None else seconds)

    def end(self) -> None:
        """Frees everything; waits for the end of what is under way."""
        for each in self._waiting.values():
            each.cancel()
        self.work.close(self.desk.release)

    def _new_desk(self, folders: Sequence[Path], seconds: float) -> Desk:
        def publish(target: Path, marks: Sequence[EditorMark]) -> None:
            assert self._loop is not None
            self._loop.call_soon_threadsafe(self._show, target, marks)

        return Desk(TargetIndex(folders), self._options, seconds, publish)

    # -- texts ---------------------------------------------------------------------------------------------

    def texts(self) -> EditorTexts:
        """Returns what the editor shows now."""
        documents = ((path_of(uri), each.source) for uri, each in self.workspace.text_documents.items())
        return EditorTexts({path: text for path, text in documents if path is not None})

    def positions(self, text: str) -> TextPositions:
        """Returns the positions of a text as the editor counts them."""
        return TextPositions(text, self.workspace.position_codec)

    def uri(self, path: Path) -> str:
        """Returns the URI by which the editor knows a file."""
        return next((each for each in self.workspace.text_documents if path_of(each) == path), uri_of(path))

    def place(self, document: types.TextDocumentIdentifier, position: types.Position) -> tuple[Path, str, int] | None:
        """Returns path, text and letter of a position; None for what is no file."""
        path = path_of(document.uri)
        text = self.texts().text(path) if path is not None else None
        if path is None or text is None:
            return None
        return path, text, self.positions(text).letter(position)

    # -- work ----------------------------------------------------------------------------------------------

    def typed(self, uri: str) -> None:
        """Has a file compiled once the typing pauses."""
        path = path_of(uri)
        if path is None or self._loop is None:
            return
        if path in self._waiting:
            self._waiting.pop(path).cancel()
        self._waiting[path] = self._loop.call_later(_TYPING_SECONDS, self._compile, path)

    def _compile(self, path: Path) -> None:
        self._waiting.pop(path, None)
        texts, desk = self.texts(), self.desk
        self._watch(self.work.run_instead(lambda _: desk.typed(texts, path)))

    def compare(self, uri: str) -> None:
        """Has the targets of a file compared, and their bugs named."""
        path = path_of(uri)
        if path is None or self._loop is None:
            return
        if path in self._waiting:
            self._waiting.pop(path).cancel()
        texts, desk = self.texts(), self.desk
        self._watch(self.work.run_instead(lambda cancel: desk.saved(texts, path, cancel)))

    def written(self, uris: Sequence[str]) -> None:
        """Has the targets of open files compared again after other programs wrote files of theirs."""
        self.desk.index.forget()
        texts = self.texts()
        paths = {path for uri in uris if (path := path_of(uri)) is not None}
        if paths <= texts.opened.keys():
            return  # its own save, which the editor tells by itself
        for path in texts.opened:
            self.compare(self.uri(path))

    def closed(self) -> None:
        """Frees the targets of which no file is open any more."""
        texts, desk = self.texts(), self.desk
        self._watch(self.work.run(lambda: desk.closed(texts)))

    def _watch(self, work: Future[Any]) -> None:
        """Tells the editor's log what goes wrong in work that nobody waits for."""

        def done(found: Future[Any]) -> None:
            error = None if found.cancelled() else found.exception()
            if isinstance(error, Exception) and self._loop is not None:
                said = told("the language server", error)
                self._loop.call_soon_threadsafe(self._log, said)

        work.add_done_callback(done)

    def _log(self, said: str) -> None:
        self.window_log_message(types.LogMessageParams(types.MessageType.Error, one_line(said)))

    # -- diagnostics ---------------------------------------------------------------------------------------

    def _show(self, target: Path, marks: Sequence[EditorMark]) -> None:
        self._marks[target] = marks
        texts = self.texts()
        found: dict[str, dict[tuple[int, str, str], types.Diagnostic]] = {}
        for each in (one for held in self._marks.values() for one in held):
            text = texts.text(each.path)
            if text is not None:
                key = (each.line, each.code, each.text)
                found.setdefault(self.uri(each.path), {})[key] = self._diagnostic(each, text, texts)
        for uri in self._shown - found.keys():
            self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, []))
        for uri, diagnostics in found.items():
            self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, [*diagnostics.values()]))
        self._shown = set(found)

    def _diagnostic(self, mark: EditorMark, text: str, texts: EditorTexts) -> types.Diagnostic:
        related = None
        used = texts.text(mark.used[0]) if mark.used is not None else None
        if mark.used is not None and used is not None:
            place = types.Location(self.uri(mark.used[0]), self.positions(used).whole_line(mark.used[1]))
            related = [types.DiagnosticRelatedInformation(place, "The wrong value is used here.")]
        return types.Diagnostic(
            range=self.positions(text).whole_line(mark.line),
            message=mark.text,
            severity=_SEVERITIES[mark.severity],
            code=mark.code or None,
            source=SOURCE,
            related_information=related,
        )

    def actions(self, uri: str, asked: types.Range) -> list[types.CodeAction]:
        """Returns the repairs of what is marked on some lines."""
        path, texts = path_of(uri), self.texts()
        lines = range(asked.start.line + 1, asked.end.line + 2)
        found: dict[str, types.CodeAction] = {}
        for target, marks in self._marks.items():
            for mark in marks:
                text = texts.text(mark.path)
                if mark.path != path or mark.line not in lines or text is None:
                    continue
                for fix in fixes_of(mark, target.parent, texts.text):
                    changes: dict[str, list[types.TextEdit]] = {}
                    for file, change in fix.changes:
                        own = self.positions(texts.text(file) or "").replaced(change)
                        changes.setdefault(self.uri(file), []).append(types.TextEdit(own, change.text))
                    action = types.CodeAction(
                        title=fix.title,
                        kind=types.CodeActionKind.QuickFix,
                        diagnostics=[self._diagnostic(mark, text, texts)],
                        is_preferred=not found,
                        edit=types.WorkspaceEdit(changes=changes),
                    )
                    found.setdefault(fix.title, action)
        return list(found.values())

    # -- questions -----------------------------------------------------------------------------------------

    async def hover(self, params: types.HoverParams) -> types.Hover | None:
        """Returns what is known of the name at a position: with values, if they come soon."""
        placed = self.place(params.text_document, params.position)
        if placed is None:
            return None
        path, text, letter = placed
        desk, texts = self.desk, self.texts()
        token = name_at(desk.index, texts, path, letter)
        if token is None:
            return None
        line = self.positions(text).line(token.start)
        work = self.work.run(lambda: desk.hover(texts, path, line, token.text))
        try:
            said = await asyncio.wait_for(asyncio.wrap_future(work), _HOVER_SECONDS)
        except TimeoutError:
            said = desk.hover_at_once(texts, path, line, token.text)
        if not said:
            return None
        own = self.positions(text).between(token.start, token.stop)
        return types.Hover(types.MarkupContent(types.MarkupKind.Markdown, said), own)

    def definition(self, params: types.DefinitionParams) -> list[types.Location]:
        """Returns where the name at a position is declared, or the file that its line includes or names."""
        placed = self.place(params.text_document, params.position)
        if placed is None:
            return []
        texts = self.texts()
        return [
            types.Location(
                self.uri(each.path), self.positions(texts.text(each.path) or "").between(each.start, each.stop)
            )
            for each in definitions(self.desk.index, texts, placed[0], placed[2])
        ]

    async def rename(self, params: types.RenameParams) -> types.WorkspaceEdit | None:
        """Returns the changes of a renaming, which was run. Raises JsonRpcInvalidParams with the reason for none."""
        placed = self.place(params.text_document, params.position)
        if placed is None:
            return None
        path, _, letter = placed
        desk, texts = self.desk, self.texts()
        try:
            found = renamed(desk.index, texts, path, letter, params.new_name)
            later = {file: found.text(file, texts) for file in found.places}
            work = self.work.run(lambda: desk.changes_nothing(texts, later, found.targets))
            refused = await asyncio.wrap_future(work)
        except TexelscopeError as error:
            raise JsonRpcInvalidParams(message=str(error)) from error
        if refused:
            raise JsonRpcInvalidParams(message=one_line(f"rename: {refused}."))
        changes = {}
        for file, places in found.places.items():
            positions = self.positions(texts.text(file) or "")
            changes[self.uri(file)] = [types.TextEdit(positions.between(*each), params.new_name) for each in places]
        return types.WorkspaceEdit(changes=changes)

    async def asked_by_extension(self, name: str, given: Sequence[Any]) -> Any:
        """Does what an extension asks for beside the protocol. Raises JsonRpcInvalidParams where it cannot."""
        asked = given[0] if given else None
        desk, texts = self.desk, self.texts()
        try:
            if name == "passes" and isinstance(asked, str) and (path := path_of(asked)) is not None:
                listed = await asyncio.wrap_future(self.work.run(lambda: desk.passes(texts, path)))
                return [
                    {"target": str(each.target), "pass": each.name, "verdict": each.verdict,
                     "shader": str(each.shader) if each.shader is not None else None}
                    for each in listed
                ]  # fmt: skip
            if isinstance(asked, dict) and isinstance(asked.get("target"), str):
                target = Path(asked["target"]).resolve()
                if name == "report":
                    name = asked["pass"] if isinstance(asked.get("pass"), str) else ""
                    page = await asyncio.wrap_future(self.work.run(lambda: desk.page(texts, target, name)))
                    return {"html": page, "target": str(target)}
                if name == "pick" and isinstance(asked.get("pass"), str) and _is_texel(asked.get("texel")):
                    tx, ty = asked["texel"]
                    pick = self.work.run(lambda: desk.pick(target, asked["pass"], (tx, ty)))
                    await asyncio.wrap_future(pick)
                    return None
            got = one_line(str(asked))
            raise TexelscopeError(name, "arguments as docs/language-server.md has them", got, "Correct them.")
        except TexelscopeError as error:
            raise JsonRpcInvalidParams(message=str(error)) from error
        except CancelledError:
            raise JsonRpcRequestCancelled from None


def _is_texel(given: object) -> bool:
    return isinstance(given, list) and len(given) == 2 and all(type(each) is int for each in given)
