"""Runs a fragment shader in Python for one fragment, statement by statement."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import tree_sitter

from tests.glsl_interpreter.declarations import Declarations, Frame, Returned
from tests.glsl_interpreter.places import LANES
from tests.glsl_interpreter.ran import Ran
from tests.glsl_interpreter.tree import function_name
from tests.glsl_interpreter.values import GlslError


class _Broken(Exception):  # noqa: N818 - control flow
    """Breaks a loop: `break`."""


class _Continued(Exception):  # noqa: N818 - control flow
    """`continue`."""


class _Discarded(Exception):  # noqa: N818 - control flow
    """`discard`."""


class Machine(Declarations):
    """Runs a program once: afterwards `steps` is what it did, `outputs` what it wrote."""

    def run(self) -> None:
        """Runs `main`."""
        outputs: list[str] = []
        for node in self._root.children:
            if node.type == "struct_specifier":
                self._struct(node)
            elif node.type == "function_definition":
                self._functions.setdefault(function_name(node), []).append(node)
            elif node.type == "declaration":
                outputs += self._global(node)
        self._frames.append(Frame("main"))
        try:
            self.run_block(self._body("main"))
        except _Discarded:
            self.discarded = True
        except Returned:
            pass
        self.outputs = {name: self._globals[name] for name in outputs}

    @contextmanager
    def assigning(self, node: tree_sitter.Node) -> Iterator[None]:
        """Notes where generated text asks for one lane of the output."""
        left = node.child_by_field_name("left")
        asks = left is not None and left.type in ("subscript_expression", "field_expression")
        if left is None or not asks or self._is_authored(node):
            yield
            return
        part = self.place(left).parts[-1]
        self._lane = part if isinstance(part, int) else LANES.get(part)
        yield
        self._lane = None

    @contextmanager
    def _step(self, node: tree_sitter.Node) -> Iterator[Ran | None]:
        """A statement of the author's being run; of generated text nothing is noted."""
        if not self._is_authored(node):
            yield None
            return
        frame = self._frames[-1]
        ran = Ran(self._lines[node.start_point[0]], frame.function, tuple(frame.turns), self._lane)
        if len(self.steps) >= self._most:
            raise GlslError(f"more than {self._most} steps")
        self.steps.append(ran)
        self._current.append(ran)
        yield ran
        self._current.remove(ran)

    def run_block(self, node: tree_sitter.Node) -> None:
        """Runs the statements between braces, in a new scope."""
        self._frames[-1].scopes.append({})
        try:
            for each in node.named_children:
                self._statement(each)
        finally:
            self._frames[-1].scopes.pop()

    def _statement(self, node: tree_sitter.Node) -> None:
        handler = getattr(self, f"_run_{node.type}", None)
        if handler is None:
            raise GlslError(f"{node.type}: {self.text(node)}")
        handler(node)

    def _run_comment(self, _node: tree_sitter.Node) -> None:
        """Nothing happens."""

    def _run_compound_statement(self, node: tree_sitter.Node) -> None:
        self.run_block(node)

    def _run_declaration(self, node: tree_sitter.Node) -> None:
        if node.has_error:
            raise GlslError(self.text(node))
        scope = self._frames[-1].scopes[-1]
        declarators = node.children_by_field_name("declarator")
        if not any(each.child_by_field_name("value") for each in declarators):
            for each in declarators:
                self._declare(scope, node, each)
            return
        with self._step(node) as ran:
            for each in declarators:
                if self._declare(scope, node, each) and ran is not None:
                    name = self._name(each)
                    self._note({name: scope[name]})

    def _run_expression_statement(self, node: tree_sitter.Node) -> None:
        if node.named_children:
            with self._step(node):
                self.value(node.named_children[0])

    def _run_return_statement(self, node: tree_sitter.Node) -> None:
        value = None
        with self._step(node) as ran:
            if node.named_children:
                value = self.value(node.named_children[0])
            if ran is not None:
                ran.end, ran.returned = "return", value.lanes if value is not None and value.base else ()
        raise Returned(value)

    def _run_discard_statement(self, node: tree_sitter.Node) -> None:
        self._ends(node, "discard")
        raise _Discarded

    def _run_break_statement(self, node: tree_sitter.Node) -> None:
        self._ends(node, "break")
        raise _Broken

    def _run_continue_statement(self, node: tree_sitter.Node) -> None:
        self._ends(node, "continue")
        raise _Continued

    def _ends(self, node: tree_sitter.Node, how: str) -> None:
        with self._step(node) as ran:
            if ran is not None:
                ran.end = how

    def _condition(self, at: tree_sitter.Node, node: tree_sitter.Node) -> bool:
        """Evaluates a condition: a separate step, at the line of `at`."""
        with self._step(at) as ran:
            found = bool(self.value(node).number)
            if ran is not None:
                ran.branch = found
        return found

    def _run_if_statement(self, node: tree_sitter.Node) -> None:
        condition = node.child_by_field_name("condition")
        taken, other = node.child_by_field_name("consequence"), node.child_by_field_name("alternative")
        assert condition is not None
        assert taken is not None
        if self._condition(node, condition):
            self._scoped(taken)
        elif other is not None:
            self._scoped(other.named_children[-1])

    def _scoped(self, node: tree_sitter.Node) -> None:
        self._frames[-1].scopes.append({})
        try:
            self._statement(node)
        finally:
            self._frames[-1].scopes.pop()

    def _run_for_statement(self, node: tree_sitter.Node) -> None:
        start, condition = node.child_by_field_name("initializer"), node.child_by_field_name("condition")
        update, body = node.child_by_field_name("update"), node.child_by_field_name("body")
        frame = self._frames[-1]
        frame.scopes.append({})
        try:
            if start is not None and start.type == "declaration":
                self._run_declaration(start)
            elif start is not None:
                with self._step(start):
                    self.value(start)
            assert body is not None
            self._loop(condition, body, update)
        finally:
            frame.scopes.pop()

    def _run_while_statement(self, node: tree_sitter.Node) -> None:
        body = node.child_by_field_name("body")
        assert body is not None
        self._loop(node.child_by_field_name("condition"), body, None)

    def _run_do_statement(self, node: tree_sitter.Node) -> None:
        body = node.child_by_field_name("body")
        assert body is not None
        self._loop(node.child_by_field_name("condition"), body, None, first=True)

    def _loop(
        self,
        condition: tree_sitter.Node | None,
        body: tree_sitter.Node,
        update: tree_sitter.Node | None,
        *,
        first: bool = False,
    ) -> None:
        """A loop's turns; with `first` the condition is asked after each of them."""
        frame = self._frames[-1]
        frame.turns.append(0)
        depth = len(frame.turns)
        try:
            while first or condition is None or self._condition(condition, condition):
                try:
                    self._scoped(body)
                except _Continued:
                    pass
                except _Broken:
                    return
                if update is not None:
                    with self._step(update):
                        self.value(update)
                if first and (condition is None or not self._condition(condition, condition)):
                    return
                frame.turns[depth - 1] += 1
        finally:
            del frame.turns[depth - 1 :]

    def _run_switch_statement(self, node: tree_sitter.Node) -> None:
        condition, body = node.child_by_field_name("condition"), node.child_by_field_name("body")
        assert condition is not None
        assert body is not None
        with self._step(node):
            wanted = self.value(condition).number
        cases = [each for each in body.named_children if each.type == "case_statement"]
        values = [each.child_by_field_name("value") for each in cases]
        start = next(
            (at for at, each in enumerate(values) if each is not None and self.value(each).number == wanted), None
        )
        if start is None:
            start = next((at for at, each in enumerate(values) if each is None), len(cases))
        self._frames[-1].scopes.append({})
        try:
            for case, value in zip(cases[start:], values[start:], strict=True):
                for each in case.named_children:
                    if value is None or each != value:
                        self._statement(each)
        except _Broken:
            pass
        finally:
            self._frames[-1].scopes.pop()
