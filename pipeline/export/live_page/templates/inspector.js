// What a page shows of one pass: its pictures, the texel that is picked, what that read, and what it did.

class Inspector {
  constructor(root, data, page) {
    this.root = root;
    this.data = data;
    this.page = page;
    this.turn = 0;
  }

  // Builds it once.
  open() {
    this.opening ??= this.build();
    return this.opening;
  }

  async build() {
    const texture = this.page.textures[this.data.output];
    if (!texture?.isThere) {
      const why = texture?.data.missing ?? "This pass has no texture here.";
      this.root.replaceChildren(make("p", {class: "soft"}, why));
      return;
    }
    this.texture = await texture.load();
    this.outputs = new Outputs(this.texture, this.page.colours, (tx, ty, by) => this.pickFrom(tx, ty, by));
    this.reading = make("div", {class: "reading", "aria-live": "polite"});
    this.reads = new Reads(this.data, this.texture, this.page, (file, line) => this.stepper.goToLine(file, line));
    const files = new Map(this.data.files.map((file) => [file, this.page.files[file]]));
    this.stepper = new Stepper(files, this.data.lines, (reads) => this.reads.showStep(reads));
    const execution = files.size ? [make("h3", {}, "What it did"), this.stepper.element] : [];
    const rounding = texture.rounding ? [make("p", {class: "soft rounding"}, texture.rounding)] : [];
    this.root.replaceChildren(this.tools(), this.outputs.element, ...rounding, this.reading,
      make("h3", {}, "What it reads"), this.reads.words, this.reads.row, ...execution);
    this.root.addEventListener("keydown", (event) => this.pressed(event));
    this.outputs.resize();
    this.outputs.showMarks([["recorded", this.data.elements.map(({texel}) => texel)]]);
    await this.pick(...(this.data.worst ?? this.data.elements[0]?.texel ?? [0, 0, 0]));
  }

  tools() {
    const zoom = (factor) => () => this.outputs.zoom(factor, this.picked);
    const next = button("Next recorded texel", "Reads are recorded of these texels (N)", () => this.nextRecorded(), {
      class: "next-recorded", hidden: !this.data.elements.length,
    });
    return make("div", {class: "tools"},
      button("−", "Smaller (-)", zoom(0.5), {class: "smaller"}), button("Fit", "All of it (0)", zoom(0)),
      button("+", "Larger (+)", zoom(2), {class: "larger"}), ...this.outputs.laneButtons(), next,
      make("span", {class: "soft"}, "Click a texel, or move with the arrow keys."));
  }

  pressed(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const zoom = {"+": 2, "=": 2, "-": 0.5, 0: 0}[event.key];
    if (zoom !== undefined) this.outputs.zoom(zoom, this.picked);
    if (event.key.toLowerCase() === "n") this.nextRecorded();
  }

  // Fits everything into another width.
  resized() {
    this.outputs?.resize();
    this.reads?.focus();
  }

  // -- the pick ------------------------------------------------------------------------------------------------------

  pickFrom(tx, ty, by) {
    const [x, y] = by ? [this.picked[0] + by[0], this.picked[1] + by[1]] : [tx, ty];
    if (x < 0 || y < 0 || x >= this.texture.width || y >= this.texture.height) return;
    this.pickByHand(x, y, 0).catch(this.page.fail);
  }

  nextRecorded() {
    const {elements} = this.data, here = elements.findIndex(({texel}) => texel.join() === this.picked.join());
    if (elements.length) this.pickByHand(...elements[(here + 1) % elements.length].texel).catch(this.page.fail);
  }

  // A pick by a person. An editor that shows the page hears of it.
  pickByHand(tx, ty, lane) {
    const detail = {pass: this.data.name, texel: [tx, ty]};
    window.dispatchEvent(new CustomEvent("texelscope-pick", {detail}));
    return this.pick(tx, ty, lane);
  }

  async pick(tx, ty, lane) {
    const turn = ++this.turn;
    this.picked = [tx, ty, lane];
    this.root.dataset.picked = `${tx},${ty}`;
    this.outputs.showPick(tx, ty);
    this.reading.replaceChildren(...readingOf(this.texture, tx, ty));
    const here = this.data.elements.filter(({texel}) => texel[0] === tx && texel[1] === ty);
    const element = here.find(({texel}) => texel[2] === lane) ?? here[0] ?? null;
    const sets = await this.reads.setsOf(element, tx, ty);
    const trace = element?.trace ? new Trace(await inflatedJson(element.trace)) : null;
    if (turn !== this.turn) return; // another texel was picked meanwhile
    await this.reads.show(element, sets);
    this.stepper.show(trace, trace ? "" : this.whyNoTrace(element));
    this.root.dataset.ready = `${tx},${ty}`;
  }

  whyNoTrace(element) {
    if (element?.traceProblem) return element.traceProblem;
    const traced = this.data.elements.filter((each) => each.trace);
    if (!traced.length) return "No execution was recorded.";
    const names = traced.map(({texel, why}) => `(${texel[0]}, ${texel[1]}) ${why}`).join(", ");
    return `The execution of this texel was not recorded. Those with one: ${names}.`;
  }

  // Opens the pass, and shows a texel if there is such a one.
  async show(texel) {
    this.root.closest("details").open = true;
    await this.open();
    if (!this.texture || !texel) return;
    const [tx, ty] = texel;
    if (tx < this.texture.width && ty < this.texture.height) await this.pick(tx, ty, 0);
  }

  // Shows the texel that is farthest beyond its bound, a line, and the step there.
  async showFinding(file, line) {
    await this.open();
    if (!this.stepper) return;
    if (this.data.worst) await this.pickByHand(...this.data.worst);
    if (file >= 0 && line) this.stepper.goToLine(file, line);
    this.stepper.element.scrollIntoView({block: "nearest"});
    this.stepper.element.focus({preventScroll: true});
  }
}

// The numbers of a texel, lane by lane.
function readingOf(texture, tx, ty) {
  const names = ["", "index", "actual", "oracle", "error", "bound", "error / bound"];
  const head = tableRow(names.map((name) => [name]), {}, "th");
  const rows = Array.from({length: texture.lanes}, (_, lane) => laneRow(texture, texture.at(tx, ty, lane), lane));
  const tile = texture.data.tiles.find(
    ([x, y, width, height]) => x <= tx && tx < x + width && y <= ty && ty < y + height);
  const place = tile ? `, tile ${tile[4]} at (${tx - tile[0]}, ${ty - tile[1]})` : "";
  const title = make("p", {}, make("strong", {}, `Texel (${tx}, ${ty})`), ` of ${texture.data.name}${place}`);
  return [title, make("table", {class: "figures"}, head, ...rows)];
}

function laneRow({actual, oracle, error, bound, elements, lanes, data}, at, lane) {
  const letter = lanes > 1 ? LANES[lane] : "";
  if (elements[at] < 0) return tableRow([[letter], ["padding", "soft"], [exact(actual[at]), "number"]]);
  const ratio = error && bound ? ratioOf(error[at], bound[at]) : null;
  return tableRow([
    [letter], [indexText(elements[at], data.shape), "number index"], [exact(actual[at]), "number actual"],
    [oracle ? exact(oracle[at]) : "–", "number oracle"], [error ? brief(error[at], 4) : "–", "number off"],
    [bound ? brief(bound[at]) : "–", "number bound"], [ratioText(ratio), ratio > 1 ? "number mismatch" : "number"],
  ]);
}

function ratioOf(error, bound) {
  if (error === 0) return 0;
  if (Number.isNaN(error)) return Infinity;
  return bound === Infinity ? 1 : Math.abs(error) / Math.max(bound, 1e-300);
}

// Beyond a million only that: a bound of almost 0 has no scale.
function ratioText(ratio) {
  return ratio === null ? "–" : ratio > 1e6 ? ">1e6" : brief(ratio);
}
