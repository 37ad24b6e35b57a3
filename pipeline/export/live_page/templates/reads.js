// What a texel read, in the pictures of the inputs: as recorded, or as the operator's rule expects it.

const KINDS = {
  right: "read as expected", unexpected: "read, not expected", missing: "expected, not read", expected: "expected",
};

class Reads {
  // `goToLine(file, line)` shows a line of the shader.
  constructor(data, output, page, goToLine) {
    this.data = data;
    this.output = output;
    this.page = page;
    this.goToLine = goToLine;
    this.inputs = new Map();
    this.shown = new Map();
    this.words = make("p", {class: "read-words"});
    this.row = make("div", {class: "pictures inputs"});
  }

  // By input what was read; without a recording, what should be read.
  async setsOf(element, tx, ty) {
    if (element && !element.problem) return Promise.all(element.inputs.map(readSets));
    const ruled = await ruledTexels(this.data.rules, this.output, tx, ty, this.page.textures);
    return [...ruled].map(([texture, expected]) => ({texture, expected, right: [], unexpected: [], missing: []}));
  }

  async show(element, sets) {
    const numbers = sets.length ? sets.map(({texture}) => texture) : [...new Set(this.data.inputs)];
    for (const number of numbers) {
      if (!this.inputs.has(number)) this.inputs.set(number, await this.picture(number));
    }
    this.row.replaceChildren(...numbers.map((number) => this.inputs.get(number).figure));
    this.words.replaceChildren(...this.wordsOf(element, sets));
    const drawn = numbers.filter((number) => this.inputs.get(number).texture);
    this.shown = new Map(drawn.map((number) => [number, sets.find(({texture}) => texture === number) ?? null]));
    this.showStep([]);
    this.focus();
  }

  // Shows the part of each input in which something was read, or should have been.
  focus() {
    for (const [number, sets] of this.shown) {
      const picture = this.inputs.get(number), all = Object.keys(KINDS).flatMap((kind) => sets?.[kind] ?? []);
      if (all.length) picture.focus(...boxAround(all, picture.texture));
      else picture.resize();
    }
  }

  // Marks the reads of the texel, and those of the present step over them.
  showStep(reads) {
    for (const [number, sets] of this.shown) {
      const picture = this.inputs.get(number);
      const marks = ["expected", "right", "missing", "unexpected"].map((kind) => [kind, sets?.[kind] ?? []]);
      const now = reads.filter(({texture}) => texture === number).map(({tx, ty}) => [tx, ty]);
      picture.showMarks([...marks, ["now", now]]);
      const counts = marks.filter(([, texels]) => texels.length);
      const said = counts.map(([kind, texels]) => `${grouped(texels.length)} ${KINDS[kind]}`).join(", ");
      picture.words.textContent = [said, picture.texture.rounding].filter(Boolean).join(". ");
    }
  }

  async picture(number) {
    const texture = this.page.textures[number];
    if (!texture?.isThere) {
      const why = make("p", {class: "soft"}, texture?.data.missing ?? "It is not in the page.");
      return {figure: make("figure", {}, make("figcaption", {}, texture?.data.name ?? "An input"), why)};
    }
    await texture.load();
    const picture = new Picture(texture.data.name, texture, null), {range, actual, lanes} = texture;
    picture.draw(actual, lanes, range, range[0] < 0 ? this.page.colours.signed : this.page.colours.unsigned);
    picture.words = make("p", {class: "soft"});
    picture.figure.append(picture.words);
    return picture;
  }

  // -- words ---------------------------------------------------------------------------------------------------------

  wordsOf(element, sets) {
    if (!element) return [this.withoutRecording(sets)];
    if (element.problem) return [element.problem];
    const count = (kind) => sets.reduce((sum, each) => sum + each[kind].length, 0);
    const verdict = element.judged ? verdictOn(count("unexpected"), count("missing"))
      : "Which reads are expected is not known.";
    const lines = element.sites.filter(([file]) => file >= 0).map(([file, line, reads, wrong]) => {
      const count = `${grouped(reads)} read${reads === 1 ? "" : "s"}`;
      const text = `line ${line}: ${count}${wrong ? `, ${grouped(wrong)} wrong` : ""}`;
      return button(text, "Show the line", () => this.goToLine(file, line), {class: wrong ? "link mismatch" : "link"});
    });
    return [verdict, " ", legend(), ...lines.flatMap((each) => [" ", each])];
  }

  withoutRecording(sets) {
    const {elements, isWrong} = this.data;
    const expected = sets.length ? "Marked is what this texel should read, by the operator's definition." : "";
    if (!isWrong) return expected || "What a texel of this pass should read is not known.";
    const count = grouped(elements.length), others = elements.length
      ? ` It was of ${count} texels; they have a small mark, and N goes from one to the next.` : "";
    return `${expected} What it did read was not recorded.${others}`.trim();
  }
}

async function readSets({texture, right, unexpected, missing}) {
  const [a, b, c] = await Promise.all([places(right), places(unexpected), places(missing)]);
  return {texture, right: a, unexpected: b, missing: c};
}

function verdictOn(unexpected, missing) {
  if (!unexpected && !missing) return "Every texel that should be read is read, and no other.";
  const texels = (count) => (count === 1 ? "1 texel" : `${grouped(count)} texels`);
  const read = unexpected ? [`${texels(unexpected)} should not have been read`] : [];
  return `${[...read, ...(missing ? [`${texels(missing)} should have been read`] : [])].join(", ")}.`;
}

function legend() {
  const parts = Object.entries(KINDS).slice(0, 3).flatMap(([kind, words]) => [
    make("span", {class: `key ${kind}`}), ` ${words} `]);
  return make("span", {class: "soft"}, ...parts, make("span", {class: "key now"}), " read by the present step");
}

// A rectangle around texels, with a margin, inside the texture: left, top, right, bottom.
function boxAround(texels, {width, height}) {
  let [left, top, right, bottom] = [Infinity, Infinity, 0, 0];
  for (const [tx, ty] of texels) {
    [left, top] = [Math.min(left, tx), Math.min(top, ty)];
    [right, bottom] = [Math.max(right, tx + 1), Math.max(bottom, ty + 1)];
  }
  return [Math.max(left - 2, 0), Math.max(top - 2, 0), Math.min(right + 2, width), Math.min(bottom + 2, height)];
}
