"""Nothing in the program writes a file but by way of `pipeline.atomic_files`, whole or not at all.

What may be written to is called `unfinished`: a parameter that `write_whole` fills, or what a `with` on one of its
folders hands out. Whatever else writes is found by the name of what it calls.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.pure.source_tree import LIBRARY, files, syntax_of, text_of

# What these do is the writing itself.
WRITERS = {"pipeline/atomic_files/writing.py", "pipeline/atomic_files/unfinished.py"}
# Methods and functions that write to what they belong to, or to their first argument that is a path.
OF_RECEIVER = {"write_text", "write_bytes", "symlink_to", "hardlink_to"}
OF_ARGUMENT = {"save", "savez", "savez_compressed", "tofile", "save_model", "imsave", "savetxt"}
OF_TARGET = {"copyfile", "copy", "copy2", "copytree", "move", "link", "symlink"}
MOVES = {"replace", "rename", "renames"}
WRITING_MODES = set("wax+")
# Methods of the same names that write no file.
NO_FILES = {
    "pipeline/commands/train.py": {"save"},  # a model, by way of write_whole
    "pipeline/reduce/reduction.py": {"save"},  # of a folder that is unfinished
    "pipeline/reduce/trial.py": {"save"},  # into a folder that is gone when the trial is over
    "texelscope/commands/language_server.py": {"open"},  # a copy of standard output
    "texelscope/language_server/features.py": {"rename"},  # a name in a text
    "viewer": {"save"},  # settings, by way of write_text_whole
}
# What a BytesIO is called.
IN_MEMORY = ("held", "buffer")
# Only modules whose text has one of these are read as trees, which takes longer.
MAY_WRITE = re.compile(
    rf"\b({'|'.join(sorted(OF_RECEIVER | OF_ARGUMENT | OF_TARGET))}|ZipFile|open|unfinished)\b"
    r"|\.(replace|renames?)\([^,()]*\)"
)
FOLDERS = {"new_folder", "filled_folder", "unfinished_folder", "unfinished_file"}


def root_of(node: ast.expr) -> str:
    """The name that an expression goes out from: of `(unfinished / a).parent`, `unfinished`."""
    while True:
        match node:
            case ast.Name(name):
                return name
            case ast.Attribute(value=inner) | ast.BinOp(left=inner) | ast.Subscript(value=inner):
                node = inner
            case ast.Call(func=ast.Name("str" | "Path"), args=[inner, *_]):
                node = inner
            case ast.Call(func=inner):
                node = inner
            case _:
                return ""


def name_of(call: ast.Call) -> str:
    match call.func:
        case ast.Attribute(attr=name) | ast.Name(name):
            return name
        case _:
            return ""


def mode_of(call: ast.Call, position: int) -> str:
    """The mode in which a file is opened, as far as it is written down; "r" where none is."""
    given = next((word.value for word in call.keywords if word.arg == "mode"), None)
    if given is None and len(call.args) > position:
        given = call.args[position]
    if given is None:
        return "r"
    return given.value if isinstance(given, ast.Constant) and isinstance(given.value, str) else "w"


def writes(tree: ast.AST) -> Iterator[tuple[ast.Call, str]]:
    """Calls that write, and the name that what is written to goes out from."""
    for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
        name, on_object = name_of(call), isinstance(call.func, ast.Attribute)
        receiver = call.func.value if isinstance(call.func, ast.Attribute) else None
        first = root_of(call.args[0]) if call.args else ""
        if name in OF_RECEIVER and receiver is not None:
            yield call, root_of(receiver)
        elif name in OF_ARGUMENT:
            yield call, first
        elif name in OF_TARGET and on_object and root_of(call.func) in ("shutil", "os"):
            yield call, root_of(call.args[1]) if len(call.args) > 1 else first
        elif name in MOVES and receiver is not None and len(call.args) == 1 and not call.keywords:
            yield call, root_of(receiver)
        elif name == "ZipFile" and mode_of(call, 1) != "r":
            yield call, first
        elif name == "open":
            mode = mode_of(call, 1 if receiver is None else 0)
            if WRITING_MODES & set(mode) and (receiver is None or is_mode(call)):
                yield call, first if receiver is None else root_of(receiver)


def is_mode(call: ast.Call) -> bool:
    """Whether `open`, a method, is that of a path: its first argument is a mode."""
    texts = [*call.args[:1], *(word.value for word in call.keywords if word.arg == "mode")]
    return any(
        isinstance(each, ast.Constant) and isinstance(each.value, str) and set(each.value) <= set("rwaxbt+")
        for each in texts
    )


def bound_otherwise(tree: ast.AST) -> Iterator[int]:
    """Lines where something else than what `whole_files` hands out is called `unfinished`."""
    for node in ast.walk(tree):
        targets: list[ast.expr] = []
        match node:
            case ast.Assign(targets=found):
                targets = found
            case ast.AnnAssign(target=found) | ast.NamedExpr(target=found) | ast.For(target=found):
                targets = [found]
            case ast.withitem(context_expr=given, optional_vars=ast.Name("unfinished")):
                if not (isinstance(given, ast.Call) and name_of(given) in FOLDERS):
                    yield given.lineno
        yield from (each.lineno for each in targets if isinstance(each, ast.Name) and each.id == "unfinished")


def allowed(path: str, call: ast.Call) -> bool:
    names = next((names for start, names in NO_FILES.items() if path.startswith(start)), set())
    return name_of(call) in names


def test_nothing_writes_a_file_but_whole() -> None:
    paths = [path for path in files((".py",), below=LIBRARY) if path.as_posix() not in WRITERS]
    suspects = {path: syntax_of(path) for path in paths if MAY_WRITE.search(text_of(path))}
    assert Path("pipeline/export/snapshots.py") in suspects
    found = [
        f"{path}:{call.lineno} {ast.unparse(call)[:100]}"
        for path, tree in suspects.items()
        for call, root in writes(tree)
        if root not in ("unfinished", *IN_MEMORY) and not allowed(path.as_posix(), call)
    ]
    assert found == []
    assert [f"{path}:{line}" for path, tree in suspects.items() for line in bound_otherwise(tree)] == []


@pytest.mark.parametrize(
    "text",
    [
        "path.write_text('x')",
        "(folder / 'a').write_bytes(b'')",
        "open(path, 'w')",
        "path.open('xb')",
        "path.open(mode='a')",
        "np.save(path, values)",
        "picture.save(path, format='PNG')",
        "zipfile.ZipFile(path, 'w')",
        "shutil.copyfile(unfinished, path)",
        "path.replace(other)",
        "os.open(path, flags).write_text('x')",
    ],
)
def test_a_call_that_writes_is_seen(text: str) -> None:
    assert [root for _, root in writes(ast.parse(text)) if root != "unfinished"]


@pytest.mark.parametrize(
    "text",
    [
        "open(path)",
        "path.open('rb')",
        "document.open(target)",
        "'a'.replace('b', 'c')",
        "dataclasses.replace(a, b=1)",
        "zipfile.ZipFile(path)",
        "(unfinished / 'a').write_text('x')",
        "OpenEXR.File(header).write(str(unfinished))",
    ],
)
def test_a_call_that_writes_nothing_of_a_stranger_s_is_let_through(text: str) -> None:
    assert [root for _, root in writes(ast.parse(text)) if root != "unfinished"] == []


def test_another_unfinished_is_seen() -> None:
    assert [*bound_otherwise(ast.parse("unfinished = Path('a')\nwith open(a) as unfinished: pass"))] == [1, 2]
    assert [*bound_otherwise(ast.parse("with new_folder(a) as unfinished: pass"))] == []


def test_the_writers_are_there() -> None:
    assert all(Path(path) in files((".py",), below=LIBRARY) for path in WRITERS)
