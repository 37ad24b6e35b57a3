"""However an editor goes, the server goes too: no process, no traceback, no file is left."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.checkout import ROOT

SECONDS = 60.0


@pytest.fixture
def server(tmp_path: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A server whose temporary files would lie in a folder of its own."""
    (tmp_path / "temporary").mkdir()
    environment = {**os.environ, "TMPDIR": str(tmp_path / "temporary"), "XDG_STATE_HOME": str(tmp_path / "state")}
    process = subprocess.Popen(
        [sys.executable, str(ROOT / "app.py"), "language-server"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment, cwd=tmp_path,
    )  # fmt: skip
    yield process
    process.kill()
    process.wait()
    for each in (process.stdin, process.stdout, process.stderr):
        if each is not None:
            each.close()


def framed(message: Mapping[str, Any] | bytes) -> bytes:
    body = message if isinstance(message, bytes) else json.dumps({"jsonrpc": "2.0", **message}).encode()
    return b"Content-Length: %d\r\n\r\n" % len(body) + body


def begun(root: Path) -> bytes:
    given: dict[str, Any] = {"processId": None, "rootUri": root.as_uri(), "capabilities": {}}
    first = framed({"id": 1, "method": "initialize", "params": given})
    return first + framed({"method": "initialized", "params": {}})


def opened(path: Path) -> bytes:
    document = {"uri": path.as_uri(), "languageId": "glsl", "version": 1, "text": path.read_text(encoding="utf-8")}
    return framed({"method": "textDocument/didOpen", "params": {"textDocument": document}})


def answer(process: subprocess.Popen[bytes], number: int) -> dict[str, Any]:
    """Reads messages up to the answer of that number."""
    assert process.stdout is not None
    while True:
        length = 0
        while (line := process.stdout.readline()).strip():
            name, _, value = line.partition(b":")
            length = int(value) if name.lower() == b"content-length" else length
        assert length, "the server has ended"
        found = json.loads(process.stdout.read(length))
        if found.get("id") == number:
            return dict(found)


def ended(process: subprocess.Popen[bytes], folder: Path, code: int = 0) -> str:
    """Waits for the end; returns what was said on standard error."""
    assert process.stderr is not None
    assert process.wait(SECONDS) == code
    said = process.stderr.read().decode()
    assert "Traceback" not in said
    assert list((folder / "temporary").iterdir()) == []
    assert not list(folder.glob("state/**/fault-*.log"))
    return said


def send(process: subprocess.Popen[bytes], data: bytes) -> None:
    assert process.stdin is not None
    process.stdin.write(data)
    process.stdin.flush()


def close(process: subprocess.Popen[bytes]) -> None:
    assert process.stdin is not None
    process.stdin.close()


def test_a_closed_pipe_ends_it_at_once(server: subprocess.Popen[bytes], tmp_path: Path) -> None:
    close(server)
    assert ended(server, tmp_path) == ""


def test_a_closed_pipe_ends_a_diagnosis_under_way(server: subprocess.Popen[bytes], tmp_path: Path) -> None:
    shader = ROOT / "examples" / "webgl_cnn" / "down1.frag"
    send(server, begun(shader.parent) + opened(shader))
    assert server.stdout is not None
    while b"not_diagnosed" not in server.stdout.readline():  # what is wrong is known, its cause is looked for
        pass
    start = time.monotonic()
    close(server)
    ended(server, tmp_path)
    assert time.monotonic() - start < SECONDS / 2


def test_an_editor_that_is_killed_leaves_no_server(tmp_path: Path) -> None:
    program = (
        "import subprocess, sys, time; p = subprocess.Popen([sys.executable, sys.argv[1], 'language-server'],"
        " stdin=subprocess.PIPE, stdout=subprocess.PIPE); print(p.pid, flush=True); time.sleep(600)"
    )
    editor = subprocess.Popen(
        [sys.executable, "-c", program, str(ROOT / "app.py")], stdout=subprocess.PIPE, cwd=tmp_path, text=True
    )
    assert editor.stdout is not None
    pid = int(editor.stdout.readline())
    editor.send_signal(signal.SIGKILL)
    editor.wait()
    editor.stdout.close()
    end = time.monotonic() + SECONDS
    while Path(f"/proc/{pid}").exists() and "Z" not in Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2][:3]:
        assert time.monotonic() < end, "the server still runs"
        time.sleep(0.1)


@pytest.mark.parametrize(
    "nonsense",
    [
        framed(b"{not json"),
        framed(b"[]"),
        framed({"id": 7}),
        framed({"id": 7, "method": "no/such"}),
        framed({"id": 7, "method": "textDocument/hover", "params": {"textDocument": 3}}),
        framed({"method": "textDocument/didChange", "params": {"textDocument": {"uri": "file:///none", "version": 1},
                                                               "contentChanges": []}}),
        framed({"id": 7, "method": "workspace/executeCommand", "params": {"command": "texelscope.server.pick"}}),
        framed({"id": 7, "method": "workspace/executeCommand",
                "params": {"command": "texelscope.server.report", "arguments": [{"target": "/no/such.toml"}]}}),
        framed({"id": 7, "method": "textDocument/definition",
                "params": {"textDocument": {"uri": "untitled:1"}, "position": {"line": 0, "character": 0}}}),
        framed({"id": 7, "method": "textDocument/hover",
                "params": {"textDocument": {"uri": "file:///%00"}, "position": {"line": 9, "character": 9}}}),
    ],
    ids=["no JSON", "a list", "no method", "unknown method", "other parameters", "change of nothing", "no arguments",
         "no such target", "no file", "no path"],
)  # fmt: skip
def test_nonsense_is_answered_or_ignored_and_the_next_request_is_served(
    nonsense: bytes, server: subprocess.Popen[bytes], tmp_path: Path
) -> None:
    send(server, begun(tmp_path) + nonsense)
    if b"executeCommand" in nonsense:
        assert "expected" in answer(server, 7)["error"]["message"]
    send(server, framed({"id": 99, "method": "shutdown"}))
    assert answer(server, 99).get("result", 0) is None
    send(server, framed({"method": "exit"}))
    ended(server, tmp_path)


def test_bytes_that_are_no_messages_end_with_the_pipe(server: subprocess.Popen[bytes], tmp_path: Path) -> None:
    send(server, b"GET / HTTP/1.1\r\nHost: x\r\n\r\n" + b"\0" * 4096)
    close(server)
    ended(server, tmp_path)
