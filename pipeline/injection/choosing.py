"""Chooses sources of values by words of a command line or of the window."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from texelscope.pipeline.errors import TexelscopeError, nearest
from texelscope.pipeline.injection import runtime_values
from texelscope.pipeline.injection.runtime_values import RuntimeValues
from texelscope.pipeline.injection.sources import SUFFIXES, FileValues, FolderValues, OracleValues, ValueSource
from texelscope.pipeline.untrusted_files import is_file, is_folder

if TYPE_CHECKING:
    import onnx

    from texelscope.pipeline.debug_session import DebugSession

ORACLE = "oracle"
# The sources tried if none is named.
USUAL = (ORACLE, runtime_values.NAME)


def sources_of(
    words: Sequence[str], session: DebugSession, target: str | Path | onnx.ModelProto
) -> tuple[ValueSource, ...]:
    """Returns the sources that `words` name, files before others: `TENSOR=FILE`, a folder, `oracle` or `onnxruntime`.

    A layer's name means its output; an empty word means the usual sources. Raises TexelscopeError for other
    words, for files of tensors that the model lacks or a pass computes, and for ONNX Runtime if it is not
    installed.
    """
    files: dict[str, Path] = {}
    named: list[str] = []
    for word in words or ("",):
        tensor, separator, file = word.rpartition("=")
        if separator:
            layer = session.plan.missing(tensor)
            tensor = layer.outputs[0] if layer is not None else tensor
            _check_missing(tensor, session)
            files[tensor] = _file(Path(file).expanduser(), tensor)
        else:
            named.extend([word] if word else USUAL)
    sources: list[ValueSource] = [FileValues(files)] if files else []
    for word in dict.fromkeys(named):
        source = _source(word, session, target, explicit=word in words)
        if source is not None:
            sources.append(source)
    return tuple(sources)


def is_source(word: str) -> bool:
    """Reports whether a word names a source, rather than a target."""
    return not word or "=" in word or word in USUAL or is_folder(Path(word).expanduser())


def _source(
    word: str, session: DebugSession, target: str | Path | onnx.ModelProto, *, explicit: bool
) -> ValueSource | None:
    graph = session.plan.graph
    if word == ORACLE:
        return OracleValues(graph, session.values_at_hand()) if graph is not None else None
    if word == runtime_values.NAME:
        if explicit and not runtime_values.is_installed():
            raise TexelscopeError(
                f"--inject {word}",
                "ONNX Runtime",
                "no such package",
                f"pip install 'texelscope[{word}]' brings it.",
            )
        wanted = [missing.outputs[0] for missing in session.plan.not_run]
        return RuntimeValues(target, session.values_at_hand(), wanted)
    folder = Path(word).expanduser()
    if not is_folder(folder):
        raise TexelscopeError(
            "--inject",
            f"TENSOR=FILE.npy, a folder of .npy files, {' or '.join(USUAL)}",
            f"'{word}'",
            nearest(word, USUAL),
        )
    return FolderValues(folder)


def _check_missing(tensor: str, session: DebugSession) -> None:
    missing = {name for each in session.plan.not_run for name in each.outputs}
    if tensor in missing:
        return
    found = session.plan.find(tensor)
    graph = session.plan.graph
    if found is not None:
        raise TexelscopeError(
            f"--inject {tensor}", "a tensor that cannot run", f"one that pass '{found.name}' computes", "Leave it out."
        )
    made = {name for node in graph.nodes for name in node.outputs} if graph is not None else set()
    if tensor not in made:
        raise TexelscopeError(
            f"--inject {tensor}", "a tensor that cannot run", "no such tensor", nearest(tensor, missing)
        )


def _file(path: Path, tensor: str) -> Path:
    if path.suffix.lower() not in SUFFIXES or not is_file(path):
        got = f"'{path}'" if is_file(path) else f"'{path}', which is not there"
        raise TexelscopeError(f"--inject {tensor}", "an .npy or .npz file", got, "Save it with numpy.save.")
    return path
