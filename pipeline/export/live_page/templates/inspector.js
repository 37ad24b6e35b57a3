// What a page shows of one pass: its pictures, the texel that is picked, what that read, and what it did.

class Inspector {
  constructor(root, data, page) {
    this.root = root;
    this.data = data;
    this.page = page;
    this.elements = new Map();
    for (const element of data.elements) {
      const place = element.texel.slice(0, 2).join();
      if (!this.elements.has(place)) this.elements.set(place, []);
      this.elements.get(place).push(element);
    }
    this.inputs = new Map();
    this.turn = 0;
  }

  async open() {
    this.opening ??= this.build();
    await this.opening;
  }

  async build() {
    const texture = this.page.textures[this.data.output];
    if (!texture?.isThere) {
      this.root.replaceChildren(make("p", {class: "soft"}, texture?.data.missing ?? "This pass has no texture here."));
      return;
    }
    this.texture = await texture.load();
    this.pictures = this.outputs();
    this.reading = make("div", {class: "reading", "aria-live": "polite"});
    this.inputRow = make("div", {class: "pictures inputs"});
    this.readWords = make("p", {class: "read-words"});
    this.stepper = new Stepper(
      new Map(this.data.files.map((file) => [file, this.page.files[file]])), this.data.lines, this.page.textures,
      (reads) => this.showReads(reads));
    const execution = this.data.files.length ? [make("h3", {}, "What it did"), this.stepper.element] : [];
    this.root.replaceChildren(
      this.toolRow(), make("div", {class: "pictures"}, ...this.pictures.map((each) => each.figure)),
      ...(texture.rounding ? [make("p", {class: "soft rounding"}, texture.rounding)] : []),
      this.reading, make("h3", {}, "What it reads"), this.readWords, this.inputRow, ...execution);
    for (const each of this.pictures) each.resize();
    this.linkScrolling();
    this.showRecorded();
    const [tx, ty, lane] = this.data.worst ?? this.data.elements[0]?.texel ?? [0, 0, 0];
    await this.pick(tx, ty, lane);
  }

  outputs() {
    const {texture, page} = this, {actual, oracle, recorded, error, lanes, range} = texture;
    const pick = (tx, ty, by) => this.pickFrom(tx, ty, by);
    const map = range[0] < 0 ? page.colours.signed : page.colours.unsigned;
    const titled = [["Actual", actual], ["Oracle", oracle], ["Page", recorded]].filter(([, values]) => values);
    const made = titled.map(([title, values]) => {
      const picture = new Picture(title, texture, pick);
      picture.show = (lane) => {
        if (lane < 0) picture.draw(values, lanes, range, map);
        else picture.draw(laneOf(values, lanes, lane), 1, range, map);
      };
      picture.show(-1);
      return picture;
    });
    if (error) {
      const picture = new Picture("Difference", texture, pick), farthest = farthestFromZero(error, lanes);
      const [low, high] = rangeOf(farthest), reach = Math.max(-low, high) || 1;
      picture.show = (lane) => {
        picture.draw(lane < 0 ? farthest : laneOf(error, lanes, lane), 1, [-reach, reach], page.colours.signed);
      };
      picture.show(-1);
      made.push(picture);
    }
    return made;
  }

  toolRow() {
    const zoom = (factor) => () => this.zoom(factor);
    const recorded = this.data.elements.length
      ? [button("Next recorded texel", "Reads are recorded of these texels (N)", () => this.nextRecorded(), {class: "next-recorded"})] : [];
    const row = make("div", {class: "tools"},
      button("−", "Smaller (-)", zoom(0.5), {class: "smaller"}), button("Fit", "All of it (0)", zoom(0)),
      button("+", "Larger (+)", zoom(2), {class: "larger"}), ...this.laneButtons(), ...recorded,
      make("span", {class: "soft"}, "Click a texel, or move with the arrow keys."));
    this.root.addEventListener("keydown", (event) => this.pressed(event));
    return row;
  }

  // Shows all lanes as colours, or one of them.
  laneButtons() {
    if (this.texture.lanes === 1) return [];
    const chosen = (lane) => (event) => {
      for (const each of this.pictures) each.show(lane);
      for (const each of event.target.parentElement.querySelectorAll("[aria-pressed]")) each.ariaPressed = String(each === event.target);
    };
    const names = ["RGB", ...LANES.slice(0, this.texture.lanes).toUpperCase()];
    return names.map((name, i) => button(name, i ? `Lane ${name} alone` : "All lanes, as colours", chosen(i - 1), {"aria-pressed": String(!i), class: "lane"}));
  }

  pressed(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const does = {
      "+": () => this.zoom(2), "=": () => this.zoom(2), "-": () => this.zoom(0.5), 0: () => this.zoom(0),
      n: () => this.nextRecorded(),
    }[event.key];
    if (does) does();
  }

  zoom(factor) {
    for (const each of this.pictures) {
      each.zoom = factor ? Math.min(Math.max(each.zoom * factor, 1), 64) : 1;
      each.resize();
      each.centre(this.picked[0] + 0.5, this.picked[1] + 0.5);
    }
  }

  linkScrolling() {
    for (const each of this.pictures) {
      each.holder.addEventListener("scroll", () => {
        for (const other of this.pictures) {
          if (other === each) continue;
          if (other.holder.scrollLeft !== each.holder.scrollLeft) other.holder.scrollLeft = each.holder.scrollLeft;
          if (other.holder.scrollTop !== each.holder.scrollTop) other.holder.scrollTop = each.holder.scrollTop;
        }
      });
    }
  }

  // Small marks on all texels of which reads are recorded.
  showRecorded() {
    const places = this.data.elements.map((element) => element.texel);
    for (const each of this.pictures) each.showMarks([["recorded", places]]);
  }

  // -- the pick ------------------------------------------------------------------------------------------------------

  pickFrom(tx, ty, by) {
    const [x, y] = by ? [this.picked[0] + by[0], this.picked[1] + by[1]] : [tx, ty];
    if (x < 0 || y < 0 || x >= this.texture.width || y >= this.texture.height) return;
    this.pick(x, y, 0).catch(this.page.fail);
  }

  nextRecorded() {
    const {elements} = this.data, here = elements.findIndex(({texel}) => texel.join() === this.picked.join());
    if (elements.length) this.pick(...elements[(here + 1) % elements.length].texel).catch(this.page.fail);
  }

  async pick(tx, ty, lane) {
    const turn = ++this.turn;
    this.picked = [tx, ty, lane];
    this.root.dataset.picked = `${tx},${ty}`;
    for (const each of this.pictures) each.showPick(tx, ty);
    this.reading.replaceChildren(...this.readingOf(tx, ty));
    const here = this.elements.get(`${tx},${ty}`) ?? [];
    const element = here.find((each) => each.texel[2] === lane) ?? here[0] ?? null;
    const sets = await this.setsOf(element, tx, ty);
    const trace = element?.trace ? new Trace(await inflatedJson(element.trace)) : null;
    if (turn !== this.turn) return; // another texel was picked meanwhile
    await this.showInputs(sets);
    this.readWords.replaceChildren(...this.wordsOfReads(element, sets));
    this.stepper.show(trace, trace ? "" : this.whyNoTrace(element));
    this.root.dataset.ready = `${tx},${ty}`;
  }

  // By input: what was read, or without a recording what should be read.
  async setsOf(element, tx, ty) {
    if (element && !element.problem) return Promise.all(element.inputs.map(readSets));
    const ruled = await ruledTexels(this.data.rules, this.texture, tx, ty, this.page.textures);
    return [...ruled].map(([texture, expected]) => ({texture, expected, right: [], unexpected: [], missing: []}));
  }

  readingOf(tx, ty) {
    const {texture} = this, rows = [];
    const head = ["", "index", "actual", "oracle", "error", "bound", "error / bound"].map((text) => [text]);
    for (let lane = 0; lane < texture.lanes; lane++) {
      const i = texture.at(tx, ty, lane), element = texture.elements[i];
      const letter = texture.lanes > 1 ? LANES[lane] : "";
      if (element < 0) {
        rows.push(tableRow([[letter], ["padding", "soft"], [exact(texture.actual[i]), "number"]]));
        continue;
      }
      const {error, bound, oracle} = texture, ratio = error && bound ? ratioOf(error[i], bound[i]) : null;
      rows.push(tableRow([
        [letter], [indexText(element, texture.data.shape), "number index"], [exact(texture.actual[i]), "number actual"],
        [oracle ? exact(oracle[i]) : "–", "number oracle"], [error ? brief(error[i], 4) : "–", "number off"],
        [bound ? brief(bound[i]) : "–", "number bound"], [ratioText(ratio), ratio > 1 ? "number mismatch" : "number"],
      ]));
    }
    const title = make("p", {}, make("strong", {}, `Texel (${tx}, ${ty})`), ` of ${texture.data.name}${this.tileText(tx, ty)}`);
    return [title, make("table", {class: "figures"}, tableRow(head, {}, "th"), ...rows)];
  }

  tileText(tx, ty) {
    const tile = this.texture.data.tiles.find(([x, y, width, height]) => x <= tx && tx < x + width && y <= ty && ty < y + height);
    return tile ? `, tile ${tile[4]} at (${tx - tile[0]}, ${ty - tile[1]})` : "";
  }

  // -- reads ---------------------------------------------------------------------------------------------------------

  async showInputs(sets) {
    const numbers = sets.length ? sets.map(({texture}) => texture) : [...new Set(this.data.inputs)];
    for (const number of numbers) if (!this.inputs.has(number)) this.inputs.set(number, await this.inputPicture(number));
    this.inputRow.replaceChildren(...numbers.map((number) => this.inputs.get(number).figure));
    this.shownSets = new Map();
    for (const number of numbers) {
      const picture = this.inputs.get(number);
      if (!picture.texture) continue;
      const found = sets.find(({texture}) => texture === number);
      this.shownSets.set(number, found ?? null);
      this.mark(number, []);
    }
    this.focusInputs();
  }

  // Shows the part of each input in which something was read, or should have been.
  focusInputs() {
    for (const [number, found] of this.shownSets) {
      const picture = this.inputs.get(number);
      const all = found ? [...found.right, ...found.unexpected, ...found.missing, ...(found.expected ?? [])] : [];
      if (all.length) picture.focus(...boxAround(all, picture.texture));
      else picture.resize();
    }
  }

  // Fits everything into another width.
  resized() {
    for (const each of this.pictures ?? []) each.resize();
    if (this.shownSets) this.focusInputs();
  }

  async inputPicture(number) {
    const texture = this.page.textures[number];
    if (!texture?.isThere) {
      const name = texture?.data.name ?? "An input";
      return {figure: make("figure", {}, make("figcaption", {}, name), make("p", {class: "soft"}, texture?.data.missing ?? "It is not in the page."))};
    }
    await texture.load();
    const picture = new Picture(texture.data.name, texture, null), {range, actual, lanes} = texture;
    picture.draw(actual, lanes, range, range[0] < 0 ? this.page.colours.signed : this.page.colours.unsigned);
    picture.words = make("p", {class: "soft"});
    picture.figure.append(picture.words);
    return picture;
  }

  mark(number, now) {
    const picture = this.inputs.get(number), found = this.shownSets.get(number);
    const kinds = ["expected", "right", "missing", "unexpected"], sets = found ? kinds.map((kind) => [kind, found[kind] ?? []]) : [];
    picture.showMarks([...sets, ["now", now]]);
    const counts = sets.filter(([, texels]) => texels.length).map(([kind, texels]) => `${grouped(texels.length)} ${KINDS[kind]}`);
    picture.words.textContent = [counts.join(", "), picture.texture.rounding].filter(Boolean).join(". ");
  }

  // Marks the texels that the present step reads.
  showReads(reads) {
    for (const number of this.shownSets?.keys() ?? []) {
      this.mark(number, reads.filter(({texture}) => texture === number).map(({tx, ty}) => [tx, ty]));
    }
  }

  wordsOfReads(element, sets) {
    if (!element) return [this.withoutRecording(sets)];
    if (element.problem) return [element.problem];
    const count = (kind) => sets.reduce((sum, each) => sum + each[kind].length, 0);
    const [unexpected, missing] = [count("unexpected"), count("missing")];
    const verdict = !element.judged ? "Which reads are expected is not known."
      : unexpected || missing ? wrongWords(unexpected, missing)
      : "Every texel that should be read is read, and no other.";
    const lines = element.sites.filter(([file]) => file >= 0).map(([file, line, reads, wrong]) => button(
      `line ${line}: ${grouped(reads)} reads${wrong ? `, ${grouped(wrong)} wrong` : ""}`, "Show the line",
      () => this.stepper.goToLine(file, line), {class: wrong ? "link mismatch" : "link"}));
    return [verdict, " ", legendOf(), " ", ...lines.flatMap((each) => [each, " "])];
  }

  withoutRecording(sets) {
    const {elements, isWrong} = this.data;
    const expected = sets.length ? "Marked is what this texel should read, by the operator's definition." : "";
    if (!isWrong) return expected || "What a texel of this pass should read is not known.";
    const others = elements.length
      ? `What it did read was not recorded. It was of ${grouped(elements.length)} texels; they have a small mark, and N goes from one to the next.`
      : "What it did read was not recorded.";
    return `${expected} ${others}`.trim();
  }

  whyNoTrace(element) {
    if (element?.traceProblem) return element.traceProblem;
    const traced = this.data.elements.filter((each) => each.trace);
    if (!traced.length) return "No execution was recorded.";
    const names = traced.map(({texel, why}) => `(${texel[0]}, ${texel[1]}) ${why}`).join(", ");
    return `The execution of this texel was not recorded. Those with one: ${names}.`;
  }

  // Shows the texel that is farthest beyond its bound, a line, and the step there.
  async showFinding(file, line) {
    await this.open();
    if (this.data.worst) await this.pick(...this.data.worst);
    if (file >= 0 && line) this.stepper.goToLine(file, line);
    this.stepper.element.scrollIntoView({block: "nearest"});
    this.stepper.element.focus({preventScroll: true});
  }
}

const KINDS = {right: "read as expected", unexpected: "read, not expected", missing: "expected, not read", expected: "expected"};

async function readSets({texture, right, unexpected, missing}) {
  const [a, b, c] = await Promise.all([places(right), places(unexpected), places(missing)]);
  return {texture, right: a, unexpected: b, missing: c};
}

function wrongWords(unexpected, missing) {
  const texels = (count) => (count === 1 ? "1 texel" : `${grouped(count)} texels`);
  const read = unexpected ? [`${texels(unexpected)} should not have been read`] : [];
  return `${[...read, ...(missing ? [`${texels(missing)} should have been read`] : [])].join(", ")}.`;
}

function legendOf() {
  const parts = Object.entries(KINDS).slice(0, 3).flatMap(([kind, words]) => [make("span", {class: `key ${kind}`}), ` ${words} `]);
  return make("span", {class: "soft"}, ...parts, make("span", {class: "key now"}), " read by the present step");
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

function laneOf(values, lanes, lane) {
  return Float32Array.from({length: values.length / lanes}, (_, i) => values[i * lanes + lane]);
}

// The number farthest from zero in the lanes of each texel; NaN first.
function farthestFromZero(values, lanes) {
  if (lanes === 1) return values;
  const found = new Float32Array(values.length / lanes), size = (value) => (Number.isNaN(value) ? Infinity : Math.abs(value));
  for (let i = 0; i < found.length; i++) {
    found[i] = values[i * lanes];
    for (let lane = 1; lane < lanes; lane++) {
      if (size(values[i * lanes + lane]) > size(found[i])) found[i] = values[i * lanes + lane];
    }
  }
  return found;
}

// A rectangle around texels, with a margin, inside the texture: left, top, right, bottom.
function boxAround(texels, {width, height}) {
  let [left, top, right, bottom] = [Infinity, Infinity, 0, 0];
  for (const [tx, ty] of texels) {
    [left, top, right, bottom] = [Math.min(left, tx), Math.min(top, ty), Math.max(right, tx + 1), Math.max(bottom, ty + 1)];
  }
  return [Math.max(left - 2, 0), Math.max(top - 2, 0), Math.min(right + 2, width), Math.min(bottom + 2, height)];
}
