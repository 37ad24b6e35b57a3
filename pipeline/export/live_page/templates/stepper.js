// Steps through one execution: the line lit in the source, the variables, the reads, and the oracle's sum beside it.

const TERMS_AROUND = 4;

class Stepper {
  // `goTo(texture, tx, ty)` shows a read, and null that there is none; `lines` are those of findings: file, line, words.
  constructor(files, lines, textures, showReads) {
    this.files = files;
    this.lines = lines;
    this.textures = textures;
    this.showReads = showReads;
    this.trace = null;
    this.file = null;
    this.words = make("p", {class: "step-words", "aria-live": "polite"});
    this.slider = make("input", {type: "range", min: "0", step: "1", "aria-label": "Step", oninput: () => this.go(Number(this.slider.value))});
    this.controls = make("div", {class: "controls"},
      button("|◀", "First step (Home)", () => this.go(0)),
      button("◀ Back", "One step back (←)", () => this.move(-1), {class: "back"}),
      button("Forward ▶", "One step forward (→)", () => this.move(1), {class: "forward"}),
      button("▶|", "Behind the last step (End)", () => this.go(this.last)),
      button("◀ Line", "Back to another line (↑)", () => this.line(-1)),
      button("Line ▶", "On to another line (↓)", () => this.line(1)),
      this.slider);
    this.wrong = button("First wrong term", "Go to the step whose term the oracle lacks", () => this.goToWrong(), {class: "first-wrong"});
    this.source = make("pre", {class: "source", tabindex: "0", "aria-label": "Shader"});
    this.values = make("div", {class: "values"});
    this.element = make("div", {class: "stepper", tabindex: "-1"}, this.controls, this.words,
      make("div", {class: "beside"}, this.source, this.values));
    this.element.addEventListener("keydown", (event) => this.pressed(event));
  }

  // Shows an execution, or only the text where there is none, and why.
  show(trace, problem) {
    this.trace = trace;
    this.controls.hidden = !trace;
    this.values.replaceChildren();
    this.words.textContent = problem;
    const faulty = this.lines.find(([file]) => file >= 0);
    if (!trace) {
      this.showLine(faulty ? faulty[0] : this.files.keys().next().value, faulty ? faulty[1] : 1, false);
      this.showReads([]);
      return;
    }
    this.slider.max = String(this.last);
    this.wrong.remove();
    if (trace.sum?.firstWrong != null) this.controls.append(this.wrong);
    const start = faulty ? trace.steps.find((step) => step.file === faulty[0] && step.line === faulty[1]) : null;
    this.go(start?.number ?? trace.first);
  }

  get last() {
    return this.trace.end;
  }

  move(by) {
    this.go(this.at + by);
  }

  line(by) {
    const here = this.trace.at(this.at), other = (step) => !here || step.file !== here.file || step.line !== here.line;
    const found = this.trace.find(this.at, by, other);
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

  go(number) {
    if (!this.trace) return;
    this.at = Math.min(Math.max(number, this.trace.first), this.last);
    const step = this.trace.at(this.at);
    this.slider.value = String(this.at);
    this.words.replaceChildren(...this.wordsOf(step));
    if (step) this.showLine(step.file, step.line, true);
    this.showReads(step?.reads ?? []);
    this.values.replaceChildren(...this.stepTable(step), ...this.sumTable(), ...this.variableTable());
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

  wordsOf(step) {
    const {total} = this.trace.data, held = this.trace.steps.length;
    const part = held < total ? ` (the page holds ${grouped(held)} of them)` : "";
    if (!step) {
      const outcome = this.trace.data.discarded ? "the fragment was discarded"
        : this.trace.outputs.map(([name, values]) => `${name} = ${lanesText(values)}`).join(", ");
      return [`End, behind step ${grouped(held)} of ${grouped(total)}${part}: ${held < total ? "the rest was not kept" : outcome}`];
    }
    const turns = step.turns.length ? `, turn ${step.turns.map((turn) => turn + 1).join(" · ")}` : "";
    return [`Step ${grouped(step.number + 1)} of ${grouped(total)}${part}${turns}: `, make("code", {}, step.text)];
  }

  // -- the text ------------------------------------------------------------------------------------------------------

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
      const finding = said.has(i + 1) ? [make("span", {class: "said"}, `▼ ${said.get(i + 1)}`)] : [];
      return make("span", {class: said.has(i + 1) ? "row faulty" : "row", "data-line": i + 1}, ...finding,
        make("span", {class: "line-number"}, String(i + 1)), content || " ");
    });
    this.source.replaceChildren(make("span", {class: "path soft"}, path), ...this.rows);
  }

  // -- the numbers ---------------------------------------------------------------------------------------------------

  stepTable(step) {
    if (!step) return [];
    const rows = step.assigned.map((made) => tableRow([[`${made.name} =`], [lanesText(made.values), "number"]]));
    rows.push(...step.reads.map((read) => tableRow([
      [`${read.uniform} (${read.tx}, ${read.ty})${read.outside ? " outside" : ""}`], [lanesText(read.values), "number"]])));
    if (step.branch !== null && step.branch !== undefined) rows.push(tableRow([["condition"], [String(step.branch), "number"]]));
    if (step.returned.length) rows.push(tableRow([["returns"], [lanesText(step.returned), "number"]]));
    if (!rows.length) return [];
    return [make("h4", {}, "This step"), make("table", {class: "does"}, ...rows)];
  }

  variableTable() {
    const changed = this.at - 1;
    const rows = this.trace.before(this.at).map((variable) => tableRow(
      [[variable.name], [variable.type, "soft"], [lanesText(variable.values), "number"]],
      variable.step === changed ? {class: "changed"} : {}));
    const given = this.trace.given.map(([name, values]) => tableRow([[name], ["", ""], [lanesText(values), "number"]]));
    return [
      make("h4", {}, "Variables before it"), make("table", {class: "variables"}, ...rows),
      make("details", {}, make("summary", {}, "Uniforms and coordinates"), make("table", {}, ...given)),
    ];
  }

  sumTable() {
    const {sum} = this.trace;
    if (!sum) return [];
    const heading = make("h4", {}, "The sum, and the oracle's");
    if (!sum.terms.length) return [heading, make("p", {class: "soft"}, sum.reason)];
    const next = sum.terms.findIndex((term) => term.step >= this.at), here = next < 0 ? sum.terms.length : next;
    const shown = sum.terms.slice(Math.max(here - TERMS_AROUND, 0), here + TERMS_AROUND);
    const head = tableRow([["step"], ["value × weight"], ["adds"], ["oracle adds"], ["sum"], ["oracle's sum"]], {}, "th");
    const rows = shown.flatMap((term) => {
      const classes = [term.step < this.at ? "" : term.step === this.at ? "now" : "later", term.fault ? "faulty" : ""];
      const row = tableRow([
        [grouped(term.step + 1), "number"], [term.value === null ? "" : `${brief(term.value, 5)} × ${brief(term.weight, 5)}`, "number"],
        [brief(term.product, 6), "number"], [brief(term.expected, 6), "number"], [brief(term.running, 6), "number"],
        [brief(term.expectedRunning, 6), "number"]], {class: classes.filter(Boolean).join(" ")});
      return term.text ? [row, make("tr", {class: "faulty"}, make("td", {colspan: "6"}, term.text))] : [row];
    });
    const said = make("p", {class: "soft"}, `Added up in ${sum.accumulator}: ${grouped(sum.terms.length)} terms. `,
      sum.firstWrong === null ? "" : "The first that the oracle lacks: ", sum.reason);
    return [heading, said, make("table", {class: "sum"}, head, ...rows)];
  }
}
