// Stands in for the module `vscode`, which exists within VS Code alone: what the extension and vscode-languageclient use.
//
// A call of anything else fails, as it is undefined. `standIn` is for tests: what the editor holds, and what a person does.

const fs = require("fs");
const path = require("path");
const {fileURLToPath, pathToFileURL} = require("url");

// -- records and names ------------------------------------------------------------------------------------------------

// A class whose constructor keeps its arguments under these names.
const record = (...names) => class {
  constructor(...values) {
    names.forEach((name, i) => {
      if (values[i] !== undefined) this[name] = values[i];
    });
  }
};
const numbered = (first, ...names) => Object.fromEntries(names.map((name, i) => [name, first + i]));

class Uri {
  constructor(href) {
    this.href = href;
  }

  static parse(text) {
    return new Uri(new URL(text).href);
  }

  static file(file) {
    return new Uri(pathToFileURL(file).href);
  }

  get scheme() {
    return new URL(this.href).protocol.slice(0, -1);
  }

  get path() {
    return decodeURIComponent(new URL(this.href).pathname);
  }

  get fsPath() {
    return fileURLToPath(this.href);
  }

  toString() {
    return this.href;
  }
}

class Position {
  constructor(line, character) {
    this.line = line;
    this.character = character;
  }
}

class Range {
  constructor(line, character, endLine, endCharacter) {
    this.start = new Position(line, character);
    this.end = new Position(endLine, endCharacter);
  }
}

class WorkspaceEdit {
  constructor() {
    this.changes = new Map();
  }

  set(uri, edits) {
    this.changes.set(uri.toString(), edits);
  }

  replace(uri, range, newText) {
    const edits = this.changes.get(uri.toString()) ?? [];
    this.set(uri, [...edits, {range, newText}]);
  }
}

class MarkdownString {
  constructor(value = "") {
    this.value = value;
  }

  appendMarkdown(text) {
    this.value += text;
    return this;
  }

  appendCodeblock(text, language) {
    return this.appendMarkdown(`\n\`\`\`${language}\n${text}\n\`\`\`\n`);
  }
}

class CodeActionKind {
  constructor(value) {
    this.value = value;
  }

  append(part) {
    return new CodeActionKind(this.value ? `${this.value}.${part}` : part);
  }
}
CodeActionKind.Empty = new CodeActionKind("");
Object.assign(CodeActionKind, {
  QuickFix: new CodeActionKind("quickfix"), Refactor: new CodeActionKind("refactor"),
  RefactorExtract: new CodeActionKind("refactor.extract"), RefactorInline: new CodeActionKind("refactor.inline"),
  RefactorRewrite: new CodeActionKind("refactor.rewrite"), Source: new CodeActionKind("source"),
  SourceOrganizeImports: new CodeActionKind("source.organizeImports"), SourceFixAll: new CodeActionKind("source.fixAll"),
});

class EventEmitter {
  constructor() {
    this.listeners = new Set();
    this.event = (listener, self) => {
      const bound = (value) => listener.call(self, value);
      this.listeners.add(bound);
      return {dispose: () => this.listeners.delete(bound)};
    };
  }

  // Returns when every listener is done.
  fire(value) {
    return Promise.all([...this.listeners].map((listener) => listener(value)));
  }

  dispose() {
    this.listeners.clear();
  }
}

class CancellationTokenSource {
  constructor() {
    this.token = {isCancellationRequested: false, onCancellationRequested: () => ({dispose() {}})};
  }

  cancel() {
    this.token.isCancellationRequested = true;
  }

  dispose() {}
}

// -- what the editor holds ---------------------------------------------------------------------------------------------

const standIn = {
  settings: {},
  folder: null,
  documents: [],
  messages: [], // of all kinds: {kind, text, buttons}
  diagnostics: new Map(), // by the address of a document
  commands: new Map(),
  providers: {}, // by the name of their registration: [{selector, provider}]
  adapterFactories: {},
  configurationProviders: {},
  sessions: [], // [folder, configuration] of each that was started
  panels: [],
  output: "",
  answer: () => undefined, // a person's answer to a message or a choice
};
const events = {};
const eventOf = (name) => (events[name] ??= new EventEmitter()).event;
standIn.fire = (name, value) => (events[name] ??= new EventEmitter()).fire(value);

const message = (kind) => (text, ...buttons) => {
  standIn.messages.push({kind, text, buttons});
  return Promise.resolve(standIn.answer(text, buttons));
};

function matches(selector, document) {
  const filters = Array.isArray(selector) ? selector : [selector];
  return filters.some(({language, scheme, pattern}) =>
    (!language || language === document.languageId) && (!scheme || scheme === document.uri.scheme)
    && (!pattern || path.extname(document.fileName) === path.extname(pattern))) ? 10 : 0;
}

const register = (name) => (selector, provider) => {
  const entry = {selector, provider}, all = (standIn.providers[name] ??= []);
  all.push(entry);
  return {dispose: () => all.splice(all.indexOf(entry), 1)};
};

class Document {
  constructor(file, languageId) {
    this.uri = Uri.file(file);
    this.languageId = languageId;
    this.version = 1;
    this.text = fs.readFileSync(file, "utf8");
  }

  get fileName() {
    return this.uri.fsPath;
  }

  getText() {
    return this.text;
  }
}

// Opens a file, in front.
standIn.open = async (file, languageId) => {
  const document = new Document(file, languageId);
  standIn.documents.push(document);
  window.activeTextEditor = {document};
  await standIn.fire("onDidOpenTextDocument", document);
  return document;
};

// Replaces all of the text and saves the document.
standIn.save = async (document, text) => {
  const before = document.text, lines = before.split("\n");
  const range = new Range(0, 0, lines.length - 1, lines.at(-1).length);
  document.version++;
  document.text = text;
  await standIn.fire("onDidChangeTextDocument", {
    document, contentChanges: [{range, rangeOffset: 0, rangeLength: before.length, text}],
  });
  fs.writeFileSync(document.fileName, text);
  await standIn.fire("onDidSaveTextDocument", document);
};

// What the first provider of a kind says of a document that it is for; undefined without one.
standIn.ask = (kind, method, document, ...more) => {
  const entry = standIn.providers[kind]?.find(({selector}) => matches(selector, document));
  return entry?.provider[method](document, ...more, new CancellationTokenSource().token);
};

// -- the module --------------------------------------------------------------------------------------------------------

const window = {
  activeTextEditor: undefined,
  tabGroups: {all: [], onDidChangeTabs: eventOf("onDidChangeTabs")},
  onDidChangeActiveTextEditor: eventOf("onDidChangeActiveTextEditor"),
  showErrorMessage: message("error"),
  showWarningMessage: message("warning"),
  showInformationMessage: message("information"),
  setStatusBarMessage: message("status"),
  showQuickPick: async (items) => standIn.answer("", items),
  withProgress: (_options, task) => task({report() {}}, new CancellationTokenSource().token),
  createOutputChannel: () => ({
    append: (text) => { standIn.output += text; },
    appendLine: (text) => { standIn.output += `${text}\n`; },
    show() {}, clear() {}, dispose() {},
  }),
  createWebviewPanel(viewType, title, place, options) {
    const received = new EventEmitter(), disposed = new EventEmitter(), pages = [];
    const webview = {
      get html() { return pages.at(-1); },
      set html(page) { pages.push(page); },
      onDidReceiveMessage: received.event,
    };
    const panel = {
      viewType, title, place, options, webview, pages, reveal() {}, onDidDispose: disposed.event,
      dispose: () => disposed.fire(), receive: (each) => received.fire(each),
    };
    standIn.panels.push(panel);
    return panel;
  },
};

const workspace = {
  get textDocuments() { return standIn.documents; },
  get workspaceFolders() { return standIn.folder ? [standIn.folder] : undefined; },
  getWorkspaceFolder: (uri) => (standIn.folder && uri.path.startsWith(standIn.folder.uri.path) ? standIn.folder : undefined),
  asRelativePath: (file) => path.relative(standIn.folder.uri.fsPath, file),
  getConfiguration: (section) => ({
    get: (name, otherwise) => standIn.settings[section ? `${section}.${name}` : name] ?? otherwise,
  }),
  createFileSystemWatcher: () => ({
    onDidCreate: eventOf("fileCreated"), onDidChange: eventOf("fileChanged"), onDidDelete: eventOf("fileDeleted"), dispose() {},
  }),
  notebookDocuments: [],
};
for (const name of [
  "onDidChangeConfiguration", "onDidChangeWorkspaceFolders", "onDidOpenTextDocument", "onDidChangeTextDocument",
  "onDidCloseTextDocument", "onWillSaveTextDocument", "onDidSaveTextDocument", "onDidCreateFiles", "onDidRenameFiles",
  "onDidDeleteFiles", "onWillCreateFiles", "onWillRenameFiles", "onWillDeleteFiles", "onDidOpenNotebookDocument",
  "onDidChangeNotebookDocument", "onDidSaveNotebookDocument", "onDidCloseNotebookDocument",
]) workspace[name] = eventOf(name);

const languages = {
  match: matches,
  createDiagnosticCollection: () => ({
    set: (uri, diagnostics) => {
      standIn.diagnostics.set(uri.toString(), diagnostics);
      standIn.fire("diagnostics", uri);
    },
    delete: (uri) => standIn.diagnostics.delete(uri.toString()),
    clear: () => standIn.diagnostics.clear(),
    dispose: () => standIn.diagnostics.clear(),
  }),
  registerHoverProvider: register("hover"),
  registerDefinitionProvider: register("definition"),
  registerRenameProvider: register("rename"),
  registerCodeActionsProvider: register("codeAction"),
};

const commands = {
  registerCommand: (name, does) => {
    if (standIn.commands.has(name)) throw new Error(`command '${name}' already exists`);
    standIn.commands.set(name, does);
    return {dispose: () => standIn.commands.delete(name)};
  },
  executeCommand: async (name, ...values) => standIn.commands.get(name)(...values),
};

const debug = {
  registerDebugAdapterDescriptorFactory: (type, factory) => {
    standIn.adapterFactories[type] = factory;
    return {dispose() {}};
  },
  registerDebugConfigurationProvider: (type, provider) => {
    standIn.configurationProviders[type] = provider;
    return {dispose() {}};
  },
  startDebugging: async (...session) => standIn.sessions.push(session),
};

module.exports = {
  standIn, window, workspace, languages, commands, debug,
  version: "1.82.0",
  env: {appName: "stand-in", language: "en"},
  Uri, Position, Range, WorkspaceEdit, MarkdownString, CodeActionKind, EventEmitter, CancellationTokenSource,
  Disposable: class { constructor(dispose) { this.dispose = dispose; } },
  CancellationError: class extends Error {},
  Location: record("uri", "range"),
  TextEdit: record("range", "newText"),
  Hover: record("contents", "range"),
  Diagnostic: record("range", "message", "severity"),
  DiagnosticRelatedInformation: record("location", "message"),
  CodeAction: record("title", "kind"),
  DebugAdapterExecutable: record("command", "args", "options"),
  CodeLens: record("range"),
  CompletionItem: record("label"),
  DocumentLink: record("range", "target"),
  InlayHint: record("position", "label"),
  SymbolInformation: record("name", "kind"),
  CallHierarchyItem: record("kind", "name"),
  TypeHierarchyItem: record("kind", "name"),
  DiagnosticSeverity: numbered(0, "Error", "Warning", "Information", "Hint"),
  DiagnosticTag: numbered(1, "Unnecessary", "Deprecated"),
  CodeActionTriggerKind: numbered(1, "Invoke", "Automatic"),
  CompletionItemKind: numbered(0, "Text"),
  CompletionItemTag: numbered(1, "Deprecated"),
  SymbolKind: numbered(0, "File"),
  SymbolTag: numbered(1, "Deprecated"),
  TextDocumentSaveReason: numbered(1, "Manual", "AfterDelay", "FocusOut"),
  ProgressLocation: {SourceControl: 1, Window: 10, Notification: 15},
  ViewColumn: {Beside: -2, Active: -1, One: 1},
};
