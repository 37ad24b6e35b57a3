"""Serves editors fixed answers in the Language Server Protocol: stands in for `app.py language-server`.

What the extension for VS Code asks a server is tried with this too, where the real one cannot say what it should.
As a script it takes the place of `app.py`: `debug-adapter` is the real one's, and so is the page of a report, always
that of the repaired network, which takes the least time.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit
from urllib.request import url2pathname

APP = Path(__file__).parents[2] / "app.py"
WORD = re.compile(r"\w+")
CAPABILITIES = {
    "textDocumentSync": {"openClose": True, "change": 1, "save": True},
    "hoverProvider": True,
    "definitionProvider": True,
    "renameProvider": True,
    "codeActionProvider": {"codeActionKinds": ["quickfix"]},
    "executeCommandProvider": {
        "commands": [f"texelscope.server.{name}" for name in ("passes", "pick", "report")],
    },
}
Json = dict[str, Any]


class RefusalError(Exception):
    """There is no answer, for a reason."""


class FixedAnswers:
    """One conversation. `texts` are the open documents by address, `picked` what was picked last."""

    def __init__(self) -> None:
        self.texts: dict[str, str] = {}
        self.picked: Json | None = None
        self.seconds: float | None = None

    def serve(self) -> None:
        """Answers until the client sends `exit` or closes the pipe."""
        while (message := read()) is not None and message.get("method") != "exit":
            answer = self._handler(message["method"])
            if answer is None:
                continue
            try:
                answered = {"result": answer(message.get("params"))}
            except RefusalError as error:
                answered = {"error": {"code": -32803, "message": str(error)}}
            if "id" in message:
                write({"jsonrpc": "2.0", "id": message["id"], **answered})

    def _handler(self, method: str) -> Callable[[Any], Any] | None:
        return {
            "initialize": self._initialize,
            "shutdown": lambda _: None,
            "textDocument/didOpen": self._opened,
            "textDocument/didChange": self._changed,
            "textDocument/didSave": lambda params: self._diagnose(params["textDocument"]["uri"]),
            "textDocument/hover": self._hover,
            "textDocument/definition": self._definition,
            "textDocument/rename": self._rename,
            "textDocument/codeAction": self._code_actions,
            "workspace/executeCommand": self._command,
        }.get(method)

    # -- answers ---------------------------------------------------------------------------------------------------

    def _initialize(self, params: Json) -> Json:
        self.seconds = (params.get("initializationOptions") or {}).get("seconds")
        return {"capabilities": CAPABILITIES}

    def _opened(self, params: Json) -> None:
        self.texts[params["textDocument"]["uri"]] = params["textDocument"]["text"]
        self._diagnose(params["textDocument"]["uri"])

    def _changed(self, params: Json) -> None:
        self.texts[params["textDocument"]["uri"]] = params["contentChanges"][-1]["text"]

    def _diagnose(self, uri: str) -> None:
        message = f"one texel further, sought for {self.seconds} seconds"
        wrong = [
            {"range": span(number, line.index("(offset + 1.0)"), 14), "severity": 1, "source": "texelscope",
             "message": message}
            for number, line in enumerate(self.texts[uri].splitlines()) if "(offset + 1.0)" in line
        ]  # fmt: skip
        write(
            {
                "jsonrpc": "2.0",
                "method": "textDocument/publishDiagnostics",
                "params": {"uri": uri, "diagnostics": wrong},
            }
        )

    def _hover(self, params: Json) -> Json:
        x, y = self.picked["texel"] if self.picked else (None, None)
        return {"contents": {"kind": "markdown", "value": f"{self._word(params)} = 0.25 at texel ({x}, {y})"}}

    def _definition(self, params: Json) -> Json:
        return {"uri": params["textDocument"]["uri"], "range": self._places(params)[0]}

    def _rename(self, params: Json) -> Json:
        edits = [{"range": place, "newText": params["newName"]} for place in self._places(params)]
        return {"changes": {params["textDocument"]["uri"]: edits}}

    def _code_actions(self, params: Json) -> list[Json]:
        edits = [{"range": each["range"], "newText": "offset"} for each in params["context"]["diagnostics"]]
        edit = {"changes": {params["textDocument"]["uri"]: edits}}
        return [{"title": "Read at offset", "kind": "quickfix", "edit": edit}] if edits else []

    def _command(self, params: Json) -> Any:
        (argument,) = params["arguments"]
        name = params["command"].rpartition(".")[2]
        if name == "pick":
            self.picked = argument
        if name == "passes":
            return passes_of(Path(url2pathname(unquote(urlsplit(argument).path))))
        if name == "report":
            target = Path(argument["target"])
            if "#error" in target.with_name("down1.frag").read_text(encoding="utf-8"):
                raise RefusalError("'down1.frag' does not compile.")
            return {"target": str(target), "html": page_of(target.with_name("fixed.toml"))}
        return None

    # -- words of a text -------------------------------------------------------------------------------------------

    def _word(self, params: Json) -> str:
        line = self.texts[params["textDocument"]["uri"]].splitlines()[params["position"]["line"]]
        at = params["position"]["character"]
        return next(word[0] for word in WORD.finditer(line) if word.start() <= at <= word.end())

    def _places(self, params: Json) -> list[Json]:
        word, text = self._word(params), self.texts[params["textDocument"]["uri"]]
        return [
            span(number, found.start(), len(word))
            for number, line in enumerate(text.splitlines())
            for found in re.finditer(rf"\b{word}\b", line)
        ]


def span(line: int, character: int, length: int) -> Json:
    start = {"line": line, "character": character}
    return {"start": start, "end": {"line": line, "character": character + length}}


def passes_of(file: Path) -> list[Json]:
    """Returns one pass of `down1.frag`, two of `down2.frag`, all three of the target, and none of another file."""
    passes = [("down1", "down1.frag"), ("down2", "down2.frag"), ("down2 again", "down2.frag")]
    return [
        {"target": str(file.with_name("broken.toml")), "pass": name, "shader": str(file.with_name(shader)),
         "verdict": "mismatch"}
        for name, shader in passes if file.name in (shader, "broken.toml")
    ]  # fmt: skip


@cache
def page_of(target: Path) -> str:
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "page.html"
        subprocess.run(
            [sys.executable, APP, "diff", target, "--html", page],
            check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
        )  # fmt: skip
        return page.read_text(encoding="utf-8")


def read() -> Json | None:
    """Returns the next message; None at the end of the input."""
    size = 0
    while line := sys.stdin.buffer.readline().strip():
        name, _, value = line.partition(b":")
        size = int(value) if name.lower() == b"content-length" else size
    return json.loads(sys.stdin.buffer.read(size)) if size else None


def write(message: Json) -> None:
    content = json.dumps(message).encode()
    sys.stdout.buffer.write(b"Content-Length: %d\r\n\r\n" % len(content) + content)
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    if sys.argv[1] == "language-server":
        FixedAnswers().serve()
    else:
        sys.exit(subprocess.run([sys.executable, APP, *sys.argv[1:]], check=False).returncode)
