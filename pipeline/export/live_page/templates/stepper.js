// Steps through one execution: the line lit in the source, and tables of numbers beside it.

class Stepper {
  // `files` are texts by number, `lines` those of findings: file, line, words. `showReads` gets the reads of a step.
  constructor(files, lines, showReads) {
    this.files = files;
    this.lines = lines;
    this.showReads = showReads;
    this.trace = null;
    this.file = null;
    this.words = make("p", {class: "step-words", "aria-live": "polite"});
    this.slider = make("input", {
      type: "range", min: "0", step: "1", "aria-label": "Step", oninput: () => this.go(Number(this.slider.value)),
    });
    this.wrong = button("First wrong term", "Go to the step whose term the oracle lacks", () => this.goToWrong(), {
      class: "first-wrong",
    });
    this.controls = make("div", {class: "controls"},
      button("|◀", "First step (Home)", () => this.go(0)),
      button("◀ Back", "One step back (←)", () => this.move(-1), {class: "back"}),
      button("Forward ▶", "One step forward (→)", () => this.move(1), {class: "forward"}),
      button("▶|", "Behind the last step (End)", () => this.go(this.last)),
      button("◀ Line", "Back to another line (↑)", () => this.line(-1)),
      button("Line ▶", "On to another line (↓)", () => this.line(1)),
      this.slider, this.wrong);
    this.source = make("pre", {class: "source", tabindex: "0", "aria-label": "Shader"});
    this.values = make("div", {class: "values"});
    this.element = make("div", {class: "stepper", tabindex: "-1"},
      this.controls, this.words, make("div", {class: "beside"}, this.source, this.values));
    this.element.addEventListener("keydown", (event) => this.pressed(event));
  }

  // Shows an execution, or only the text where there is none, and why. Begins at the line of the first finding.
  show(trace, problem) {
    this.trace = trace;
    this.controls.hidden = !trace;
    this.values.replaceChildren();
    this.words.textContent = problem;
    const [file, line] = this.lines[0] ?? [this.files.keys().next().value, 1];
    if (!trace) {
      this.showLine(file, line, false);
      this.showReads([]);
      return;
    }
    this.slider.max = String(this.last);
    this.wrong.hidden = !trace.sum || trace.sum.firstWrong === null;
    const start = this.lines.length ? trace.steps.find((step) => step.file === file && step.line === line) : null;
    this.go(start?.number ?? trace.first);
  }

  // -- motions -------------------------------------------------------------------------------------------------------

  get last() {
    return this.trace.end;
  }

  go(number) {
    if (!this.trace) return;
    this.at = Math.min(Math.max(number, this.trace.first), this.last);
    const step = this.trace.at(this.at);
    this.slider.value = String(this.at);
    this.words.replaceChildren(...this.wordsOf(step));
    if (step) this.showLine(step.file, step.line, true);
    this.showReads(step?.reads ?? []);
    this.values.replaceChildren(
      ...(step ? stepTable(step) : []), ...sumTables(this.trace.sum, this.at), ...variableTables(this.trace, this.at));
  }

  move(by) {
    this.go(this.at + by);
  }

  line(by) {
    const here = this.trace.at(this.at);
    const found = this.trace.find(this.at, by, (step) => step.file !== here?.file || step.line !== here?.line);
    this.go(found !== this.at ? found : by > 0 ? this.last : this.trace.first);
  }

  goToWrong() {
    const {terms, firstWrong} = this.trace.sum;
    this.go(terms[firstWrong].step);
  }

  goToLine(file, line) {
    const step = this.trace?.steps.find((each) => each.file === file && each.line === line);
    if (step) this.go(step.number);
    else this.showLine(file, line, false);
  }

  pressed(event) {
    if (!this.trace || event.target === this.slider || event.ctrlKey || event.altKey || event.metaKey) return;
    const does = {
      ArrowLeft: () => this.move(-1), ArrowRight: () => this.move(1), ArrowUp: () => this.line(-1),
      ArrowDown: () => this.line(1), Home: () => this.go(0), End: () => this.go(this.last),
    }[event.key];
    if (!does) return;
    event.preventDefault();
    does();
  }

  // -- the text ------------------------------------------------------------------------------------------------------

  wordsOf(step) {
    const {data, steps, outputs} = this.trace, held = steps.length, {total} = data;
    const part = held < total ? ` (the page holds the first ${grouped(held)})` : "";
    if (step) {
      const turns = step.turns.length ? `, turn ${step.turns.map((turn) => turn + 1).join(" · ")}` : "";
      return [`Step ${grouped(step.number + 1)} of ${grouped(total)}${part}${turns}: `, make("code", {}, step.text)];
    }
    const written = outputs.map(([name, values]) => `${name} = ${lanesText(values)}`).join(", ");
    const outcome = held < total ? "the rest was not kept" : data.discarded ? "the fragment was discarded" : written;
    return [`End, behind step ${grouped(held)} of ${grouped(total)}${part}: ${outcome}`];
  }

  // Lights a line: that of the present step, or another one.
  showLine(file, line, isNow) {
    if (file === undefined || file < 0) return;
    if (this.file !== file) this.showFile(file);
    this.lit?.classList.remove("now", "lit");
    this.lit = this.rows[line - 1] ?? null;
    this.lit?.classList.add(isNow ? "now" : "lit");
    if (this.lit) this.source.scrollTop = this.lit.offsetTop - this.source.clientHeight / 2;
  }

  showFile(file) {
    this.file = file;
    const {path, text} = this.files.get(file);
    const said = new Map(this.lines.filter(([of]) => of === file).map(([, line, words]) => [line, words]));
    this.rows = text.split("\n").map((content, i) => {
      const words = said.get(i + 1), finding = words ? [make("span", {class: "said"}, `▼ ${words}`)] : [];
      return make("span", {class: words ? "row faulty" : "row", "data-line": i + 1},
        ...finding, make("span", {class: "line-number"}, String(i + 1)), content || " ");
    });
    this.source.replaceChildren(make("span", {class: "path soft"}, path), ...this.rows);
  }
}
