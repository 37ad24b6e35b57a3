"""Numbers the places in a parsed shader that write to the log: lines, texts, and room for insertions."""

from __future__ import annotations

from texelscope.pipeline.glsl.lines import GENERATED, Line
from texelscope.pipeline.glsl.semantics.statements import CaseLabel, CompoundStatement, Preprocessor
from texelscope.pipeline.glsl.semantics.tree import Comment, SyntaxNode
from texelscope.pipeline.plan import ProgramSource
from texelscope.pipeline.read_trace.instrument import ReadsRewriter
from texelscope.pipeline.trace.rewriting.sites import TraceSite, What

# Ranks of insertions at one place: closing ones, inner first; after a statement; before one; opening ones, outer first.
CLOSES, BEHIND, BEFORE, OPENS = -3, -2, -1, 1
# Statements that contain others, in any number.
_HOLDERS = (CompoundStatement, CaseLabel, Preprocessor)


class OwnPlaces(ReadsRewriter):
    """Distinguishes a shader's own text from generated text around it, and numbers places in it."""

    aim = "trace"
    expanded = frozenset({"=", ";", "{", "}", "++", "--"})

    def __init__(self, program: ProgramSource, who: str) -> None:
        super().__init__(program, who, buffers=True)
        self._supplied = (program.files[0].path, program.supplied_lines) if program.files else ("", 0)
        self._places: list[TraceSite] = []
        self._function, self._definition = "", -1
        self._wraps = 0

    def _top(self) -> list[SyntaxNode]:
        """Returns declarations and functions, those under conditions too."""
        found, pending = [], list(reversed(self._root.named_children))
        while pending:
            node = pending.pop()
            if isinstance(node, Preprocessor):
                pending.extend(reversed(node.named_children))
            else:
                found.append(node)
        return found

    def _is_generated(self, node: SyntaxNode) -> bool:
        """Whether no author wrote it: generated text, or an engine's text before every shader."""
        file, line = self._lines[node.row]
        return file == GENERATED or (file == self._supplied[0] and line <= self._supplied[1])

    def _place(self, node: SyntaxNode) -> Line:
        return self._lines[node.row]

    def _said(self, node: SyntaxNode) -> str:
        """Returns a node's text on one line, with macros as their author uses them, without comments."""
        around = next((u for u in self._uses if u.start <= node.start_byte and node.end_byte <= u.stop), None)
        if around is not None:
            return around.text
        parts, at = [], node.start_byte
        for inner in node.walk():
            if isinstance(inner, Comment):
                parts.append(self._source[at : inner.start_byte].decode())
                at = inner.end_byte
        for use in self._uses:
            if at <= use.start and use.stop <= node.end_byte:
                parts.append(self._source[at : use.start].decode() + use.text)
                at = use.stop
        parts.append(self._source[at : node.end_byte].decode())
        return " ".join(" ".join(parts).split()).rstrip("; ")

    def _site_of(self, what: What, node: SyntaxNode, **more: object) -> int:
        return self._numbered(TraceSite(what, self._place(node), self._function, definition=self._definition, **more))  # type: ignore[arg-type]

    def _numbered(self, site: TraceSite) -> int:
        self._places.append(site)
        return len(self._places) - 1

    def _wrap(self, node: SyntaxNode, opening: str, closing: str = ")") -> None:
        self._edits.insert(node.start_byte, opening, (OPENS, -node.end_byte))
        self._wraps += 1  # the same node may be wrapped again, within
        self._edits.insert(node.end_byte, closing, (CLOSES, -node.start_byte, -self._wraps))

    def _before(self, node: SyntaxNode, text: str) -> None:
        self._edits.insert(node.start_byte, text, (BEFORE, -node.end_byte))

    def _after(self, node: SyntaxNode, text: str) -> None:
        self._edits.insert(node.end_byte, text, (BEHIND, -node.start_byte))

    def _braced(self, node: SyntaxNode) -> None:
        """Makes room for statements before and behind one that stands alone."""
        parent = node.parent
        if parent is not None and not isinstance(parent, _HOLDERS):
            self._before(node, "{ ")
            self._after(node, " }")
