// Programs that are no server: one message says what was tried and which setting to change, and nothing keeps running.

const assert = require("assert/strict");
const path = require("path");
const {afterEach, it} = require("node:test");
const {children, standIn, startExtension, until, vscode} = require("./editor");

const NODE = process.execPath;
const CASES = [
  ["that is not on the path", ["no-such-texelscope"], "no-such-texelscope language-server", "there is no such program."],
  ["that is not in the folder", ["bin/python", "app.py"], "bin/python app.py language-server", "there is no such program."],
  ["that knows no language server", [NODE, "-e", "console.error('usage:\\nunknown command'); process.exit(2)"],
    "unknown command'); process.exit(2) language-server'", "unknown command"],
  ["that ends without a word", [NODE, "-e", "0"], `'${NODE} -e 0 language-server'`, "it ended at once."],
  ["that cannot be run", ["./model.onnx"], "model.onnx language-server'", "EACCES"],
];

let editor;

afterEach(() => editor.end());

for (const [title, command, tried, reason] of CASES) {
  it(`a program ${title} gives one message`, async () => {
    editor = startExtension({"texelscope.command": command});
    await standIn.open(editor.file("down1.frag"), "glsl");
    const [{kind, text}] = await until("a message", () => standIn.messages.length && [...standIn.messages]);
    assert.equal(kind, "error");
    assert.ok(text.includes(tried), text);
    assert.ok(text.includes(`in ${editor.folder}: `), text);
    assert.ok(text.includes(reason), text);
    assert.ok(text.endsWith("The setting texelscope.command says which program is started."), text);
    await new Promise((resolve) => setTimeout(resolve, 300));
    assert.equal(standIn.messages.length, 1);
    assert.deepEqual(children(), []);
    await vscode.commands.executeCommand("texelscope.showTexture");
    assert.equal(standIn.messages.at(-1).text, "Texelscope's server does not run. The command 'Restart Server' starts it.");
  });
}

it("a debug session says the same of a missing program", async () => {
  editor = startExtension({"texelscope.command": [path.join("bin", "python")]});
  assert.throws(() => standIn.adapterFactories.texelscope.createDebugAdapterDescriptor(), {
    message: `Texelscope could not start '${editor.file("bin/python")} debug-adapter' in ${editor.folder}: `
      + "there is no such program. The setting texelscope.command says which program is started.",
  });
});

it("an extension that is ended while its server starts leaves no process", async () => {
  editor = startExtension({"texelscope.command": [NODE, "-e", "setTimeout(() => {}, 60000)"]});
  await until("a process", () => children().length);
  await editor.end();
  assert.deepEqual(children(), []);
  assert.deepEqual(standIn.messages, []);
});
