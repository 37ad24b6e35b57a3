"""Connects a server with the requests of the protocol, each in a function of pygls's form."""

from __future__ import annotations

from typing import Any

from lsprotocol import types

from texelscope.language_server.positions import path_of
from texelscope.language_server.server import ShaderServer
from texelscope.pipeline.target import OpenOptions

# What an extension may ask for beside the protocol; docs/editors.md has their arguments.
COMMANDS = ("passes", "pick", "report")
_PREFIX = "texelscope.server."
_WATCHED = "**/*.{frag,vert,comp,glsl,fs,vs,hlsl,slang,wgsl,toml,fx,fxh}"


def shader_server(version: str, options: OpenOptions, seconds: float) -> ShaderServer:
    """Returns a server; `seconds` is how long a diagnosis may take if the editor does not say."""
    server = ShaderServer(version, options, seconds)
    _add_beginning(server)
    _add_documents(server)
    _add_questions(server)
    for name in COMMANDS:
        _add_command(server, name)
    return server


def _add_beginning(server: ShaderServer) -> None:
    given: list[float | None] = []

    @server.feature(types.INITIALIZE)
    def initialize(params: types.InitializeParams) -> None:
        given.append(_seconds(params.initialization_options))

    @server.feature(types.INITIALIZED)
    def initialized(_: types.InitializedParams) -> None:
        folders = [path for each in server.workspace.folders.values() if (path := path_of(each.uri)) is not None]
        root = path_of(server.workspace.root_uri) if server.workspace.root_uri else None
        server.begin(folders or ([root] if root is not None else []), given[0] if given else None)
        _watch_files(server)


def _add_documents(server: ShaderServer) -> None:
    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def opened(params: types.DidOpenTextDocumentParams) -> None:
        server.compare(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def changed(params: types.DidChangeTextDocumentParams) -> None:
        server.typed(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    def saved(params: types.DidSaveTextDocumentParams) -> None:
        server.compare(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def closed(_: types.DidCloseTextDocumentParams) -> None:
        server.closed()

    @server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def written(params: types.DidChangeWatchedFilesParams) -> None:
        server.written([each.uri for each in params.changes])


def _add_questions(server: ShaderServer) -> None:
    quick_fixes = types.CodeActionOptions(code_action_kinds=[types.CodeActionKind.QuickFix])

    @server.feature(types.TEXT_DOCUMENT_CODE_ACTION, quick_fixes)
    def actions(params: types.CodeActionParams) -> list[types.CodeAction]:
        return server.actions(params.text_document.uri, params.range)

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    async def hover(params: types.HoverParams) -> types.Hover | None:
        return await server.hover(params)

    @server.feature(types.TEXT_DOCUMENT_DEFINITION)
    def definition(params: types.DefinitionParams) -> list[types.Location]:
        return server.definition(params)

    @server.feature(types.TEXT_DOCUMENT_RENAME)
    async def rename(params: types.RenameParams) -> types.WorkspaceEdit | None:
        return await server.rename(params)


def _add_command(server: ShaderServer, name: str) -> None:
    @server.command(f"{_PREFIX}{name}")
    async def do(*given: Any) -> Any:
        return await server.asked_by_extension(name, list(given))


def _seconds(given: Any) -> float | None:
    """Returns how long the editor lets a diagnosis take; None if it does not say."""
    seconds = given.get("seconds") if isinstance(given, dict) else getattr(given, "seconds", None)
    return float(seconds) if isinstance(seconds, int | float) and 0 <= seconds < 1e6 else None


def _watch_files(server: ShaderServer) -> None:
    """Asks the editor to tell of files that other programs write, if it can."""
    workspace = server.client_capabilities.workspace
    watched = workspace.did_change_watched_files if workspace is not None else None
    if watched is None or not watched.dynamic_registration:
        return
    options = types.DidChangeWatchedFilesRegistrationOptions([types.FileSystemWatcher(_WATCHED)])
    asked = types.Registration("files", types.WORKSPACE_DID_CHANGE_WATCHED_FILES, options)
    server.client_register_capability(types.RegistrationParams([asked]))
