// Puts Texelscope into VS Code: its language server, its debug adapter, and the texture beside the text.

const vscode = require("vscode");
const {adapters, configurations, debugPicked} = require("./debugging");
const {LanguageServer} = require("./language_server");
const {SideView} = require("./side_view");

let server = null;

function activate(context) {
  server = new LanguageServer();
  const view = new SideView(server), picked = () => view.picked;
  context.subscriptions.push(
    server,
    view,
    vscode.debug.registerDebugAdapterDescriptorFactory("texelscope", adapters),
    vscode.debug.registerDebugConfigurationProvider("texelscope", configurations(picked)),
    vscode.commands.registerCommand("texelscope.showTexture", () => view.show(vscode.window.activeTextEditor?.document)),
    vscode.commands.registerCommand("texelscope.debugPickedTexel", () => debugPicked(picked())),
    vscode.commands.registerCommand("texelscope.restartServer", () => server.restart()),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration("texelscope")) return server.restart();
    }),
  );
  server.start(); // a debug session need not wait for it
}

// Ends the server; VS Code waits for it.
function deactivate() {
  return server?.stop();
}

module.exports = {activate, deactivate};
