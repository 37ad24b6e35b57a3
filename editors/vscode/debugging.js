// Starts the debug adapter, for configurations of the user and for the texel that is picked in the side view.

const vscode = require("vscode");
const {NOT_FOUND, cannotStart, programFor} = require("./program");

// Names the adapter, which VS Code starts: a process a session.
const adapters = {
  createDebugAdapterDescriptor() {
    const program = programFor("debug-adapter");
    if (!program.isThere) throw new Error(cannotStart(program, NOT_FOUND));
    const {file, args, cwd} = program;
    return new vscode.DebugAdapterExecutable(file, args, cwd === undefined ? undefined : {cwd});
  },
};

// Completes configurations; `picked` returns the picked texel or null.
function configurations(picked) {
  return {
    // Without a launch.json there is an empty configuration. Null makes VS Code open a new launch.json.
    resolveDebugConfiguration(_folder, configuration) {
      if (configuration.type) return configuration;
      const texel = picked();
      return texel && configurationOf(texel);
    },
  };
}

async function debugPicked(picked) {
  if (!picked) {
    vscode.window.showInformationMessage(
      "No texel is picked. The command 'Show Texture Beside' shows the texture; a click in it picks a texel.");
    return;
  }
  const folder = vscode.workspace.getWorkspaceFolder(vscode.Uri.file(picked.target));
  await vscode.debug.startDebugging(folder, configurationOf(picked));
}

function configurationOf({target, pass, texel}) {
  return {name: `Texel ${texel.join(",")} of ${pass}`, type: "texelscope", request: "launch", target, pass, texel};
}

module.exports = {adapters, configurations, debugPicked};
