"""A client of the Language Server Protocol: pygls's own, over the standard streams of a real server."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from lsprotocol import types
from pygls.lsp.client import LanguageClient

from tests.checkout import ROOT

# Of a busy machine.
PATIENCE_SECONDS = 120.0
Diagnostics = Sequence[types.Diagnostic]


class _Client(LanguageClient):
    """Knows when its server ended, and with which exit code."""

    def __init__(self) -> None:
        super().__init__("editor", "1")
        self.ended = asyncio.Event()
        self.code: int | None = None

    async def server_exit(self, server: asyncio.subprocess.Process) -> None:
        self.code = server.returncode
        self.ended.set()


class EditorClient:
    """An editor with some open documents: what it was told, by file."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.marks: dict[str, Diagnostics] = {}
        self.logged: list[str] = []
        self.texts: dict[str, str] = {}
        self._version = 1
        self.client = _Client()

        @self.client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        def marked(told: types.PublishDiagnosticsParams) -> None:
            self.marks[told.uri.rsplit("/", 1)[-1]] = told.diagnostics

        @self.client.feature(types.WINDOW_LOG_MESSAGE)
        def logged(told: types.LogMessageParams) -> None:
            self.logged.append(told.message)

        @self.client.feature(types.WINDOW_SHOW_MESSAGE)
        def shown(told: types.ShowMessageParams) -> None:
            self.logged.append(told.message)

    async def begin(self, *options: str, encodings: Sequence[types.PositionEncodingKind] = ()) -> None:
        """Starts the server for the folder."""
        await self.client.start_io(sys.executable, str(ROOT / "app.py"), "language-server", *options)
        general = types.GeneralClientCapabilities(position_encodings=list(encodings)) if encodings else None
        asked = types.InitializeParams(
            capabilities=types.ClientCapabilities(general=general),
            workspace_folders=[types.WorkspaceFolder(self.folder.as_uri(), "folder")],
        )
        await self.client.initialize_async(asked)
        self.client.initialized(types.InitializedParams())

    async def end(self) -> int | None:
        """Ends the server as an editor does; returns its exit code."""
        await self.client.shutdown_async(None)
        self.client.exit(None)
        await asyncio.wait_for(self.client.ended.wait(), PATIENCE_SECONDS)
        return self.client.code

    async def stop(self) -> None:
        """Ends the client, and a server that is still there."""
        if not self.client.ended.is_set():
            self.client.exit(None)
        await self.client.stop()  # type: ignore[no-untyped-call]

    # -- documents -----------------------------------------------------------------------------------------

    def uri(self, name: str) -> str:
        return (self.folder / name).as_uri()

    def document(self, name: str) -> types.TextDocumentIdentifier:
        return types.TextDocumentIdentifier(self.uri(name))

    def open(self, name: str) -> None:
        self.texts[name] = (self.folder / name).read_text(encoding="utf-8")
        item = types.TextDocumentItem(self.uri(name), "glsl", self._version, self.texts[name])
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))

    def type(self, name: str, text: str) -> None:
        """Replaces the document's text, unsaved."""
        self._version += 1
        self.texts[name] = text
        whole = types.TextDocumentContentChangeWholeDocument(text)
        document = types.VersionedTextDocumentIdentifier(version=self._version, uri=self.uri(name))
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(document, [whole]))

    def save(self, name: str) -> None:
        (self.folder / name).write_text(self.texts[name], encoding="utf-8")
        self.client.text_document_did_save(types.DidSaveTextDocumentParams(self.document(name)))

    def close(self, name: str) -> None:
        del self.texts[name]
        self.client.text_document_did_close(types.DidCloseTextDocumentParams(self.document(name)))

    # -- questions -----------------------------------------------------------------------------------------

    def position(self, name: str, sought: str) -> types.Position:
        """Returns where ^ stands in `sought`, whose other letters are in the document once."""
        text, shift = self.texts.get(name) or (self.folder / name).read_text(encoding="utf-8"), sought.index("^")
        bare = sought.replace("^", "")
        assert text.count(bare) == 1, bare
        before = text[: text.index(bare) + shift]
        return types.Position(before.count("\n"), len(before) - before.rfind("\n") - 1)

    async def hover(self, name: str, sought: str) -> str:
        asked = types.HoverParams(self.document(name), self.position(name, sought))
        found = await self.client.text_document_hover_async(asked)
        if found is None:
            return ""
        assert isinstance(found.contents, types.MarkupContent)
        return found.contents.value

    async def definition(self, name: str, sought: str) -> list[tuple[str, int]]:
        """Returns file and line (from 1) of each place."""
        asked = types.DefinitionParams(self.document(name), self.position(name, sought))
        found = await self.client.text_document_definition_async(asked)
        assert isinstance(found, list)
        return [(each.uri.rsplit("/", 1)[-1], each.range.start.line + 1) for each in found]

    async def rename(self, name: str, sought: str, new: str) -> dict[str, list[types.TextEdit]]:
        """Returns the changes by file."""
        asked = types.RenameParams(self.document(name), self.position(name, sought), new)
        found = await self.client.text_document_rename_async(asked)
        changes = found.changes if found is not None else None
        return {uri.rsplit("/", 1)[-1]: list(edits) for uri, edits in (changes or {}).items()}

    async def actions(self, name: str, line: int) -> list[types.CodeAction]:
        place = types.Range(types.Position(line - 1, 0), types.Position(line - 1, 0))
        asked = types.CodeActionParams(self.document(name), place, types.CodeActionContext([]))
        found = await self.client.text_document_code_action_async(asked)
        return [each for each in found or () if isinstance(each, types.CodeAction)]

    async def command(self, name: str, *given: Any) -> Any:
        asked = types.ExecuteCommandParams(f"texelscope.server.{name}", list(given))
        return await self.client.workspace_execute_command_async(asked)

    async def until(self, is_so: Callable[[EditorClient], object], what: str) -> None:
        """Waits until something is so."""
        end = time.monotonic() + PATIENCE_SECONDS
        while not is_so(self):
            assert time.monotonic() < end, f"{what}; marked: {self.said()}; logged: {self.logged}"
            await asyncio.sleep(0.05)

    def said(self) -> dict[str, list[tuple[int, str, str]]]:
        """Returns line (from 1), code and message of every mark, by file."""
        return {
            name: [(each.range.start.line + 1, str(each.code), each.message) for each in marks]
            for name, marks in self.marks.items()
            if marks
        }


def edited(text: str, edits: Sequence[types.TextEdit]) -> str:
    """Returns a text with edits of letters that count once in every encoding."""
    lines = text.split("\n")
    starts = [sum(len(line) + 1 for line in lines[:number]) for number in range(len(lines) + 1)]

    def letter(place: types.Position) -> int:
        return starts[place.line] + place.character

    for edit in sorted(edits, key=lambda each: letter(each.range.start), reverse=True):
        text = text[: letter(edit.range.start)] + edit.new_text + text[letter(edit.range.end) :]
    return text
