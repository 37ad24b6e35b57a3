"""Tests that nothing in the product opens a file for reading by itself: all goes through `pipeline.untrusted_files`."""

from __future__ import annotations

import ast
import re

import pytest

from tests.pure.source_tree import LIBRARY, files, syntax_of, text_of

# Who opens files otherwise, and which.
OWN = {
    "pipeline/untrusted_files/door.py": "the door",
    "pipeline/untrusted_files/archives.py": "an open file as an archive",
    "pipeline/untrusted_files/pictures.py": "an open file as a picture, and the null device",
    "pipeline/atomic_files/unfinished.py": "files that are written",
    "pipeline/export/bundle.py": "archives that are written",
    "pipeline/runs/golden_file.py": "archives that are written",
    "pipeline/start_marks.py": "what Linux tells of this process",
    "pipeline/gl/driver_threads.py": "what Linux tells of this process's threads",
    "pipeline/glsl/ncnn/translation.py": "shaders of the program",
    "pipeline/glsl/assemble.py": "shaders of the program",
    "pipeline/probe/page.py": "templates of the program",
    "pipeline/export/html_report.py": "templates of the program",
    "pipeline/export/live_page/script.py": "scripts of the program",
    "pipeline/inputs/video.py": "cameras, and videos by way of an open file",
    "viewer/theme.py": "fonts of the program",
    "viewer/help/windows.py": "pages of the program",
    "pipeline/planning/memory.py": "what Linux tells of this process's memory",
    "pipeline/workers/serve.py": "what the program's own process sends",
    "pipeline/workers/stand.py": "what the program's own process sends",
    "pipeline/workers/standby.py": "what the program's own process answers",
    "texelscope/commands/debug_adapter.py": "its standard input",
    "texelscope/commands/language_server.py": "its standard streams",
    "texelscope/desktop_entry.py": "the icon of the program",
    "texelscope/ending.py": "the null device, for a closed output",
}
# What such calls look like in the text; most modules have none and need not be looked through.
_MAY_OPEN = re.compile(
    r"(open|read_bytes|read_text|ZipFile|load\w*|copy\w*|\w*map|fromfile|\w+txt|from_file\w*|run_path|getlines?"
    r"|input|image|unpack_archive)\("
)
_METHODS = frozenset({"read_bytes", "read_text"})
# By the module or library that has them.
_FUNCTIONS = frozenset(
    {
        "io.open", "os.open", "os.fdopen", "codecs.open", "gzip.open", "bz2.open", "lzma.open", "wave.open",
        "tarfile.open", "shelve.open", "dbm.open", "av.open", "Image.open", "PIL.Image.open", "zipfile.ZipFile",
        "np.load", "np.fromfile", "np.memmap", "np.loadtxt", "np.genfromtxt", "np.lib.format.open_memmap",
        "numpy.load", "numpy.fromfile", "mmap.mmap", "onnx.load", "onnx.load_model",
        "onnx.load_external_data_for_model",
        "onnx.load_tensor", "tomllib.load", "json.load", "pickle.load", "shutil.copyfile", "shutil.copy",
        "shutil.copy2",
        "shutil.copytree", "shutil.unpack_archive", "runpy.run_path", "linecache.getline", "linecache.getlines",
        "fileinput.input", "pyglet.image.load", "pyglet.resource.image",
    }
)  # fmt: skip
# A call of a method `open` with a mode that writes only.
_WRITES = frozenset({"w", "wb", "x", "xb", "a", "ab"})
PYTHON = files((".py",), below=("app.py", *LIBRARY))


def opens(tree: ast.AST) -> list[str]:
    """The calls that open a file for reading, each with its line."""
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    return [f"{call.lineno}: {ast.unparse(call)}" for call in calls if _opens(call)]


def _opens(call: ast.Call) -> bool:
    function = call.func
    if isinstance(function, ast.Name):
        return function.id == "open"
    if not isinstance(function, ast.Attribute):
        return False
    if ast.unparse(function) in _FUNCTIONS or function.attr in _METHODS or "from_file" in function.attr:
        return True
    modes = [node.value for node in (*call.args[:2], *(each.value for each in call.keywords)) if _is_text(node)]  # type: ignore[attr-defined]
    return function.attr == "open" and _of_a_path(function.value) and not _WRITES & set(modes)


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _of_a_path(node: ast.expr) -> bool:
    """Whether a value is a path as far as its name shows: documents and archives of ours have `open` too."""
    name = ast.unparse(node)
    return any(word in name.lower() for word in ("path", "file", "folder", "/")) and "document" not in name


def test_files_are_read_through_the_door_alone() -> None:
    found = {
        path.as_posix(): calls
        for path in PYTHON
        if _MAY_OPEN.search(text_of(path)) and (calls := opens(syntax_of(path)))
    }
    assert len(PYTHON) > 500
    assert {path: calls for path, calls in found.items() if path not in OWN} == {}
    assert OWN.keys() - found.keys() == set()  # whoever is excepted needs it


@pytest.mark.parametrize(
    "source",
    [
        "open(path)",
        "path.open('rb')",
        "self._folder.file(name).open()",
        "Path(name).read_text(encoding='utf-8')",
        "np.load(file)",
        "Image.open(path)",
        "zipfile.ZipFile(path)",
        "shutil.copyfile(a, b)",
    ],
)
def test_opening_is_recognised(source: str) -> None:
    assert opens(ast.parse(source))


@pytest.mark.parametrize("source", ["place.open('wb')", "app.document.open(target)", "archive.open(name)"])
def test_what_opens_nothing_is_not(source: str) -> None:
    assert not opens(ast.parse(source))
