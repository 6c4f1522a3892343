"""The requests that the server answers: each method of the protocol, and the function that answers it."""

from __future__ import annotations

import asyncio
import functools
import json
from collections.abc import Callable
from itertools import islice
from typing import Any

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from ..index.damage import blaming
from ..index.reading import Reading
from .indexed.places import Marked
from .protocol import Encoded, LspProtocol, failure
from .requests import hierarchies
from .requests.definition import as_answer, definitions, implementations, type_definitions
from .requests.hover import hover
from .requests.overlays.hints import hints
from .requests.overlays.lenses import lenses, with_callers
from .requests.overlays.links import links
from .requests.overlays.tokens import LEGEND, KnownTokens, tokens
from .requests.pointed import Global, Local, written
from .requests.references import highlights, recorded_total, references
from .requests.renaming import prepared, renamed
from .requests.structure import document_symbols, folding_ranges, selection_range
from .requests.typing.completion import completions, resolved
from .requests.typing.formatting import formatted, indented_line
from .requests.typing.importing import COMMAND, import_edit
from .requests.typing.signature import signature_help
from .requests.typing.such_places import SuchPlaces
from .requests.workspace import resolved_symbol, workspace_symbols
from .session import Session

MOST_REFERENCES = 1_000
_SETTING = 'The initialization option "references" sets how many.'
_BATCH = 200  # locations between two looks at what else the client wants

_OPTIONS = {
    types.TEXT_DOCUMENT_COMPLETION: types.CompletionOptions(
        trigger_characters=[":", "~"], resolve_provider=True
    ),
    types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL: LEGEND,
    types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL_DELTA: LEGEND,
    types.TEXT_DOCUMENT_SEMANTIC_TOKENS_RANGE: LEGEND,
    types.TEXT_DOCUMENT_ON_TYPE_FORMATTING: types.DocumentOnTypeFormattingOptions("\n"),
    types.TEXT_DOCUMENT_RENAME: types.RenameOptions(prepare_provider=True),
    types.TEXT_DOCUMENT_CODE_LENS: types.CodeLensOptions(resolve_provider=True),
    types.TEXT_DOCUMENT_DOCUMENT_LINK: types.DocumentLinkOptions(resolve_provider=False),
    types.WORKSPACE_SYMBOL: types.WorkspaceSymbolOptions(resolve_provider=True),
    types.TEXT_DOCUMENT_SIGNATURE_HELP: types.SignatureHelpOptions(
        trigger_characters=["(", " "], retrigger_characters=[")"]
    ),
}
"""What else the server says of a request that it answers."""
RequestHandler = Callable[..., Any]


def answering(function: RequestHandler, readings: Callable[[], list[Reading]]) -> RequestHandler:
    """A handler that turns errors into answers that say what is wrong, perhaps with one of the indexes."""
    if asyncio.iscoroutinefunction(function):

        @functools.wraps(function)
        async def answer_later(*arguments: Any) -> Any:
            try:
                with blaming(readings()):
                    return await function(*arguments)
            except Exception as error:  # noqa: BLE001 - a client gets every error as an answer
                raise failure(error) from None

        return answer_later

    @functools.wraps(function)
    def answer(*arguments: Any) -> Any:
        try:
            with blaming(readings()):
                return function(*arguments)
        except Exception as error:  # noqa: BLE001 - a client gets every error as an answer
            raise failure(error) from None

    return answer


class SessionFeatures:
    """The handlers of one session."""

    def __init__(self, server: LanguageServer, protocol: LspProtocol, session: Session) -> None:
        self._server = server
        self._protocol = protocol
        self._session = session
        self._most_references = MOST_REFERENCES
        self._known_tokens = KnownTokens()
        self._such_places = SuchPlaces()
        self._shows_hints = self._shows_lenses = self._imports = False

    def limit_references(self, most: int) -> None:
        """Send at most ``most`` references, or callers, for a request."""
        self._most_references = most

    def show(self, *, hints: bool, lenses: bool) -> None:
        """Show inlay hints and code lenses, or not."""
        self._shows_hints, self._shows_lenses = hints, lenses

    def import_completed(self) -> None:
        """Let names of other packages be imported when they are completed, not written with their package."""
        self._imports = True

    def forget(self, uri: str) -> None:
        """Forget what is known of a document that was closed."""
        self._known_tokens.forget(uri)
        self._such_places.forget(uri)

    def register(self) -> None:
        """Tell pygls which methods there are."""
        for method, function in self._table().items():
            if method.startswith("textDocument/") and method != types.TEXT_DOCUMENT_DOCUMENT_SYMBOL:
                function = self._unless_large(function)  # noqa: PLW2901
            self._server.feature(method, _OPTIONS.get(method))(answering(function, self._session.readings))
        self._server.command(COMMAND)(answering(self._import, self._session.readings))

    def _unless_large(self, function: RequestHandler) -> RequestHandler:
        """A handler that answers with null about a document that is too large to be read."""

        @functools.wraps(function)
        def answer(params: Any) -> Any:
            if self._session.is_large(params.text_document.uri):
                return None
            return function(params)

        @functools.wraps(function)
        async def answer_later(params: Any) -> Any:
            return None if self._session.is_large(params.text_document.uri) else await function(params)

        return answer_later if asyncio.iscoroutinefunction(function) else answer

    def _table(self) -> dict[str, RequestHandler]:
        return {
            types.TEXT_DOCUMENT_COMPLETION: self._completion,
            types.COMPLETION_ITEM_RESOLVE: self._resolve,
            types.TEXT_DOCUMENT_SIGNATURE_HELP: self._signature_help,
            types.TEXT_DOCUMENT_FORMATTING: self._format,
            types.TEXT_DOCUMENT_RANGE_FORMATTING: self._format_range,
            types.TEXT_DOCUMENT_ON_TYPE_FORMATTING: self._format_on_type,
            types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL: self._tokens,
            types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL_DELTA: self._tokens_delta,
            types.TEXT_DOCUMENT_SEMANTIC_TOKENS_RANGE: self._tokens_range,
            types.TEXT_DOCUMENT_HOVER: self._hover,
            types.TEXT_DOCUMENT_DEFINITION: self._definition,
            types.TEXT_DOCUMENT_DECLARATION: self._definition,
            types.TEXT_DOCUMENT_TYPE_DEFINITION: self._type_definition,
            types.TEXT_DOCUMENT_IMPLEMENTATION: self._implementation,
            types.TEXT_DOCUMENT_REFERENCES: self._references,
            types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT: self._highlight,
            types.TEXT_DOCUMENT_PREPARE_RENAME: self._prepare_rename,
            types.TEXT_DOCUMENT_RENAME: self._rename,
            types.TEXT_DOCUMENT_DOCUMENT_SYMBOL: self._document_symbol,
            types.TEXT_DOCUMENT_FOLDING_RANGE: self._folding_range,
            types.TEXT_DOCUMENT_SELECTION_RANGE: self._selection_range,
            types.TEXT_DOCUMENT_INLAY_HINT: self._hints,
            types.TEXT_DOCUMENT_CODE_LENS: self._lenses,
            types.CODE_LENS_RESOLVE: self._counted,
            types.TEXT_DOCUMENT_DOCUMENT_LINK: self._links,
            types.WORKSPACE_SYMBOL: self._workspace_symbol,
            types.WORKSPACE_SYMBOL_RESOLVE: self._resolve_symbol,
            types.TEXT_DOCUMENT_PREPARE_CALL_HIERARCHY: self._prepare_calls,
            types.CALL_HIERARCHY_INCOMING_CALLS: self._incoming_calls,
            types.CALL_HIERARCHY_OUTGOING_CALLS: self._outgoing_calls,
            types.TEXT_DOCUMENT_PREPARE_TYPE_HIERARCHY: self._prepare_types,
            types.TYPE_HIERARCHY_SUPERTYPES: self._supertypes,
            types.TYPE_HIERARCHY_SUBTYPES: self._subtypes,
            types.WORKSPACE_TEXT_DOCUMENT_CONTENT: self._content,
        }

    # What is being typed

    def _completion(self, params: types.CompletionParams) -> types.CompletionList | None:
        asked = self._session.asked(params.text_document.uri)
        return completions(asked, asked.offset(params.position), self._such_places, imports=self._imports)

    def _resolve(self, item: types.CompletionItem) -> types.CompletionItem:
        uri = item.data.get("uri") if isinstance(item.data, dict) else None
        return resolved(self._session.asked(uri), item) if isinstance(uri, str) else item

    async def _import(self, uri: str, package: str, name: str, source: str) -> None:
        edit = import_edit(self._session.asked(uri), package, name, source)
        if edit is not None:
            await self._server.workspace_apply_edit_async(types.ApplyWorkspaceEditParams(edit))

    def _signature_help(self, params: types.SignatureHelpParams) -> types.SignatureHelp | None:
        asked = self._session.asked(params.text_document.uri)
        by_offset: Any = self._server.client_capabilities.text_document
        for part in ("signature_help", "signature_information", "parameter_information"):
            by_offset = getattr(by_offset, part, None)
        offsets = bool(getattr(by_offset, "label_offset_support", None))
        return signature_help(asked, asked.offset(params.position), by_offset=offsets)

    def _format(self, params: types.DocumentFormattingParams) -> list[types.TextEdit]:
        asked = self._session.asked(params.text_document.uri)
        return formatted(asked, 0, asked.document.text.count("\n"))

    def _format_range(self, params: types.DocumentRangeFormattingParams) -> list[types.TextEdit]:
        asked, end = self._session.asked(params.text_document.uri), params.range.end
        # A range that ends at the beginning of a line has nothing of it.
        last = end.line - (end.character == 0 and end.line > params.range.start.line)
        return formatted(asked, params.range.start.line, last)

    def _format_on_type(self, params: types.DocumentOnTypeFormattingParams) -> list[types.TextEdit]:
        return indented_line(self._session.asked(params.text_document.uri), params.position.line)

    # Names

    def _hover(self, params: types.HoverParams) -> types.Hover | None:
        asked, at = self._session.pointed(params.text_document.uri, params.position)
        return hover(asked, at) if at is not None else None

    def _definition(self, params: types.DefinitionParams) -> Any:
        asked, at = self._session.pointed(params.text_document.uri, params.position)
        return self._spots(definitions(asked, at) if at is not None else [], "definition")

    def _type_definition(self, params: types.TypeDefinitionParams) -> Any:
        asked, at = self._session.pointed(params.text_document.uri, params.position)
        return self._spots(type_definitions(asked, at) if at is not None else [], "type_definition")

    def _implementation(self, params: types.ImplementationParams) -> Any:
        asked, at = self._session.pointed(params.text_document.uri, params.position)
        return self._spots(implementations(asked, at) if at is not None else [], "implementation")

    def _spots(self, spots: list[Any], request: str) -> Any:
        """The spots in the form that the client understands; tell it which of them are uncertain."""
        uncertain = sorted({spot.uri for spot in spots if not spot.certain})
        if uncertain:
            self._say(
                "These files have changed since the index was built, and it does not have their text, so "
                f"places in them are uncertain: {', '.join(uncertain[:5])}."
            )
        capabilities = self._server.client_capabilities.text_document
        support = getattr(capabilities, request, None) if capabilities is not None else None
        return as_answer(spots, links=bool(support is not None and support.link_support)) or None

    async def _references(self, params: types.ReferenceParams) -> Encoded | None:
        """Answer in batches, between which other messages are read: this one may be cancelled."""
        asked, at = self._session.pointed(params.text_document.uri, params.position)
        if at is None:
            return None
        wanted = references(asked, at, with_definitions=params.context.include_declaration)
        most = self._most_references
        found: list[Marked] = []
        sent = 0
        while batch := list(islice(wanted, min(_BATCH, most - len(found) - sent))):
            if params.partial_result_token is not None:
                self._protocol.send_part(params.partial_result_token, _encoded(batch))
                sent += len(batch)
            else:
                found += batch
            await asyncio.sleep(0)
            if len(found) + sent >= most:
                if next(wanted, None) is not None:
                    total = recorded_total(asked, at)
                    self._say(f"{total:,} uses are recorded; the first {most:,} are shown. {_SETTING}")
                break
        return _encoded(found)

    def _highlight(self, params: types.DocumentHighlightParams) -> list[types.DocumentHighlight] | None:
        asked, at = self._session.pointed(params.text_document.uri, params.position)
        return highlights(asked, at) if at is not None else None

    def _prepare_rename(self, params: types.PrepareRenameParams) -> types.PrepareRenamePlaceholder | None:
        asked, at = self._session.pointed(params.text_document.uri, params.position)
        return prepared(asked, at) if at is not None else None

    def _rename(self, params: types.RenameParams) -> types.WorkspaceEdit | None:
        asked, at = self._session.pointed(params.text_document.uri, params.position)
        workspace = self._server.client_capabilities.workspace
        support = workspace.workspace_edit if workspace is not None else None
        if at is None:
            return None
        annotates = bool(support and support.change_annotation_support)
        versions = bool(support and support.document_changes)
        return renamed(asked, at, params.new_name, annotates=annotates, versions=versions)

    # The document

    def _document_symbol(self, params: types.DocumentSymbolParams) -> Any:
        asked = self._session.asked(params.text_document.uri)
        symbols = document_symbols(asked.document, asked.reader)
        capabilities = self._server.client_capabilities.text_document
        support = capabilities.document_symbol if capabilities is not None else None
        if support is not None and support.hierarchical_document_symbol_support:
            return symbols
        return list(_flat(symbols, params.text_document.uri, None))

    def _folding_range(self, params: types.FoldingRangeParams) -> list[types.FoldingRange]:
        asked = self._session.asked(params.text_document.uri)
        return folding_ranges(asked.document, asked.reader)

    def _selection_range(self, params: types.SelectionRangeParams) -> list[types.SelectionRange]:
        asked = self._session.asked(params.text_document.uri)
        return [
            selection_range(asked.document, asked.reader, asked.offset(position))
            for position in params.positions
        ]

    def _tokens(self, params: types.SemanticTokensParams) -> types.SemanticTokens:
        return self._known_tokens.full(self._session.asked(params.text_document.uri))

    def _tokens_delta(
        self, params: types.SemanticTokensDeltaParams
    ) -> types.SemanticTokens | types.SemanticTokensDelta:
        asked = self._session.asked(params.text_document.uri)
        return self._known_tokens.delta(asked, params.previous_result_id)

    def _tokens_range(self, params: types.SemanticTokensRangeParams) -> types.SemanticTokens:
        asked = self._session.asked(params.text_document.uri)
        return types.SemanticTokens(tokens(asked, params.range.start.line, params.range.end.line))

    def _hints(self, params: types.InlayHintParams) -> list[types.InlayHint] | None:
        if not self._shows_hints:
            return None
        asked = self._session.asked(params.text_document.uri)
        return [*hints(asked, asked.offset(params.range.start), asked.offset(params.range.end))]

    def _lenses(self, params: types.CodeLensParams) -> list[types.CodeLens] | None:
        return [*lenses(self._session.asked(params.text_document.uri))] if self._shows_lenses else None

    def _counted(self, lens: types.CodeLens) -> types.CodeLens:
        uri = lens.data.get("uri") if isinstance(lens.data, dict) else None
        return with_callers(self._session.asked(uri), lens) if isinstance(uri, str) else lens

    def _links(self, params: types.DocumentLinkParams) -> list[types.DocumentLink]:
        return [*links(self._session.asked(params.text_document.uri))]

    # The workspace

    def _workspace_symbol(self, params: types.WorkspaceSymbolParams) -> list[types.WorkspaceSymbol]:
        workspace = self._server.client_capabilities.workspace
        support = workspace.symbol.resolve_support if workspace and workspace.symbol else None
        resolves = support is not None and "location.range" in support.properties
        return [
            symbol
            for asked in self._session.asked_of_any()
            for symbol in workspace_symbols(asked, params.query, resolves=resolves)
        ]

    def _resolve_symbol(self, symbol: types.WorkspaceSymbol) -> types.WorkspaceSymbol:
        found = (resolved_symbol(asked, symbol) for asked in self._session.asked_of_any())
        return next((one for one in found if one is not None), symbol)

    def _content(self, params: types.TextDocumentContentParams) -> types.TextDocumentContentResult:
        return types.TextDocumentContentResult(text=self._session.content(params.uri))

    # Hierarchies

    def _prepare_calls(self, params: types.CallHierarchyPrepareParams) -> Any:
        asked, at = self._session.pointed(params.text_document.uri, params.position)
        return (hierarchies.prepared_calls(asked, at) or None) if isinstance(at, Global) else None

    def _incoming_calls(self, params: types.CallHierarchyIncomingCallsParams) -> Any:
        asked, most = self._session.asked(params.item.uri), self._most_references
        calls, more = hierarchies.incoming_calls(asked, params.item.data, most)
        if more:
            shown = f"Only the first {most:,} callers of {params.item.name} are shown."
            self._say(f"{shown} {_SETTING}")
        return calls

    def _outgoing_calls(self, params: types.CallHierarchyOutgoingCallsParams) -> Any:
        return hierarchies.outgoing_calls(self._session.asked(params.item.uri), params.item.data)

    def _prepare_types(self, params: types.TypeHierarchyPrepareParams) -> Any:
        asked, at = self._session.pointed(params.text_document.uri, params.position)
        if at is None or isinstance(at, Local):
            return None
        return hierarchies.prepared_types(asked, written(asked, at.symbol, None)) or None

    def _supertypes(self, params: types.TypeHierarchySupertypesParams) -> Any:
        return hierarchies.supertypes(self._session.asked(params.item.uri), params.item.data)

    def _subtypes(self, params: types.TypeHierarchySubtypesParams) -> Any:
        return hierarchies.subtypes(self._session.asked(params.item.uri), params.item.data)

    def _say(self, message: str) -> None:
        self._server.window_show_message(types.ShowMessageParams(types.MessageType.Info, message))


def _encoded(found: list[Marked]) -> Encoded:
    """The places as a list of locations, in JSON."""
    uris = {uri: json.dumps(uri) for uri in {one.uri for one in found}}
    return Encoded(
        "[{}]".format(
            ",".join(
                f'{{"uri":{uris[uri]},"range":{{"start":{{"line":{line},"character":{start}}},'
                f'"end":{{"line":{line},"character":{end}}}}}}}'
                for uri, line, start, end, _ in found
            )
        ).encode()
    )


def _flat(symbols: Any, uri: str, container: str | None) -> Any:
    """Yield document symbols without their hierarchy, for clients that know none."""
    for one in symbols:
        yield types.SymbolInformation(
            location=types.Location(uri, one.range),
            name=one.name,
            kind=one.kind,
            container_name=container,
        )
        yield from _flat(one.children or (), uri, one.name)
