// The program that the setting `texelscope.command` names, and a sentence for the case that it cannot be started.

const fs = require("fs");
const path = require("path");
const vscode = require("vscode");

const SETTING = "texelscope.command";

// Returns how to start `texelscope SUBCOMMAND`: the file, its arguments and the folder to run in.
function programFor(subcommand) {
  const [name, ...args] = vscode.workspace.getConfiguration("texelscope").get("command");
  const folder = vscode.workspace.workspaceFolders?.find(({uri}) => uri.scheme === "file")?.uri.fsPath;
  const isPath = name.includes("/") || name.includes(path.sep);
  const file = isPath && folder !== undefined ? path.resolve(folder, name) : name;
  return {file, args: [...args, subcommand], cwd: folder, isThere: isPath ? fs.existsSync(file) : isOnPath(file)};
}

// Says what was tried, what came of it and what to change.
function cannotStart({file, args, cwd}, reason) {
  const where = cwd === undefined ? "" : ` in ${cwd}`;
  return `Texelscope could not start '${[file, ...args].join(" ")}'${where}: ${reason} `
    + `The setting ${SETTING} says which program is started.`;
}

const NOT_FOUND = "there is no such program.";

// As the system looks for a program: in each folder of PATH, on Windows with each ending of PATHEXT.
function isOnPath(name) {
  const endings = process.platform === "win32" ? ["", ...(process.env.PATHEXT ?? ".EXE").split(";")] : [""];
  const folders = (process.env.PATH ?? "").split(path.delimiter).filter(Boolean);
  return folders.some((folder) => endings.some((ending) => fs.existsSync(path.join(folder, name + ending))));
}

module.exports = {NOT_FOUND, SETTING, cannotStart, programFor};
