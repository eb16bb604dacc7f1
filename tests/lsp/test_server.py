"""`dealog lsp` as an editor has it: a process, and the protocol with it, through a real client."""

import asyncio
import sys
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from lsprotocol import types as lsp
from pygls.lsp.client import LanguageClient

from tests.cli.command import dealog
from tests.support.tools import run_mlir_opt

WASTE = """\
func.func @f(%c: i1, %v: f32, %m: memref<4xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  %w = memref.cast %a : memref<4xf32> to memref<?xf32>
  memref.store %v, %w[%c0] : memref<?xf32>
  %b = memref.alloc() : memref<2xf32>  // café 𝕊
  memref.store %v, %b[%c0] : memref<2xf32>
  %x = memref.load %a[%c0] : memref<4xf32>
  return %x : f32
}
"""
RULES = """\
// small(value): the buffer `value` is a small one here.
.decl small(value: Value)
small(V) :- static_size(V, 0, N), N < 3.
"""
WAIT = 40


class Client(LanguageClient):
    """A client that keeps what the server says about each text, and its exit status."""

    def __init__(self):
        super().__init__("test", "1")
        self.said = asyncio.Queue()

        @self.feature(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        def _said(parameters):
            self.said.put_nowait(parameters)

    async def server_exit(self, server):
        self.status = server.returncode


@asynccontextmanager
async def editor(folder, *flags):
    client = Client()
    await client.start_io(sys.executable, "-m", "dealog", "lsp", *flags)
    try:
        capabilities = lsp.ClientCapabilities(
            general=lsp.GeneralClientCapabilities(position_encodings=[lsp.PositionEncodingKind.Utf16])
        )
        answer = await client.initialize_async(
            lsp.InitializeParams(capabilities=capabilities, root_uri=folder.as_uri())
        )
        assert answer.server_info.name == "dealog"
        client.initialized(lsp.InitializedParams())
        yield client
    finally:
        await asyncio.wait_for(client.shutdown_async(None), WAIT)
        client.exit(None)
        await asyncio.wait_for(client.stop(), WAIT)
        assert client.status == 0


async def open_(client, path, text):
    language = path.suffix[1:]
    item = lsp.TextDocumentItem(uri=path.as_uri(), language_id=language, version=1, text=text)
    client.text_document_did_open(lsp.DidOpenTextDocumentParams(item))
    return await said(client)


async def said(client):
    return (await asyncio.wait_for(client.said.get(), WAIT)).diagnostics


def change(client, path, version, text):
    client.text_document_did_change(
        lsp.DidChangeTextDocumentParams(
            lsp.VersionedTextDocumentIdentifier(version, path.as_uri()),
            [lsp.TextDocumentContentChangeWholeDocument(text)],
        )
    )


def at(text, needle, skip=0):
    """The place of `needle` in `text` as the protocol counts."""
    offset = text.index(needle) + skip
    line = text.count("\n", 0, offset)
    before = text[text.rfind("\n", 0, offset) + 1 : offset]
    return lsp.Position(line, len(before.encode("utf-16-le")) // 2)


def document(path):
    return lsp.TextDocumentIdentifier(path.as_uri())


def run(scenario):
    return asyncio.run(asyncio.wait_for(scenario, 5 * WAIT))


def test_an_mlir_text_in_an_editor(tmp_path):
    """All that is asked of one text, in one session, as starting a server takes its time."""
    path = tmp_path / "f.mlir"

    async def scenario():
        async with editor(tmp_path) as client:
            (finding,) = await open_(client, path, WASTE)
            assert (finding.code, finding.severity) == ("never_read", lsp.DiagnosticSeverity.Warning)
            assert finding.range == lsp.Range(at(WASTE, "%b"), at(WASTE, "%b", 2))

            hover = await client.text_document_hover_async(lsp.HoverParams(document(path), at(WASTE, "%w[", 1)))
            told = hover.contents.value
            assert "a view of `%a`" in told and "16 bytes" in told and "%a is owned" in told
            assert "freed before line 9" in told and "live in lines 3 to 8" in told, told
            nothing = await client.text_document_hover_async(lsp.HoverParams(document(path), at(WASTE, "%c0 =", 1)))
            assert nothing is None

            for needle in ("%w[", "%a[", "%a :"):
                where = lsp.DefinitionParams(document(path), at(WASTE, needle, 1))
                (place,) = await client.text_document_definition_async(where)
                assert place.range.start == at(WASTE, "%a = ")
            (place,) = await client.text_document_definition_async(
                lsp.DefinitionParams(document(path), at(WASTE, "%x :"))
            )
            assert place.range.start == at(WASTE, "%x = ")
            (place,) = await client.text_document_implementation_async(
                lsp.ImplementationParams(document(path), at(WASTE, "%w["))
            )
            assert place.range.start == at(WASTE, "return")
            places = await client.text_document_references_async(
                lsp.ReferenceParams(lsp.ReferenceContext(False), document(path), at(WASTE, "%a ="))
            )
            assert [place.range.start.line for place in places] == [3, 4, 7]

            everything = lsp.Range(lsp.Position(0, 0), lsp.Position(20, 0))
            hints = await client.text_document_inlay_hint_async(lsp.InlayHintParams(document(path), everything))
            places = {"dealloc %a": at(WASTE, "return"), "dealloc %b": at(WASTE, "%x =")}
            assert {hint.label: hint.position for hint in hints} == places
            assert all(hint.tooltip is not None for hint in hints)
            above = lsp.Range(lsp.Position(0, 0), lsp.Position(3, 0))
            assert not await client.text_document_inlay_hint_async(lsp.InlayHintParams(document(path), above))

            wanted = lsp.CodeActionParams(document(path), finding.range, lsp.CodeActionContext([finding]))
            mend, meant = await client.text_document_code_action_async(wanted)
            assert mend.title.startswith("never_read: ") and mend.is_preferred
            mended = applied(WASTE, mend.edit.changes[path.as_uri()])
            assert mended == "".join(line for line in WASTE.splitlines(True) if "%b" not in line)
            (output,) = run_mlir_opt([mended])
            assert output.ok
            change(client, path, 2, applied(WASTE, meant.edit.changes[path.as_uri()]))
            assert not await said(client)

            change(client, path, 3, "func.func @f(")
            (error,) = await said(client)
            assert error.severity == lsp.DiagnosticSeverity.Error and error.range.start == lsp.Position(0, 13)
            change(client, path, 4, WASTE.replace("  %x =", "  memref.dealloc %a : memref<4xf32>\n  %x ="))
            assert {each.severity for each in await said(client)} == {
                lsp.DiagnosticSeverity.Error,
                lsp.DiagnosticSeverity.Warning,
            }
            client.text_document_did_close(lsp.DidCloseTextDocumentParams(document(path)))
            assert not await said(client)

    run(scenario())


def applied(text, edits):
    """`text` after edits, whose places are counted in UTF-16."""
    lines = text.splitlines(keepends=True)
    for edit in sorted(edits, key=lambda edit: (edit.range.start.line, edit.range.start.character), reverse=True):
        offsets = []
        for position in (edit.range.start, edit.range.end):
            line = lines[position.line] if position.line < len(lines) else ""
            column = len(line.encode("utf-16-le")[: 2 * position.character].decode("utf-16-le"))
            offsets.append(sum(map(len, lines[: position.line])) + column)
        text = text[: offsets[0]] + edit.new_text + text[offsets[1] :]
        lines = text.splitlines(keepends=True)
    return text


GPU = """\
func.func @f(%m: memref<2xf32>) {
  %a = gpu.alloc() : memref<2xf32>
  memref.copy %a, %m : memref<2xf32> to memref<2xf32>
  %b = gpu.alloc() : memref<2xf32>
  memref.copy %b, %m : memref<2xf32> to memref<2xf32>
  gpu.dealloc %b : memref<2xf32>
  return
}
"""


def test_other_operations_free_too(tmp_path):
    async def scenario():
        async with editor(tmp_path) as client:
            path = tmp_path / "f.mlir"
            await open_(client, path, GPU)
            hover = await client.text_document_hover_async(lsp.HoverParams(document(path), at(GPU, "%a =", 1)))
            assert "freed before line 4" in hover.contents.value, hover.contents.value
            hover = await client.text_document_hover_async(lsp.HoverParams(document(path), at(GPU, "%b =", 1)))
            assert "freed in line 6, by the program itself" in hover.contents.value, hover.contents.value

    run(scenario())


def test_a_rule_file_in_an_editor(tmp_path):
    path = tmp_path / "ours.dl"

    async def scenario():
        async with editor(tmp_path) as client:
            assert not await open_(client, path, RULES)
            hover = await client.text_document_hover_async(lsp.HoverParams(document(path), at(RULES, "static_size", 3)))
            assert "static_size(value: Value, dimension: number, size: number)" in hover.contents.value
            assert "a fact about the module" in hover.contents.value
            hover = await client.text_document_hover_async(lsp.HoverParams(document(path), at(RULES, "small(V)")))
            assert "is a small one here" in hover.contents.value
            where = lsp.DefinitionParams(document(path), at(RULES, "static_size", 3))
            (place,) = await client.text_document_definition_async(where)
            target = Path(place.uri.removeprefix("file://"))
            line = target.read_text().splitlines()[place.range.start.line]
            assert target.name == "schema.dl" and line.startswith(".decl static_size(")
            assert line[place.range.start.character : place.range.end.character] == "static_size"
            (place,) = await client.text_document_definition_async(
                lsp.DefinitionParams(document(path), at(RULES, "small(V)"))
            )
            assert place.uri == path.as_uri() and place.range.start.line == 1
            items = await client.text_document_completion_async(lsp.CompletionParams(document(path), at(RULES, "N <")))
            by_label = {item.label: item for item in items}
            assert {"may_alias", "small", "static_size"} <= by_label.keys()
            assert by_label["static_size"].documentation is None  # there are a thousand others
            item = await client.completion_item_resolve_async(by_label["static_size"])
            assert "a fact about the module" in item.documentation.value

            change(client, path, 2, RULES.replace("static_size", "static_sise"))
            (error,) = await said(client)
            assert "static_sise" in error.message and error.range.start == at(RULES, "static_size")
            hover = await client.text_document_hover_async(lsp.HoverParams(document(path), at(RULES, "small(V)")))
            assert "is a small one here" in hover.contents.value  # names are known from before
            change(client, path, 3, RULES.replace("// small(value): the buffer `value` is a small one here.\n", ""))
            (warning,) = await said(client)
            assert warning.severity == lsp.DiagnosticSeverity.Warning

    run(scenario())


@pytest.mark.parametrize("name", ["f.mlir", "ours.dl"])
def test_nothing_is_known_of_texts_that_are_not_open(tmp_path, name):
    at = document(tmp_path / name), lsp.Position(1, 3)

    async def scenario():
        async with editor(tmp_path) as client:
            assert await client.text_document_hover_async(lsp.HoverParams(*at)) is None
            assert not await client.text_document_definition_async(lsp.DefinitionParams(*at))
            assert not await client.text_document_implementation_async(lsp.ImplementationParams(*at))
            context = lsp.ReferenceContext(False)
            assert not await client.text_document_references_async(lsp.ReferenceParams(context, *at))

    run(scenario())


def test_settings_and_options_hold(tmp_path):
    (tmp_path / "ours.dl").write_text(RULES.replace("here.\n", "here.\n// @finding error at `value`: small\n"))
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "dealog.toml").write_text('[check]\nonly = ["small"]\n')
    path = tmp_path / "deep" / "f.mlir"

    async def scenario():
        async with editor(tmp_path, "--rules", str(tmp_path / "ours.dl")) as client:
            (finding,) = await open_(client, path, WASTE)
            assert (finding.code, finding.message) == ("small", "small")
            (tmp_path / "deep" / "dealog.toml").write_text("nonsense = 1\n")
            client.text_document_did_save(lsp.DidSaveTextDocumentParams(document(path)))
            (error,) = await said(client)
            assert "there is no setting 'nonsense'" in error.message

    run(scenario())


def test_without_the_library(tmp_path):
    (tmp_path / "pygls").mkdir()
    (tmp_path / "pygls" / "__init__.py").write_text("raise ModuleNotFoundError(name='pygls')\n")
    run_ = dealog("lsp", PYTHONPATH=str(tmp_path))
    assert run_.status == 1 and run_.err == (
        "error: the language server needs pygls, which is not installed\n  help: pip install 'dealog[lsp]'\n"
    )


@pytest.mark.parametrize(
    ("count", "words"), [(None, "?"), (1, "1 byte"), (16, "16 bytes"), (1536, "1.5 KiB"), (2**31, "2 GiB")]
)
def test_sizes_in_words(count, words):
    from dealog.report_contents.sizes import in_words

    assert in_words(count) == words


@pytest.mark.parametrize(
    ("type", "count"),
    [
        ("memref<4xf32>", 16),
        ("memref<2x3xbf16, strided<[3, 1]>>", 12),
        ("memref<?xf32>", None),
        ("memref<*xf32>", None),
        ("i1", None),
        ("memref<3xi1>", 3),
        ("memref<2xvector<4xi64>>", 64),
    ],
)
def test_sizes_of_buffers(type, count):
    from dealog.report_contents.sizes import bytes_of

    assert bytes_of(type) == count
