"""What the language server answers: each feature of the protocol that it has, in the order of `make_server`."""

from __future__ import annotations

import gc
from typing import Any

from lsprotocol import types as lsp
from pygls.uris import from_fs_path
from pygls.workspace import TextDocument

from dealog.checking.batch import Task
from dealog.checking.run import Finding
from dealog.frontend.lexer import line_end, line_start
from dealog.lsp.modules import Buffer
from dealog.lsp.server import Server


def make_server(task: Task) -> Server:
    """A server that has all features, and checks texts as `task` says."""
    server = Server(task)
    fixes = lsp.CodeActionOptions(code_action_kinds=[lsp.CodeActionKind.QuickFix])
    server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)(_opened)
    server.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)(_changed)
    server.feature(lsp.TEXT_DOCUMENT_DID_SAVE)(_saved)
    server.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)(_closed)
    server.feature(lsp.TEXT_DOCUMENT_HOVER)(_hover)
    server.feature(lsp.TEXT_DOCUMENT_DEFINITION)(_definition)
    server.feature(lsp.TEXT_DOCUMENT_IMPLEMENTATION)(_implementation)
    server.feature(lsp.TEXT_DOCUMENT_REFERENCES)(_references)
    server.feature(lsp.TEXT_DOCUMENT_CODE_ACTION, fixes)(_actions)
    server.feature(lsp.TEXT_DOCUMENT_INLAY_HINT)(_hints)
    server.feature(lsp.TEXT_DOCUMENT_COMPLETION, lsp.CompletionOptions(resolve_provider=True))(_complete)
    server.feature(lsp.COMPLETION_ITEM_RESOLVE)(_resolve)
    return server


def serve(task: Task) -> None:
    """Serve an editor on standard input and output, until it leaves."""
    gc.enable()  # commands do without, as they end soon; this one does not
    make_server(task).start_io()


# ---- texts come and go


async def _opened(server: Server, parameters: lsp.DidOpenTextDocumentParams) -> None:
    server.changed(parameters.text_document.uri, 0)


async def _changed(server: Server, parameters: lsp.DidChangeTextDocumentParams) -> None:
    server.changed(parameters.text_document.uri)


async def _saved(server: Server, parameters: lsp.DidSaveTextDocumentParams) -> None:
    server.changed(parameters.text_document.uri, 0)


async def _closed(server: Server, parameters: lsp.DidCloseTextDocumentParams) -> None:
    server.closed(parameters.text_document.uri)


# ---- what is at a place


async def _hover(server: Server, parameters: lsp.HoverParams) -> lsp.Hover | None:
    """What there is to say about a buffer, or about a relation."""
    uri = parameters.text_document.uri
    if (module := await server.module(uri)) is not None:
        text, document = module
        at = document.buffer_at(text.offset_at_position(parameters.position))
        if at is None:
            return None
        buffer, value, spot = at
        return lsp.Hover(_markdown(document.described(buffer, value)), server.range(text, spot.start, spot.end))
    if (rules := await server.rule_file(uri)) is not None:
        text, file = rules
        found = file.relation_at(text.offset_at_position(parameters.position))
        if found is None:
            return None
        relation, start, end = found
        return lsp.Hover(_markdown(file.described(relation)), server.range(text, start, end))
    return None


async def _definition(server: Server, parameters: lsp.DefinitionParams) -> list[lsp.Location]:
    """Of a buffer, its allocations; of a relation, its declaration."""
    uri = parameters.text_document.uri
    if (module := await server.module(uri)) is not None:
        text, document = module
        spots = document.definition_at(text.offset_at_position(parameters.position))
        return [server.location(text, spot.start, spot.end) for spot in spots]
    if (rules := await server.rule_file(uri)) is not None:
        text, file = rules
        found = file.relation_at(text.offset_at_position(parameters.position))
        if found is None:
            return []
        place = file.declared(found[0])
        start = lsp.Position(place.line - 1, place.column - 1)
        end = lsp.Position(place.line - 1, place.column - 1 + place.length)
        return [lsp.Location(from_fs_path(place.path) or uri, lsp.Range(start, end))]
    return []


async def _implementation(server: Server, parameters: lsp.ImplementationParams) -> list[lsp.Location]:
    """Where a buffer is freed: the operations in front of which it is."""
    found = await _buffer(server, parameters)
    if found is None:
        return []
    text, buffer = found
    return [server.location(text, spot.start, spot.end) for spot in dict.fromkeys(freed.spot for freed in buffer.freed)]


async def _references(server: Server, parameters: lsp.ReferenceParams) -> list[lsp.Location]:
    """The operations that use a buffer or a view of it."""
    found = await _buffer(server, parameters)
    if found is None:
        return []
    text, buffer = found
    allocations = buffer.allocations if parameters.context.include_declaration else ()
    return [server.location(text, spot.start, spot.end) for spot in dict.fromkeys([*allocations, *buffer.uses])]


async def _buffer(
    server: Server, parameters: lsp.ImplementationParams | lsp.ReferenceParams
) -> tuple[TextDocument, Buffer] | None:
    """The text that is asked about, and the buffer at the place in it; None where there is no buffer."""
    module = await server.module(parameters.text_document.uri)
    if module is None:
        return None
    text, document = module
    at = document.buffer_at(text.offset_at_position(parameters.position))
    return (text, at[0]) if at is not None else None


# ---- what is in a range


async def _actions(server: Server, parameters: lsp.CodeActionParams) -> list[lsp.CodeAction]:
    """For each finding in the range: what mends it, and the comment that says that it is meant."""
    uri = parameters.text_document.uri
    module = await server.module(uri)
    if module is None:
        return []
    text, document = module
    made = []
    for finding in document.findings:
        said = server.finding(text, finding)
        first, last = said.range.start.line, said.range.end.line
        if last < parameters.range.start.line or first > parameters.range.end.line:
            continue
        if finding.edits:
            edits = [lsp.TextEdit(server.range(text, edit.start, edit.end), edit.text) for edit in finding.edits]
            title = (finding.kind.help or finding.kind.name).partition(":")[0]
            made.append(_action(f"{finding.kind.name}: {title}", uri, edits, said, preferred=True))
        comment = _comment(server, text, finding)
        made.append(_action(f"{finding.kind.name}: say that it is meant", uri, [comment], said))
    return made


def _comment(server: Server, text: TextDocument, finding: Finding) -> lsp.TextEdit:
    """Puts the comment that says that `finding` is meant on a line of its own, above it."""
    line = line_start(text.source, finding.spot.offset)
    indent = text.source[line : finding.spot.offset]
    indent = indent[: len(indent) - len(indent.lstrip())]
    comment = f"{indent}// dealog: ignore[{finding.kind.name}]{line_end(text.source, line)}"
    return lsp.TextEdit(server.range(text, line, line), comment)


def _action(
    title: str, uri: str, edits: list[lsp.TextEdit], said: lsp.Diagnostic, preferred: bool = False
) -> lsp.CodeAction:
    changes: dict[str, Any] = {uri: edits}
    return lsp.CodeAction(
        title, lsp.CodeActionKind.QuickFix, [said], is_preferred=preferred or None, edit=lsp.WorkspaceEdit(changes)
    )


async def _hints(server: Server, parameters: lsp.InlayHintParams) -> list[lsp.InlayHint]:
    """The deallocations that would be inserted."""
    module = await server.module(parameters.text_document.uri)
    if module is None:
        return []
    text, document = module
    made = []
    for hint in document.hints:
        position = server.position(text, hint.offset)
        if parameters.range.start.line <= position.line <= parameters.range.end.line:
            tooltip = _markdown("\n".join(f"- {reason}" for reason in hint.reasons)) if hint.reasons else None
            made.append(lsp.InlayHint(position, hint.label, padding_right=True, tooltip=tooltip))
    return made


# ---- what can be written


async def _complete(server: Server, parameters: lsp.CompletionParams) -> list[lsp.CompletionItem]:
    """In rule files: the relations. What each of them means is said for the one that is looked at."""
    uri = parameters.text_document.uri
    rules = await server.rule_file(uri)
    if rules is None:
        return []
    return [
        lsp.CompletionItem(name, kind=lsp.CompletionItemKind.Function, detail=relation.signature, data=uri)
        for name, relation in rules[1].relations.items()
    ]


async def _resolve(server: Server, item: lsp.CompletionItem) -> lsp.CompletionItem:
    """What there is to say about the relation that `item` stands for."""
    rules = await server.rule_file(str(item.data))
    if rules is not None and (relation := rules[1].relations.get(item.label)) is not None:
        item.documentation = _markdown(rules[1].described(relation))
    return item


def _markdown(text: str) -> lsp.MarkupContent:
    return lsp.MarkupContent(lsp.MarkupKind.Markdown, text)
