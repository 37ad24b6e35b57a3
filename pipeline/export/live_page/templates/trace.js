// An execution as a page holds it (`written_trace.py`), and what every variable holds before any of its steps.

const LANE_NAMES = ["xyzw", "rgba", "stpq"];
const VECTOR = /^[biud]?vec([234])$/, PART = /^(.+?)(?:\.([xyzwrgbastpq]{1,4})|\[(\d+)\])$/;
const WORDS = {NaN: NaN, Infinity: Infinity, "-Infinity": -Infinity};

function number(value) {
  return typeof value === "string" ? WORDS[value] : value;
}

class Trace {
  constructor(data) {
    this.data = data;
    this.first = data.first;
    this.steps = data.steps.map((row, i) => this.step(row, data.first + i));
    this.end = this.first + this.steps.length;
    this.variables = new Map();
    for (const row of data.before) this.note(this.assigned(row), -1);
    const made = this.steps.flatMap((step) => step.assigned.map((each, order) => ({each, step: step.number, order})));
    // In the order of time: a call's own assignments before that of its result.
    made.sort((a, b) => a.each.begun - b.each.begun || b.step - a.step || a.order - b.order);
    for (const {each, step} of made) this.note(each, step);
    this.outputs = Object.entries(data.outputs).map(([name, values]) => [name, values.map(number)]);
    this.given = data.given.map(([name, values]) => [name, values.map(number)]);
    this.sum = data.sum && {...data.sum, terms: data.sum.terms.map(termOf)};
  }

  step([text, file, line, name, call, depth, turns, assigned, reads, branch, end, returned], at) {
    const {texts} = this.data;
    return {
      number: at, text: texts[text], file, line, function: texts[name], call, depth, turns, branch, end,
      assigned: assigned.map((row) => this.assigned(row)),
      reads: reads.map(([texture, tx, ty, uniform, values, outside]) =>
        ({texture, tx, ty, uniform: texts[uniform], values: values.map(number), outside: Boolean(outside)})),
      returned: (returned ?? []).map(number),
    };
  }

  assigned([name, type, values, begun, of, call]) {
    const {texts} = this.data;
    return {name: texts[name], type: texts[type], values: values.map(number), begun, function: texts[of], call};
  }

  at(number) {
    return this.steps[number - this.first] ?? null;
  }

  // The variables of the call that runs before a step, then the global ones, each with its last value.
  before(number) {
    const call = this.at(number)?.call ?? 0, found = [];
    for (const variable of this.variables.values()) {
      if (variable.function && variable.call !== call) continue;
      const last = variable.history.findLast((version) => version.begun <= number);
      if (last) found.push({...variable, ...last});
    }
    return found.sort((a, b) => Number(!a.function) - Number(!b.function));
  }

  // The first step from one on, or back from it, that a test holds for; the number itself without one.
  find(number, by, test) {
    for (let at = number + by; this.first <= at && at < this.end; at += by) if (test(this.at(at))) return at;
    return number;
  }

  note(assigned, step) {
    const {name, type, values, begun} = assigned, whole = this.wholeOf(assigned, name);
    if (whole && whole.lanes.length === values.length && whole.variable.name !== name) {
      const merged = [...whole.variable.history.at(-1).values];
      whole.lanes.forEach((lane, i) => { merged[lane] = values[i]; });
      whole.variable.history.push({begun, step, values: merged});
      return;
    }
    const key = keyOf(assigned, name), known = this.variables.get(key);
    const variable = known ?? {name, type, function: assigned.function, call: assigned.call, history: []};
    if (!known) this.variables.set(key, variable);
    variable.history.push({begun, step, values});
  }

  // The known vector, matrix or scalar that a name is, or is a part of, with the part's lanes.
  wholeOf(assigned, name) {
    const variable = this.variables.get(keyOf(assigned, name));
    if (variable) {
      return {variable, type: variable.type, lanes: variable.history.at(-1).values.map((_, lane) => lane)};
    }
    const match = PART.exec(name), outer = match && this.wholeOf(assigned, match[1]);
    if (!outer || !VECTOR.test(outer.type)) return null;
    const alphabet = match[2] && LANE_NAMES.find((letters) => [...match[2]].every((each) => letters.includes(each)));
    const inside = match[3] ? [Number(match[3])] : alphabet && [...match[2]].map((each) => alphabet.indexOf(each));
    if (!inside || Math.max(...inside) >= outer.lanes.length) return null;
    return {variable: outer.variable, type: `vec${inside.length}`, lanes: inside.map((lane) => outer.lanes[lane])};
  }
}

function keyOf({function: name, call}, variable) {
  return name ? `${call} ${name} ${variable}` : ` ${variable}`;
}

function termOf([step, fault, text, ...numbers]) {
  const [value, weight, product, expected, running, expectedRunning] = numbers.map(number);
  return {step, fault, text, value, weight, product, expected, running, expectedRunning};
}
