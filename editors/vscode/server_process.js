// A server as a process: whether it began, what it wrote on standard error, when it has ended, and how to end it.

const {once} = require("events");
const {spawn} = require("child_process");

const MOST_ERROR_TEXT = 4000;

class ServerProcess {
  constructor({file, args, cwd}) {
    this.child = spawn(file, args, {cwd, windowsHide: true});
    this.errorText = "";
    // Rejected with an Error if the system refuses.
    this.begun = once(this.child, "spawn");
    this.ended = new Promise((resolve) => this.child.once("close", resolve));
    this.child.stderr.on("data", (data) => {
      this.errorText = (this.errorText + data).slice(-MOST_ERROR_TEXT);
    });
  }

  // The last line on standard error; empty without one.
  get lastWords() {
    return this.errorText.trimEnd().split("\n").at(-1).trim();
  }

  // Waits until it has ended by itself, for some milliseconds, then ends it.
  async end(patience) {
    const timer = setTimeout(() => this.child.kill("SIGKILL"), patience);
    await this.ended;
    clearTimeout(timer);
  }
}

module.exports = {ServerProcess};
