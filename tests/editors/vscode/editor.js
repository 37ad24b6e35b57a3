// Plays VS Code for a test: a folder with a wrong shader, the extension in it, and what a person and the editor do.

const fs = require("fs");
const os = require("os");
const path = require("path");
const {spawn} = require("child_process");
const vscode = require("vscode");

const {standIn, Uri} = vscode;
const ROOT = path.join(__dirname, "..", "..", "..");
const EXTENSION = path.join(ROOT, "editors", "vscode");
// So long anything may take, in milliseconds, on a machine that has more to do.
const WAIT = 120000;

// The program under test, as the setting `texelscope.command` names it.
const COMMAND = JSON.parse(process.env.TEXELSCOPE_COMMAND);
const HAS_FIXED_ANSWERS = COMMAND.some((word) => word.endsWith("fixed_answers.py"));

// Opens a copy of an example as the workspace folder, and starts the extension there.
function startExtension(settings = {}) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "texelscope-"));
  fs.cpSync(path.join(ROOT, "examples", "webgl_cnn"), folder, {recursive: true});
  const pipeline = path.join(folder, "broken.toml"), [head, first] = fs.readFileSync(pipeline, "utf8").split("[[pass]]");
  fs.writeFileSync(pipeline, `${head}[[pass]]${first}`); // one pass takes the least time
  standIn.folder = {uri: Uri.file(folder), name: "webgl_cnn", index: 0};
  standIn.settings = {"texelscope.command": COMMAND, "texelscope.diagnosisSeconds": null, ...settings};
  const extension = require(EXTENSION), context = {subscriptions: []};
  extension.activate(context);
  return {
    folder,
    file: (name) => path.join(folder, name),
    async end() {
      await extension.deactivate();
      for (const each of context.subscriptions.reverse()) each.dispose();
      standIn.documents.length = standIn.messages.length = standIn.panels.length = standIn.sessions.length = 0;
      fs.rmSync(folder, {recursive: true, force: true});
    },
  };
}

// Waits until a function returns something, and returns that.
async function until(what, found) {
  const end = Date.now() + WAIT;
  for (;;) {
    const value = await found();
    if (value) return value;
    if (Date.now() > end) throw new Error(`it never came to: ${what}. Messages: ${JSON.stringify(standIn.messages)}\n${standIn.output}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

// The processes that this one started and that still run, by number.
function children() {
  const all = fs.readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return all.map(Number).filter((pid) => {
    try {
      const [state, parent] = fs.readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1).split(" ");
      return Number(parent) === process.pid && state !== "Z";
    } catch {
      return false; // it ended meanwhile
    }
  });
}

// A session of the Debug Adapter Protocol with a process that is started as VS Code starts it.
class DebugSession {
  constructor({command, args, options}) {
    this.process = spawn(command, args, {cwd: options?.cwd, stdio: ["pipe", "pipe", "inherit"]});
    this.ended = new Promise((resolve) => this.process.once("exit", resolve));
    this.received = Buffer.alloc(0);
    this.messages = [];
    this.number = 0;
    this.process.stdout.on("data", (data) => this.take(data));
  }

  take(data) {
    this.received = Buffer.concat([this.received, data]);
    for (;;) {
      const start = this.received.indexOf("\r\n\r\n");
      if (start < 0) return;
      const size = Number(/Content-Length: (\d+)/.exec(this.received.subarray(0, start))[1]), end = start + 4 + size;
      if (this.received.length < end) return;
      this.messages.push(JSON.parse(this.received.subarray(start + 4, end)));
      this.received = this.received.subarray(end);
    }
  }

  send(command, given = {}) {
    const content = JSON.stringify({seq: ++this.number, type: "request", command, arguments: given});
    this.process.stdin.write(`Content-Length: ${Buffer.byteLength(content)}\r\n\r\n${content}`);
    return this.number;
  }

  // Returns the body of the answer.
  async request(command, given) {
    const seq = this.send(command, given);
    const answer = await until(`answer to ${command}`, () => this.messages.find((each) => each.request_seq === seq));
    if (!answer.success) throw new Error(answer.message);
    return answer.body;
  }

  event(name) {
    return until(`event ${name}`, () => this.messages.find((each) => each.event === name));
  }
}

module.exports = {DebugSession, HAS_FIXED_ANSWERS, children, standIn, startExtension, until, vscode};
