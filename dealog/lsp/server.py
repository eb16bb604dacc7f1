"""The language server: texts as an editor has them, and what `modules` and `rulefiles` find in them.

A text is looked at shortly after it changed, in a thread; `features` answers questions from what was found last.
"""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import cast

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer
from pygls.uris import to_fs_path
from pygls.workspace import TextDocument

from dealog import __version__
from dealog.checking.batch import Task
from dealog.checking.run import Finding
from dealog.deallocation import DEFAULT_PIPELINE, Deallocation, PipelineName
from dealog.diagnostics import DealogError, Diagnostic
from dealog.extensions import Extensions
from dealog.frontend.lexer import line_start
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
        self._modules: dict[str, Document] = {}
        self._rules: dict[str, RuleFile] = {}
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
        self._modules.pop(uri, None)
        self._rules.pop(uri, None)
        self._publish(uri, [])

    async def module(self, uri: str) -> tuple[TextDocument, Document] | None:
        """An MLIR text that is open, and what was found about it as it is; None for any other."""
        await self._settled(uri)
        found = self._modules.get(uri)
        return (self.workspace.get_text_document(uri), found) if found is not None else None

    async def rule_file(self, uri: str) -> tuple[TextDocument, RuleFile] | None:
        """The text of a rule file that is open, and what was found about it as it is; None for any other."""
        await self._settled(uri)
        found = self._rules.get(uri)
        return (self.workspace.get_text_document(uri), found) if found is not None else None

    async def _settled(self, uri: str) -> None:
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
            known = self._rules[uri].program if uri in self._rules else None
            found = await loop.run_in_executor(self._pool, lambda: RuleFile(text, path, self._extensions(path), known))
            self._rules[uri] = found
            said = [self._diagnostic(document, each) for each in found.diagnostics]
        else:
            try:
                module = await loop.run_in_executor(self._pool, lambda: Document(text, path, self._task(path)))
            except DealogError as error:  # the rules of the settings are wrong
                said = [self._diagnostic(document, each) for each in error.diagnostics]
            else:
                self._modules[uri] = module
                said = [
                    *(self._diagnostic(document, each) for each in (*module.errors, *module.warnings)),
                    *(self.finding(document, each) for each in module.findings),
                ]
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

    def finding(self, document: TextDocument, found: Finding) -> lsp.Diagnostic:
        """A finding, as the editor shows it."""
        notes = [
            lsp.DiagnosticRelatedInformation(self.location(document, spot.offset, spot.end), message)
            for spot, message in found.notes
        ]
        message = found.message + (f"\nhelp: {found.kind.help}" if found.kind.help else "")
        return lsp.Diagnostic(
            self.range(document, found.spot.offset, found.spot.end), message, _SEVERITIES[found.kind.level],
            code=found.kind.name, source="dealog", related_information=notes or None,
        )  # fmt: skip
