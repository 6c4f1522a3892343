"""A session with the server through pytest-lsp, as editors that can do more or less."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from lsprotocol import types
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities

from support.editors.emporium import emporium
from support.editors.sessions import assert_in_order, recorded_server
from support.editors.steps import Step, assert_as_expected, steps
from support.editors.texts import Texts
from support.patience import SOON

EDITORS = ("emacs@v29.1", "neovim@v0.7.0", "neovim@v0.11.0", "visual-studio-code@v1.65.2")


@pytest_asyncio.fixture
async def client(tmp_path: Path) -> AsyncIterator[LanguageClient]:
    """A client with a server whose conversation is recorded."""
    started = await ClientServerConfig(server_command=recorded_server(tmp_path / "record")).start()
    assert isinstance(started, LanguageClient)
    yield started
    await started.stop()


class Session:
    """What someone does with one client, step by step."""

    def __init__(self, client: LanguageClient, editor: str) -> None:
        self._client = client
        self._capabilities = client_capabilities(editor)
        self._texts = Texts()
        self._versions: dict[str, int] = {}
        self._shown: Sequence[types.Diagnostic] = ()

    async def do(self, step: Step) -> Any:
        """Do a step; return what the client gets, in the form of the steps."""
        action = getattr(self, f"_{step.do}", None)
        try:
            return await asyncio.wait_for(action(step) if action else self._ask(step), SOON)
        except Exception as error:  # noqa: BLE001 - it may be what the step expects
            return getattr(error, "message", None) or repr(error)

    # Places

    def _uri(self, step: Step) -> str:
        return (emporium() / step.file).as_uri()

    def _at(self, step: Step) -> dict[str, Any]:
        document = types.TextDocumentIdentifier(self._uri(step))
        return {
            "text_document": document,
            "position": self._texts.position(document.uri, step.words, step.more),
        }

    def _places(self, found: Any) -> list[str]:
        return [
            self._texts.place(one.target_uri, one.target_selection_range)
            if isinstance(one, types.LocationLink)
            else self._texts.place(one.uri, one.range)
            for one in found or ()
        ]

    # The beginning, edits, and the end

    async def _start(self, _: Step) -> list[str]:
        folder = types.WorkspaceFolder(emporium().as_uri(), "emporium")
        answer = await self._client.initialize_session(
            types.InitializeParams(capabilities=self._capabilities, workspace_folders=[folder])
        )
        self._texts.encoding = str(answer.capabilities.position_encoding)
        able = self._client.protocol._converter.unstructure(answer.capabilities)
        return sorted(name for name in able if name.endswith("Provider") and name != "executeCommandProvider")

    async def _open(self, step: Step) -> list[str]:
        uri = self._uri(step)
        text = self._texts.of(uri)
        self._versions[uri] = 1
        self._client.text_document_did_open(
            types.DidOpenTextDocumentParams(types.TextDocumentItem(uri, "lisp", 1, text))
        )
        return await self._diagnostics(uri)

    async def _edit(self, step: Step) -> list[str]:
        uri = self._uri(step)
        self._versions[uri] += 1
        start = self._texts.position(uri, step.words, 0)
        end = self._texts.position(uri, step.words, len(step.words))
        self._texts.change(uri, step.words, step.to)
        change = types.TextDocumentContentChangePartial(types.Range(start, end), step.to)
        document = types.VersionedTextDocumentIdentifier(self._versions[uri], uri)
        self._client.text_document_did_change(types.DidChangeTextDocumentParams(document, [change]))
        return await self._diagnostics(uri)

    async def _complete(self, step: Step) -> str:
        found = await self._client.text_document_completion_async(types.CompletionParams(**self._at(step)))
        items = found.items if isinstance(found, types.CompletionList) else found or []
        return min(items, key=lambda one: one.sort_text or one.label).label

    async def _signature(self, step: Step) -> str:
        found = await self._client.text_document_signature_help_async(
            types.SignatureHelpParams(**self._at(step))
        )
        assert found is not None
        return found.signatures[found.active_signature or 0].label

    async def _fix(self, step: Step) -> str:
        uri = self._uri(step)
        place = self._at(step)
        actions = await self._client.text_document_code_action_async(
            types.CodeActionParams(
                place["text_document"],
                types.Range(place["position"], place["position"]),
                types.CodeActionContext(self._shown),
            )
        )
        (action,) = [one for one in actions or () if one.title == step.to]
        assert isinstance(action, types.CodeAction)
        assert action.edit is not None
        return await self._changed(uri, (action.edit.changes or {})[uri])

    async def _rename(self, step: Step) -> str:
        found = await self._client.text_document_rename_async(
            types.RenameParams(new_name=step.to, **self._at(step))
        )
        assert found is not None
        changes: dict[str, Sequence[Any]] = dict(found.changes or {})
        for one in found.document_changes or ():
            assert isinstance(one, types.TextDocumentEdit)
            changes[one.text_document.uri] = [
                each for each in one.edits if not isinstance(each, types.AnnotatedTextEdit)
            ]
        own = changes.pop(self._uri(step))
        for uri, edits in changes.items():
            await self._changed(uri, edits)
        return await self._changed(self._uri(step), own)

    async def _format(self, step: Step) -> str:
        uri = self._uri(step)
        edits = await self._client.text_document_formatting_async(
            types.DocumentFormattingParams(
                types.TextDocumentIdentifier(uri), types.FormattingOptions(tab_size=2, insert_spaces=True)
            )
        )
        return await self._changed(uri, edits or ())

    async def _changed(self, uri: str, edits: Sequence[types.TextEdit | types.SnippetTextEdit]) -> str:
        """Make edits, and tell the server the whole text; return it once nothing is wrong with it."""
        for one in sorted(edits, key=lambda edit: edit.range.start, reverse=True):
            assert isinstance(one, types.TextEdit)
            self._texts.edit(uri, one.range, one.new_text)
        self._versions[uri] += 1
        document = types.VersionedTextDocumentIdentifier(self._versions[uri], uri)
        whole = types.TextDocumentContentChangeWholeDocument(self._texts.of(uri))
        self._client.text_document_did_change(types.DidChangeTextDocumentParams(document, [whole]))
        assert await self._diagnostics(uri) == []
        return self._texts.of(uri)

    async def _diagnostics(self, uri: str) -> list[str]:
        """The diagnostics of a document: asked for by a client that can, else those that are published."""
        text_document = self._capabilities.text_document
        if text_document is not None and text_document.diagnostic is not None:
            report = await self._client.text_document_diagnostic_async(
                types.DocumentDiagnosticParams(types.TextDocumentIdentifier(uri))
            )
            assert isinstance(report, types.RelatedFullDocumentDiagnosticReport)
            found = report.items
        else:
            told = await self._client.wait_for_notification(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
            assert (told.uri, told.version) == (uri, self._versions[uri])
            found = told.diagnostics
        self._shown = found
        return [f"{self._texts.place(uri, one.range)}: {one.message}" for one in found]

    async def _shutdown(self, _: Step) -> str:
        await self._client.shutdown_session()
        return "ended"

    # Questions

    async def _ask(self, step: Step) -> list[str]:
        name, parameters = _ABOUT_PLACES[step.do]
        more = {"context": types.ReferenceContext(True)} if step.do == "references" else {}
        return self._places(await getattr(self._client, name)(parameters(**self._at(step), **more)))

    async def _hover(self, step: Step) -> str:
        answer = await self._client.text_document_hover_async(types.HoverParams(**self._at(step)))
        assert answer is not None
        assert isinstance(answer.contents, types.MarkupContent)
        return answer.contents.value

    async def _highlight(self, step: Step) -> list[str]:
        found = await self._client.text_document_document_highlight_async(
            types.DocumentHighlightParams(**self._at(step))
        )
        return [self._texts.place(self._uri(step), one.range) for one in found or ()]

    async def _symbols(self, step: Step) -> list[str]:
        document = types.TextDocumentIdentifier(self._uri(step))
        found = await self._client.text_document_document_symbol_async(types.DocumentSymbolParams(document))
        return [
            f"{one.kind.name} {one.selection_range.start.line + 1} {one.name}"
            for one in found or ()
            if isinstance(one, types.DocumentSymbol)
        ]

    async def _workspace(self, step: Step) -> list[str]:
        found = await self._client.workspace_symbol_async(types.WorkspaceSymbolParams(step.to))
        return self._places([one.location for one in found or ()])

    async def _calling(self, step: Step) -> types.CallHierarchyItem:
        (item,) = (
            await self._client.text_document_prepare_call_hierarchy_async(
                types.CallHierarchyPrepareParams(**self._at(step))
            )
            or ()
        )
        return item

    async def _incoming(self, step: Step) -> list[str]:
        item = await self._calling(step)
        found = await self._client.call_hierarchy_incoming_calls_async(
            types.CallHierarchyIncomingCallsParams(item)
        )
        return [self._call(one.from_, one.from_.uri, at) for one in found or () for at in one.from_ranges]

    async def _outgoing(self, step: Step) -> list[str]:
        item = await self._calling(step)
        found = await self._client.call_hierarchy_outgoing_calls_async(
            types.CallHierarchyOutgoingCallsParams(item)
        )
        own = [one for one in found or () if one.to.name.startswith("emporium:")]
        return [self._call(one.to, item.uri, at) for one in own for at in one.from_ranges]

    def _call(self, item: types.CallHierarchyItem, uri: str, at: types.Range) -> str:
        return f"{item.name} {self._texts.numbers(uri, at.start)}"

    async def _typed(self, step: Step) -> types.TypeHierarchyItem:
        (item,) = (
            await self._client.text_document_prepare_type_hierarchy_async(
                types.TypeHierarchyPrepareParams(**self._at(step))
            )
            or ()
        )
        return item

    async def _supertypes(self, step: Step) -> list[str]:
        parameters = types.TypeHierarchySupertypesParams(await self._typed(step))
        found = await self._client.type_hierarchy_supertypes_async(parameters)
        return [f"{one.name} {self._texts.place(one.uri, one.selection_range)}" for one in found or ()]

    async def _subtypes(self, step: Step) -> list[str]:
        parameters = types.TypeHierarchySubtypesParams(await self._typed(step))
        found = await self._client.type_hierarchy_subtypes_async(parameters)
        return [f"{one.name} {self._texts.place(one.uri, one.selection_range)}" for one in found or ()]

    async def _folding(self, step: Step) -> list[str]:
        document = types.TextDocumentIdentifier(self._uri(step))
        found = await self._client.text_document_folding_range_async(types.FoldingRangeParams(document))
        return [f"{one.start_line + 1}-{one.end_line + 1}" for one in found or ()]

    async def _selection(self, step: Step) -> list[str]:
        at = self._at(step)
        (found,) = (
            await self._client.text_document_selection_range_async(
                types.SelectionRangeParams(at["text_document"], [at["position"]])
            )
            or ()
        )
        texts: list[str] = []
        grown: types.SelectionRange | None = found
        while grown is not None and len(texts) < 3:
            texts.append(self._texts.cut(self._uri(step), grown.range))
            grown = grown.parent
        return texts


_ABOUT_PLACES: dict[str, tuple[str, Any]] = {
    "definition": ("text_document_definition_async", types.DefinitionParams),
    "implementation": ("text_document_implementation_async", types.ImplementationParams),
    "typeDefinition": ("text_document_type_definition_async", types.TypeDefinitionParams),
    "references": ("text_document_references_async", types.ReferenceParams),
}


@pytest.mark.asyncio
@pytest.mark.parametrize("editor", EDITORS)
async def test_a_session_with_what_an_editor_can_do(
    editor: str, client: LanguageClient, tmp_path: Path
) -> None:
    session = Session(client, editor)
    wanted = steps()
    assert_as_expected(wanted, {step.name: await session.do(step) for step in wanted})
    assert client.messages == []
    assert_in_order(tmp_path / "record", len(wanted) - 3)
