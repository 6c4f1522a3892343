// Do the steps of a session with vscode-jsonrpc and vscode-languageserver-protocol, and write what each shows.
import { spawn } from "node:child_process";
import { appendFileSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const [modules] = process.argv.slice(2);
const lsp = createRequire(modules + "/")("vscode-languageserver-protocol/node");
const task = JSON.parse(readFileSync(process.env.OBLIST_TASK, "utf8"));
const SECONDS = 30;

const server = spawn(task.server[0], task.server.slice(1), { stdio: ["pipe", "pipe", "inherit"] });
const exited = new Promise((resolve) => server.on("exit", resolve));
const connection = lsp.createProtocolConnection(
  new lsp.StreamMessageReader(server.stdout),
  new lsp.StreamMessageWriter(server.stdin),
);
const documents = new Map(); // by file name: URI, version and text
const diagnostics = new Map(); // by URI: the last that were published
connection.onNotification(lsp.PublishDiagnosticsNotification.type, (told) => diagnostics.set(told.uri, told));
connection.onError(([error]) => fail(error));
connection.listen();

function fail(error) {
  console.error(error);
  server.kill();
  process.exit(1);
}

async function limited(promise) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error("too late")), SECONDS * 1000);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

const ask = (type, params) => limited(connection.sendRequest(type, params));
const kinds = Object.fromEntries(Object.entries(lsp.SymbolKind).map(([name, kind]) => [kind, name]));

// Places

function textOf(uri) {
  const open = [...documents.values()].find((one) => one.uri === uri);
  return open ? open.text : readFileSync(fileURLToPath(uri), "utf8");
}

// Positions count UTF-16 units, as the strings of JavaScript do.
function plain(text) {
  const lines = text.split("\n");
  const offset = ({ line, character }) =>
    lines.slice(0, line).reduce((sum, one) => sum + one.length + 1, 0) + character;
  return {
    lines,
    offset,
    cut: (range) => text.slice(offset(range.start), offset(range.end)),
  };
}

function positionOf(file, words, more) {
  const { text } = documents.get(file);
  const at = text.indexOf(words);
  if (at < 0) throw new Error(`${file} has no ${words}`);
  const before = text.slice(0, at + more);
  const line = before.split("\n").length - 1;
  return { line, character: before.length - before.lastIndexOf("\n") - 1 };
}

function numbers(uri, position) {
  const line = plain(textOf(uri)).lines[position.line];
  return `${position.line + 1}:${[...line.slice(0, position.character)].length + 1}`;
}

function place(uri, range) {
  return `${basename(fileURLToPath(uri))}:${numbers(uri, range.start)} ${plain(textOf(uri)).cut(range)}`;
}

const places = (answer) =>
  [answer ?? []].flat().map((one) => place(one.targetUri ?? one.uri, one.targetSelectionRange ?? one.range));

// What can be done

function at(step, more = {}) {
  const { uri } = documents.get(step.file);
  return { textDocument: { uri }, position: positionOf(step.file, step.words, step.more), ...more };
}

async function published({ uri, version }) {
  const end = Date.now() + SECONDS * 1000;
  while (diagnostics.get(uri)?.version !== version) {
    if (Date.now() > end) throw new Error(`no diagnostics of version ${version}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return diagnostics.get(uri).diagnostics.map((one) => `${place(uri, one.range)}: ${one.message}`);
}

async function hierarchy(step, prepare, type) {
  const [item] = await ask(prepare, at(step));
  return ask(type, { item });
}

const calls = (found, side, uri) =>
  found.flatMap((one) =>
    one.fromRanges.map((range) => `${one[side].name} ${numbers(uri ?? one[side].uri, range.start)}`),
  );

function grown(range, uri) {
  const texts = [];
  for (; range && texts.length < 3; range = range.parent) texts.push(plain(textOf(uri)).cut(range.range));
  return texts;
}

// Make edits, and tell the server the whole text; return it once nothing is wrong with it.
async function changed(file, edits) {
  const document = documents.get(file);
  const { offset } = plain(document.text);
  const places = edits.map(({ range, newText }) => [offset(range.start), offset(range.end), newText]);
  for (const [start, end, text] of places.sort((one, other) => other[0] - one[0])) {
    document.text = document.text.slice(0, start) + text + document.text.slice(end);
  }
  document.version += 1;
  await connection.sendNotification(lsp.DidChangeTextDocumentNotification.type, {
    textDocument: { uri: document.uri, version: document.version },
    contentChanges: [{ text: document.text }],
  });
  const wrong = await published(document);
  return wrong.length ? wrong : document.text;
}

const actions = {
  async start() {
    const folder = pathToFileURL(task.project).href;
    const answer = await ask(lsp.InitializeRequest.type, {
      processId: process.pid,
      clientInfo: { name: "vscode-languageserver-protocol" },
      rootUri: folder,
      workspaceFolders: [{ uri: folder, name: basename(task.project) }],
      capabilities: {
        general: { positionEncodings: [lsp.PositionEncodingKind.UTF16] },
        textDocument: {
          definition: { linkSupport: true },
          documentSymbol: { hierarchicalDocumentSymbolSupport: true },
          publishDiagnostics: { versionSupport: true },
        },
      },
    });
    await connection.sendNotification(lsp.InitializedNotification.type, {});
    return Object.keys(answer.capabilities)
      .filter((name) => name.endsWith("Provider") && name !== "executeCommandProvider")
      .sort();
  },
  async open(step) {
    const path = `${task.project}/${step.file}`;
    const document = { uri: pathToFileURL(path).href, version: 1, text: readFileSync(path, "utf8") };
    documents.set(step.file, document);
    const textDocument = { ...document, languageId: "lisp" };
    await connection.sendNotification(lsp.DidOpenTextDocumentNotification.type, { textDocument });
    return published(document);
  },
  async hover(step) {
    return (await ask(lsp.HoverRequest.type, at(step))).contents.value;
  },
  definition: async (step) => places(await ask(lsp.DefinitionRequest.type, at(step))),
  implementation: async (step) => places(await ask(lsp.ImplementationRequest.type, at(step))),
  typeDefinition: async (step) => places(await ask(lsp.TypeDefinitionRequest.type, at(step))),
  async references(step) {
    return places(await ask(lsp.ReferencesRequest.type, at(step, { context: { includeDeclaration: true } })));
  },
  async highlight(step) {
    const { uri } = documents.get(step.file);
    return (await ask(lsp.DocumentHighlightRequest.type, at(step))).map((one) => place(uri, one.range));
  },
  async symbols(step) {
    const { uri } = documents.get(step.file);
    const found = await ask(lsp.DocumentSymbolRequest.type, { textDocument: { uri } });
    return found.map((one) => `${kinds[one.kind]} ${one.selectionRange.start.line + 1} ${one.name}`);
  },
  async workspace(step) {
    const found = await ask(lsp.WorkspaceSymbolRequest.type, { query: step.to });
    return found.map((one) => place(one.location.uri, one.location.range));
  },
  async incoming(step) {
    const found = await hierarchy(
      step,
      lsp.CallHierarchyPrepareRequest.type,
      lsp.CallHierarchyIncomingCallsRequest.type,
    );
    return calls(found, "from");
  },
  async outgoing(step) {
    const found = await hierarchy(
      step,
      lsp.CallHierarchyPrepareRequest.type,
      lsp.CallHierarchyOutgoingCallsRequest.type,
    );
    const own = found.filter((one) => one.to.name.startsWith("emporium:"));
    return calls(own, "to", documents.get(step.file).uri);
  },
  async supertypes(step) {
    const found = await hierarchy(
      step,
      lsp.TypeHierarchyPrepareRequest.type,
      lsp.TypeHierarchySupertypesRequest.type,
    );
    return found.map((one) => `${one.name} ${place(one.uri, one.selectionRange)}`);
  },
  async subtypes(step) {
    const found = await hierarchy(
      step,
      lsp.TypeHierarchyPrepareRequest.type,
      lsp.TypeHierarchySubtypesRequest.type,
    );
    return found.map((one) => `${one.name} ${place(one.uri, one.selectionRange)}`);
  },
  async folding(step) {
    const { uri } = documents.get(step.file);
    const found = await ask(lsp.FoldingRangeRequest.type, { textDocument: { uri } });
    return found.map((one) => `${one.startLine + 1}-${one.endLine + 1}`);
  },
  async selection(step) {
    const { textDocument, position } = at(step);
    const [found] = await ask(lsp.SelectionRangeRequest.type, { textDocument, positions: [position] });
    return grown(found, textDocument.uri);
  },
  async edit(step) {
    const document = documents.get(step.file);
    const start = positionOf(step.file, step.words, 0);
    const end = positionOf(step.file, step.words, step.words.length);
    document.text = document.text.replace(step.words, () => step.to);
    document.version += 1;
    await connection.sendNotification(lsp.DidChangeTextDocumentNotification.type, {
      textDocument: { uri: document.uri, version: document.version },
      contentChanges: [{ range: { start, end }, text: step.to }],
    });
    return published(document);
  },
  async complete(step) {
    const { items } = await ask(lsp.CompletionRequest.type, at(step));
    return items.map((one) => [one.sortText ?? one.label, one.label]).sort()[0][1];
  },
  async signature(step) {
    const { signatures, activeSignature } = await ask(lsp.SignatureHelpRequest.type, at(step));
    return signatures[activeSignature ?? 0].label;
  },
  async fix(step) {
    const { uri } = documents.get(step.file);
    const { textDocument, position } = at(step);
    const context = { diagnostics: diagnostics.get(uri).diagnostics };
    const range = { start: position, end: position };
    const found = await ask(lsp.CodeActionRequest.type, { textDocument, range, context });
    return changed(step.file, found.find((one) => one.title === step.to).edit.changes[uri]);
  },
  async rename(step) {
    const answer = await ask(lsp.RenameRequest.type, at(step, { newName: step.to }));
    const changes = Object.entries(answer.changes ?? {});
    const others = changes.filter(([uri]) => uri !== documents.get(step.file).uri);
    for (const [uri, edits] of others) {
      const [file] = [...documents].find(([, one]) => one.uri === uri);
      await changed(file, edits);
    }
    return changed(step.file, answer.changes[documents.get(step.file).uri]);
  },
  async format(step) {
    const { uri } = documents.get(step.file);
    const options = { tabSize: 2, insertSpaces: true };
    return changed(step.file, await ask(lsp.DocumentFormattingRequest.type, { textDocument: { uri }, options }));
  },
  async shutdown() {
    await ask(lsp.ShutdownRequest.type);
    await connection.sendNotification(lsp.ExitNotification.type);
    return (await limited(exited)) === 0 ? "ended" : "failed";
  },
};

for (const step of task.steps) {
  let seen;
  try {
    seen = await actions[step.do](step);
  } catch (error) {
    seen = error.message;
  }
  appendFileSync(task.shown, JSON.stringify({ name: step.name, seen }) + "\n");
}
server.kill();
connection.dispose();
