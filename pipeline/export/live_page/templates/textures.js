// A texture of the page: its values, inflated when they are first looked at.

const EXACT_BITS = 23;

class Texture {
  constructor(data, maps) {
    this.data = data;
    this.maps = maps;
    this.width = data.width;
    this.height = data.height;
    this.lanes = data.lanes;
    this.isThere = data.actual !== undefined;
  }

  load() {
    this.loading ??= this.isThere ? this.inflate() : Promise.resolve(this);
    return this.loading;
  }

  async inflate() {
    const {actual, oracleSteps, error, bound, recorded, map} = this.data;
    this.actual = await floats(actual);
    this.elements = await this.maps.elements(map);
    this.bound = bound ? await floats(bound) : null;
    this.recorded = recorded ? await floats(recorded) : null;
    this.error = null;
    this.oracle = null;
    if (oracleSteps) {
      this.oracle = await stepsFrom(this.actual, oracleSteps);
      this.error = this.actual.map((value, i) => differenceOf(value, this.oracle[i]));
    } else if (error) {
      this.error = await floats(error);
      this.oracle = this.actual.map((value, i) => value - this.error[i]);
    }
    return this;
  }

  at(tx, ty, lane) {
    return (ty * this.width + tx) * this.lanes + lane;
  }

  // The texel of an element, as ty * width + tx.
  texelOf(element) {
    if (!this.places) {
      this.places = new Int32Array(this.elements.length);
      this.elements.forEach((each, i) => { if (each >= 0) this.places[each] = Math.floor(i / this.lanes); });
    }
    return this.places[element];
  }

  // The range of actual and oracle together; about zero where there are negative numbers.
  get range() {
    this.limits ??= rangeOf(this.actual, this.oracle);
    return this.limits;
  }

  // What of its values is rounded, as a sentence; empty for exact ones.
  get rounding() {
    const {bits, role} = this.data;
    if (bits === EXACT_BITS || !this.isThere) return "";
    const share = `1 part in ${grouped(2 ** (bits + 1))}`;
    const error = this.error ? " The oracle is the value minus the error, which is rounded to 1 part in 256." : "";
    const left = !this.error && role === "activation" ? " Its oracle is left out." : "";
    return `To keep the page small, values here are rounded to ${share}.${error}${left}`;
  }
}

// Actual minus oracle; equal infinities, and NaN and NaN, have no difference.
function differenceOf(actual, oracle) {
  return actual === oracle || (Number.isNaN(actual) && Number.isNaN(oracle)) ? 0 : actual - oracle;
}

function rangeOf(...arrays) {
  let low = Infinity, high = -Infinity;
  for (const values of arrays) {
    for (const value of values ?? []) {
      if (!Number.isFinite(value)) continue;
      if (value < low) low = value;
      if (value > high) high = value;
    }
  }
  if (low > high) return [0, 1];
  return low < 0 ? [-Math.max(-low, high), Math.max(-low, high)] : [low, high];
}

class Maps {
  constructor(texts) {
    this.texts = texts;
    this.known = new Map();
  }

  elements(number) {
    if (!this.known.has(number)) this.known.set(number, elements(this.texts[number]));
    return this.known.get(number);
  }
}
