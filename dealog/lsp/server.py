"""The language server: the protocol around `modules` and `rulefiles`.

A text is looked at shortly after it changed, in a thread; questions are answered from what was found last.
"""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, cast

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer
from pygls.uris import from_fs_path, to_fs_path
from pygls.workspace import TextDocument

from dealog import __version__
from dealog.checking.batch import Task
from dealog.deallocation import DEFAULT_PIPELINE, Deallocation, PipelineName
from dealog.diagnostics import DealogError, Diagnostic
from dealog.extensions import Extensions
from dealog.frontend.lexer import line_end, line_start
from dealog.lsp.modules import Document
from dealog.lsp.rulefiles import RuleFile
from dealog.pipeline import Engine
from dealog.settings import find_settings

_PAUSE = 0.25  # seconds without a change before a text is looked at
_SEVERITIES = {
    "error": lsp.DiagnosticSeverity.Error,
    "warning": lsp.DiagnosticSeverity.Warning,
    "note": lsp.DiagnosticSeverity.Information,
    "remark": lsp.DiagnosticSeverity.Hint,
}
_RULES = (".dl",)


class Server(LanguageServer):
    """One server; `extensions` come on top of those of the settings beside each file."""

    def __init__(self, task: Task) -> None:
        super().__init__("dealog", __version__, text_document_sync_kind=lsp.TextDocumentSyncKind.Incremental)
        self.task = task
        self.modules: dict[str, Document] = {}
        self.rules: dict[str, RuleFile] = {}
        self._waiting: dict[str, asyncio.Task[None]] = {}
        self._pool = ThreadPoolExecutor(1)  # one at a time: the interpreter runs one at a time anyway

    # ---- looking at texts

    def changed(self, uri: str, pause: float = _PAUSE) -> None:
        """Look at a text once it stays as it is for a moment."""
        if (before := self._waiting.pop(uri, None)) is not None:
            before.cancel()
        self._waiting[uri] = asyncio.get_running_loop().create_task(self._look(uri, pause))

    def closed(self, uri: str) -> None:
        """Forget a text."""
        if (before := self._waiting.pop(uri, None)) is not None:
            before.cancel()
        self.modules.pop(uri, None)
        self.rules.pop(uri, None)
        self._publish(uri, [])

    async def settled(self, uri: str) -> None:
        """Wait until what was found about a text is about the text as it is."""
        waiting = self._waiting.get(uri)
        if waiting is not None:
            await asyncio.gather(waiting, return_exceptions=True)

    async def _look(self, uri: str, pause: float) -> None:
        await asyncio.sleep(pause)
        document = self.workspace.get_text_document(uri)
        text, path = document.source, to_fs_path(uri) or uri
        loop = asyncio.get_running_loop()
        if uri.endswith(_RULES):
            known = self.rules[uri].program if uri in self.rules else None
            found = await loop.run_in_executor(self._pool, lambda: RuleFile(text, path, self._extensions(path), known))
            self.rules[uri] = found
            said = [self._diagnostic(document, each) for each in found.diagnostics]
        else:
            try:
                module = await loop.run_in_executor(self._pool, lambda: Document(text, path, self._task(path)))
            except DealogError as error:  # the rules of the settings are wrong
                said = [self._diagnostic(document, each) for each in error.diagnostics]
            else:
                self.modules[uri] = module
                said = self._said(document, module)
        if document.version == self.workspace.get_text_document(uri).version:
            self._publish(uri, said, document.version)
            self._refresh_hints()

    def _refresh_hints(self) -> None:
        workspace = self.client_capabilities.workspace
        if workspace is not None and workspace.inlay_hint is not None and workspace.inlay_hint.refresh_support:
            self.workspace_inlay_hint_refresh(None)

    def _publish(self, uri: str, said: list[lsp.Diagnostic], version: int | None = None) -> None:
        self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri=uri, diagnostics=said, version=version))

    def _extensions(self, path: str) -> Extensions:
        given, own = self.task.extensions, find_settings(Path(path).parent)
        return Extensions((*own.rules, *given.rules), (*own.dialects, *given.dialects))

    def _task(self, path: str) -> Task:
        settings = find_settings(Path(path).parent)
        own, values = self.task, settings.values
        return Task(
            Engine(own.engine.name, own.engine.compile, own.engine.timeout), self._extensions(path),
            settings.check.only, settings.check.ignore,
            Deallocation(
                own.deallocation.pipeline if own.deallocation.pipeline != DEFAULT_PIPELINE
                else cast(PipelineName, values.get("pipeline", DEFAULT_PIPELINE)),
                own.deallocation.dynamic_ownership or bool(values.get("private-function-dynamic-ownership")),
                own.deallocation.only_functions,
            ),
            own.allow_unregistered or bool(values.get("allow-unregistered-dialect")),
        )  # fmt: skip

    # ---- in the protocol's terms

    def position(self, document: TextDocument, offset: int) -> lsp.Position:
        """A place in a text."""
        text = document.source
        offset = max(0, min(offset, len(text)))
        line = text.count("\n", 0, offset) + text.count("\r", 0, offset) - text.count("\r\n", 0, offset)
        before = text[line_start(text, offset) : offset]
        return lsp.Position(line, document.position_codec.client_num_units(before))

    def range(self, document: TextDocument, start: int, end: int) -> lsp.Range:
        """A stretch of a text."""
        return lsp.Range(self.position(document, start), self.position(document, end))

    def location(self, document: TextDocument, start: int, end: int) -> lsp.Location:
        """A stretch of a text, and the text."""
        return lsp.Location(document.uri, self.range(document, start, end))

    def _diagnostic(self, document: TextDocument, said: Diagnostic) -> lsp.Diagnostic:
        offset = said.offset if said.source is not None and said.offset is not None else 0
        end = offset + 1
        while end < len(document.source) and (document.source[end].isalnum() or document.source[end] in "_.$-"):
            end += 1
        message = said.message + (f"\nhelp: {said.hint}" if said.hint else "")
        notes = [
            lsp.DiagnosticRelatedInformation(self.location(document, note.offset, note.offset + 1), note.message)
            for note in said.notes
            if note.offset is not None and note.source is said.source
        ]
        return lsp.Diagnostic(
            self.range(document, offset, end), message, _SEVERITIES[said.severity], source="dealog",
            related_information=notes or None,
        )  # fmt: skip

    def _said(self, document: TextDocument, module: Document) -> list[lsp.Diagnostic]:
        said = [self._diagnostic(document, each) for each in (*module.errors, *module.warnings)]
        for finding in module.findings:
            notes = [
                lsp.DiagnosticRelatedInformation(self.location(document, spot.offset, spot.end), message)
                for spot, message in finding.notes
            ]
            message = finding.message + (f"\nhelp: {finding.kind.help}" if finding.kind.help else "")
            said.append(
                lsp.Diagnostic(
                    self.range(document, finding.spot.offset, finding.spot.end), message,
                    _SEVERITIES[finding.kind.level], code=finding.kind.name, source="dealog",
                    related_information=notes or None,
                )
            )  # fmt: skip
        return said


def make_server(task: Task) -> Server:
    """A server whose features are set up."""
    server = Server(task)
    document: Callable[[str], TextDocument] = lambda uri: server.workspace.get_text_document(uri)  # noqa: E731

    @server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
    async def opened(parameters: lsp.DidOpenTextDocumentParams) -> None:
        server.changed(parameters.text_document.uri, 0)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
    async def changed(parameters: lsp.DidChangeTextDocumentParams) -> None:
        server.changed(parameters.text_document.uri)

    @server.feature(lsp.TEXT_DOCUMENT_DID_SAVE)
    async def saved(parameters: lsp.DidSaveTextDocumentParams) -> None:
        server.changed(parameters.text_document.uri, 0)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)
    async def closed(parameters: lsp.DidCloseTextDocumentParams) -> None:
        server.closed(parameters.text_document.uri)

    @server.feature(lsp.TEXT_DOCUMENT_HOVER)
    async def hover(parameters: lsp.HoverParams) -> lsp.Hover | None:
        uri = parameters.text_document.uri
        await server.settled(uri)
        text = document(uri)
        offset = text.offset_at_position(parameters.position)
        if uri in server.rules:
            rules = server.rules[uri]
            found = rules.relation_at(offset)
            if found is None:
                return None
            return _markdown(rules.described(found[0]), server.range(text, *found[1:]))
        if uri in server.modules:
            module = server.modules[uri]
            at = module.buffer_at(offset)
            if at is None:
                return None
            buffer, value, spot = at
            return _markdown(module.described(buffer, value), server.range(text, spot.start, spot.end))
        return None

    @server.feature(lsp.TEXT_DOCUMENT_DEFINITION)
    async def definition(parameters: lsp.DefinitionParams) -> list[lsp.Location]:
        """Of a buffer, its allocations; of a relation, its declaration."""
        uri = parameters.text_document.uri
        await server.settled(uri)
        text = document(uri)
        offset = text.offset_at_position(parameters.position)
        if uri in server.rules:
            found = server.rules[uri].relation_at(offset)
            if found is None:
                return []
            place = server.rules[uri].declared(found[0])
            start = lsp.Position(place.line - 1, place.column - 1)
            end = lsp.Position(place.line - 1, place.column - 1 + place.length)
            return [lsp.Location(from_fs_path(place.path) or uri, lsp.Range(start, end))]
        if uri in server.modules:
            spots = server.modules[uri].definition_at(offset)
            return [server.location(text, spot.start, spot.end) for spot in spots]
        return []

    @server.feature(lsp.TEXT_DOCUMENT_IMPLEMENTATION)
    async def implementation(parameters: lsp.ImplementationParams) -> list[lsp.Location]:
        """Where a buffer is freed: the operations in front of which it is."""
        uri = parameters.text_document.uri
        await server.settled(uri)
        text = document(uri)
        module = server.modules.get(uri)
        at = module.buffer_at(text.offset_at_position(parameters.position)) if module is not None else None
        if at is None:
            return []
        spots = dict.fromkeys(freed.spot for freed in at[0].freed)
        return [server.location(text, spot.start, spot.end) for spot in spots]

    @server.feature(lsp.TEXT_DOCUMENT_REFERENCES)
    async def references(parameters: lsp.ReferenceParams) -> list[lsp.Location]:
        """The operations that use a buffer or a view of it."""
        uri = parameters.text_document.uri
        await server.settled(uri)
        text = document(uri)
        module = server.modules.get(uri)
        at = module.buffer_at(text.offset_at_position(parameters.position)) if module is not None else None
        if at is None:
            return []
        spots = dict.fromkeys([*(at[0].allocations if parameters.context.include_declaration else ()), *at[0].uses])
        return [server.location(text, spot.start, spot.end) for spot in spots]

    @server.feature(
        lsp.TEXT_DOCUMENT_CODE_ACTION, lsp.CodeActionOptions(code_action_kinds=[lsp.CodeActionKind.QuickFix])
    )
    async def actions(parameters: lsp.CodeActionParams) -> list[lsp.CodeAction]:
        """For each finding in the range: what mends it, and the comment that says that it is meant."""
        uri = parameters.text_document.uri
        await server.settled(uri)
        if uri not in server.modules:
            return []
        text, module = document(uri), server.modules[uri]
        made = []
        for finding, said in zip(module.findings, server._said(text, module)[-len(module.findings) :], strict=False):
            first, last = said.range.start.line, said.range.end.line
            if last < parameters.range.start.line or first > parameters.range.end.line:
                continue
            if finding.edits:
                edits = [lsp.TextEdit(server.range(text, edit.start, edit.end), edit.text) for edit in finding.edits]
                title = (finding.kind.help or finding.kind.name).partition(":")[0]
                made.append(_action(f"{finding.kind.name}: {title}", uri, edits, said, preferred=True))
            line = line_start(text.source, finding.spot.offset)
            indent = text.source[line : finding.spot.offset]
            indent = indent[: len(indent) - len(indent.lstrip())]
            comment = f"{indent}// dealog: ignore[{finding.kind.name}]{line_end(text.source, line)}"
            edit = lsp.TextEdit(server.range(text, line, line), comment)
            made.append(_action(f"{finding.kind.name}: say that it is meant", uri, [edit], said))
        return made

    @server.feature(lsp.TEXT_DOCUMENT_INLAY_HINT)
    async def hints(parameters: lsp.InlayHintParams) -> list[lsp.InlayHint]:
        """The deallocations that would be inserted."""
        uri = parameters.text_document.uri
        await server.settled(uri)
        if uri not in server.modules:
            return []
        text = document(uri)
        made = []
        for hint in server.modules[uri].hints:
            position = server.position(text, hint.offset)
            if parameters.range.start.line <= position.line <= parameters.range.end.line:
                reasons = "\n".join(f"- {reason}" for reason in hint.reasons)
                tooltip = lsp.MarkupContent(lsp.MarkupKind.Markdown, reasons) if reasons else None
                made.append(lsp.InlayHint(position, hint.label, padding_right=True, tooltip=tooltip))
        return made

    @server.feature(lsp.TEXT_DOCUMENT_COMPLETION, lsp.CompletionOptions(resolve_provider=True))
    async def complete(parameters: lsp.CompletionParams) -> list[lsp.CompletionItem]:
        """In rule files: the relations. What each of them means is said for the one that is looked at."""
        uri = parameters.text_document.uri
        await server.settled(uri)
        if uri not in server.rules:
            return []
        return [
            lsp.CompletionItem(name, kind=lsp.CompletionItemKind.Function, detail=relation.signature, data=uri)
            for name, relation in server.rules[uri].relations.items()
        ]

    @server.feature(lsp.COMPLETION_ITEM_RESOLVE)
    def resolve(item: lsp.CompletionItem) -> lsp.CompletionItem:
        """What there is to say about the relation that `item` stands for."""
        rules = server.rules.get(str(item.data))
        if rules is not None and (relation := rules.relations.get(item.label)) is not None:
            item.documentation = lsp.MarkupContent(lsp.MarkupKind.Markdown, rules.described(relation))
        return item

    return server


def _markdown(text: str, where: lsp.Range) -> lsp.Hover:
    return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.Markdown, text), where)


def _action(
    title: str, uri: str, edits: list[lsp.TextEdit], said: lsp.Diagnostic, preferred: bool = False
) -> lsp.CodeAction:
    changes: dict[str, Any] = {uri: edits}
    return lsp.CodeAction(
        title, lsp.CodeActionKind.QuickFix, [said], is_preferred=preferred or None, edit=lsp.WorkspaceEdit(changes)
    )


def serve(task: Task) -> None:
    """Serve an editor on standard input and output, until it leaves."""
    gc.enable()  # commands do without, as they end soon; this one does not
    make_server(task).start_io()
