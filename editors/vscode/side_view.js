// Shows a report beside the editor, makes it anew after a save, and passes on which texel is picked in it.

const path = require("path");
const vscode = require("vscode");
const {DOCUMENTS} = require("./language_server");
const {sentencePage, webviewPage} = require("./webview_page");

const TYPE = "texelscope.texture";
// So long a sentence stays in the status bar, in milliseconds.
const READING = 10000;

class SideView {
  constructor(server) {
    this.server = server;
    this.panel = null;
    this.subject = null; // what the page is of: {target, pass}, pass null for all of the target
    this.picked = null; // {target, pass, texel}, by a click in the page
    this.hasPage = false;
    this.isUpdating = false;
    this.isOutdated = false;
    this.saves = vscode.workspace.onDidSaveTextDocument((document) => {
      if (this.panel && vscode.languages.match(DOCUMENTS, document)) return this.update();
    });
  }

  // Shows the pass that a document takes part in; asks if there are several.
  async show(document) {
    if (!document || !vscode.languages.match(DOCUMENTS, document)) {
      vscode.window.showInformationMessage("Texelscope shows the texture of a shader or a pipeline file. Open one first.");
      return;
    }
    const subject = await this.chosen(document).catch((error) => {
      vscode.window.showErrorMessage(error.message);
    });
    if (!subject) return;
    if (subject.target !== this.subject?.target || subject.pass !== this.subject.pass) {
      this.picked = null;
      this.hasPage = false;
    }
    this.subject = subject;
    if (!this.panel) this.open();
    this.panel.reveal(undefined, true);
    await this.update();
  }

  dispose() {
    this.saves.dispose();
    this.panel?.dispose();
  }

  // -- inside ----------------------------------------------------------------------------------------------------------

  async chosen(document) {
    const passes = await this.server.request("texelscope.server.passes", document.uri.toString());
    if (!passes.length) {
      vscode.window.showInformationMessage(
        `Texelscope found no pass of ${path.basename(document.fileName)}. A pipeline file says what a shader computes.`);
      return null;
    }
    if (path.extname(document.fileName) === ".toml") return {target: passes[0].target, pass: null};
    if (passes.length === 1) return passes[0];
    const items = passes.map((each) => ({
      label: each.pass, description: each.verdict ?? "", detail: vscode.workspace.asRelativePath(each.target), each,
    }));
    const item = await vscode.window.showQuickPick(items, {placeHolder: "The pass to show"});
    return item?.each ?? null;
  }

  open() {
    const place = {viewColumn: vscode.ViewColumn.Beside, preserveFocus: true};
    this.panel = vscode.window.createWebviewPanel(TYPE, "Texelscope", place, {
      enableScripts: true, localResourceRoots: [],
    });
    this.panel.webview.html = sentencePage("Texelscope runs the passes …");
    this.panel.webview.onDidReceiveMessage((message) => this.heard(message));
    this.panel.onDidDispose(() => {
      this.panel = null;
      this.hasPage = false;
    });
  }

  // Makes the page anew; a save meanwhile makes it once more.
  async update() {
    this.isOutdated = true;
    if (this.isUpdating) return;
    this.isUpdating = true;
    try {
      while (this.isOutdated && this.panel) {
        this.isOutdated = false;
        await this.updateOnce();
      }
    } finally {
      this.isUpdating = false;
    }
  }

  async updateOnce() {
    const {subject} = this, name = subject.pass ?? path.basename(subject.target);
    const progress = {location: vscode.ProgressLocation.Window, title: `Texelscope runs ${name}`};
    try {
      const {html} = await vscode.window.withProgress(progress, () =>
        this.server.request("texelscope.server.report", {target: subject.target, pass: subject.pass}));
      if (!this.panel || this.subject !== subject) return;
      const {pass, texel} = this.picked ?? {pass: subject.pass, texel: null};
      this.panel.webview.html = webviewPage(html, {of: `${subject.target} ${subject.pass}`, pass, texel});
      this.panel.title = `Texelscope: ${name}`;
      this.hasPage = true;
    } catch (error) {
      if (this.panel && this.subject === subject) this.failed(error.message);
    }
  }

  // The last page stays: what is wrong stands beside its line, as a diagnostic.
  failed(message) {
    if (!this.hasPage) {
      this.panel.webview.html = sentencePage(message);
      return;
    }
    if (!this.panel.title.endsWith(" (outdated)")) this.panel.title += " (outdated)";
    vscode.window.setStatusBarMessage(`Texelscope: ${message}`, READING);
  }

  async heard(message) {
    if (message?.kind !== "pick" || typeof message.pass !== "string" || !isTexel(message.texel)) return;
    this.picked = {target: this.subject.target, pass: message.pass, texel: message.texel};
    await this.server.request("texelscope.server.pick", this.picked).catch((error) => {
      vscode.window.setStatusBarMessage(`Texelscope: ${error.message}`, READING);
    });
  }
}

function isTexel(value) {
  return Array.isArray(value) && value.length === 2 && value.every((each) => Number.isInteger(each) && each >= 0);
}

module.exports = {SideView};
