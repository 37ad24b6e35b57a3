// Runs the language server: starts it, asks it, starts it anew, and ends it with the extension.

const vscode = require("vscode");
const {CloseAction, ErrorAction, LanguageClient} = require("vscode-languageclient/node");
const {NOT_FOUND, SETTING, cannotStart, programFor} = require("./program");
const {ServerProcess} = require("./server_process");

// Pipeline files are TOML, for which VS Code knows no language by itself.
const DOCUMENTS = [
  ...["glsl", "hlsl", "wgsl", "slang"].map((language) => ({scheme: "file", language})),
  {scheme: "file", pattern: "**/*.toml"},
];
// So long a server may take to end when it was asked to, in milliseconds.
const ENDING = 2000;

// The library's client, for a server that may not start: whoever starts it sees that by the process, and says it once.
class Client extends LanguageClient {
  // The library would show up to three messages of one failure. They stand in its output.
  error(message, data) {
    super.error(message, data, false);
  }

  // The library would lose the promise of its own start.
  handleConnectionClosed() {
    return this.isRunning() ? super.handleConnectionClosed() : Promise.resolve();
  }

  // The library would refuse to stop what does not run.
  stop(timeout) {
    return this.isRunning() ? super.stop(timeout) : Promise.resolve();
  }
}

class LanguageServer {
  constructor() {
    this.output = vscode.window.createOutputChannel("Texelscope");
    this.process = null;
    this.client = null;
    this.starting = Promise.resolve();
    this.turn = 0; // of the last restart or stop, which ends what an earlier one still waits for
  }

  // Starts the server. A failure is told in one message, and is no error.
  start() {
    this.starting = this.startOnce();
    return this.starting;
  }

  stop() {
    this.turn++;
    return this.halt();
  }

  restart() {
    this.starting = this.restartOnce(++this.turn);
    return this.starting;
  }

  // Runs a command of the server's own. Throws an Error that says why there is no answer.
  async request(command, argument) {
    await this.starting;
    if (!this.client) throw new Error("Texelscope's server does not run. The command 'Restart Server' starts it.");
    return this.client.sendRequest("workspace/executeCommand", {command, arguments: [argument]});
  }

  dispose() {
    this.output.dispose();
  }

  // -- inside ----------------------------------------------------------------------------------------------------------

  async startOnce() {
    const program = programFor("language-server");
    if (!program.isThere) {
      this.tell(cannotStart(program, NOT_FOUND));
      return;
    }
    const process = new ServerProcess(program), client = this.clientOf(process);
    [this.process, this.client] = [process, client];
    const early = process.ended.then(() => {
      throw new Error("it ended at once.");
    });
    try {
      await Promise.race([process.begun.then(() => client.start()), early]);
    } catch (error) {
      if (this.process !== process) return; // it was stopped meanwhile
      await this.halt();
      this.tell(cannotStart(program, process.lastWords || error.message));
      return;
    }
    process.ended.then(() => this.ended(process));
  }

  async restartOnce(turn) {
    await this.halt();
    if (turn === this.turn) await this.startOnce();
  }

  async halt() {
    const {client, process} = this;
    this.client = this.process = null;
    if (!process) return;
    const isEnding = client.isRunning() && await client.stop(ENDING).then(() => true, () => false);
    await process.end(isEnding ? ENDING : 0);
  }

  clientOf(process) {
    return new Client("texelscope", "Texelscope", async () => process.child, {
      documentSelector: DOCUMENTS,
      outputChannel: this.output,
      initializationOptions: initializationOptions(),
      initializationFailedHandler: () => false,
      errorHandler: {
        error: () => ({action: ErrorAction.Continue, handled: true}),
        closed: () => ({action: CloseAction.DoNotRestart, handled: true}),
      },
    });
  }

  ended(process) {
    if (this.process !== process) return; // it was stopped
    this.client = this.process = null;
    this.tell(`Texelscope's server ended: ${process.lastWords || "it gave no reason."}`, "Restart");
  }

  // Waits for no answer: people read messages when they like.
  tell(message, ...buttons) {
    const does = {
      "Restart": () => this.restart(),
      "Open Settings": () => vscode.commands.executeCommand("workbench.action.openSettings", SETTING),
      "Show Output": () => this.output.show(),
    };
    vscode.window.showErrorMessage(message, ...buttons, "Open Settings", "Show Output").then((answer) => does[answer]?.());
  }
}

function initializationOptions() {
  const seconds = vscode.workspace.getConfiguration("texelscope").get("diagnosisSeconds");
  return seconds === null || seconds === undefined ? {} : {seconds};
}

module.exports = {DOCUMENTS, LanguageServer};
