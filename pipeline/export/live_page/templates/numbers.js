// Formats numbers as people of shaders read them.

const LANES = "rgba";

// The shortest decimal that reads back as the same float32.
function exact(value) {
  if (typeof value !== "number") return String(value);
  if (!Number.isFinite(value)) return Number.isNaN(value) ? "NaN" : value > 0 ? "Inf" : "-Inf";
  for (let digits = 6; digits < 9; digits++) {
    const text = value.toPrecision(digits);
    if (Math.fround(Number(text)) === Math.fround(value)) return plain(Number(text));
  }
  return plain(Number(value.toPrecision(9)));
}

// A few digits, for errors and bounds.
function brief(value, digits = 3) {
  if (value === null || value === undefined) return "–";
  if (typeof value !== "number" || !Number.isFinite(value)) return exact(value);
  return plain(Number(value.toPrecision(digits)));
}

function plain(number) {
  const size = Math.abs(number);
  return size !== 0 && (size < 1e-4 || size >= 1e9) ? number.toExponential() : String(number);
}

function lanesText(values) {
  const texts = values.map(exact);
  return texts.length === 1 ? texts[0] : `(${texts.join(", ")})`;
}

function grouped(number) {
  return number.toLocaleString("en");
}

// The index of an element in a tensor's shape, as `[0, 1, 12, 7]`.
function indexText(element, shape) {
  const index = [];
  for (let axis = shape.length - 1, left = element; axis >= 0; axis--) {
    index.unshift(left % shape[axis]);
    left = Math.floor(left / shape[axis]);
  }
  return `[${index.join(", ")}]`;
}
