// The elements that a texel should read, by the rules that `read_rules.py` found.

// The indices along an axis: [first, count, step], or a list in a list.
function indicesOf(written) {
  if (written.length === 1) return written[0];
  const [first, count, step] = written;
  return Array.from({length: count}, (_, i) => first + i * step);
}

// By number of an input's texture, the elements that should be read for one element of an output of that shape.
function ruledReads(rules, element, shape) {
  const sizes = [...Array(Math.max(4 - shape.length, 0)).fill(1), ...shape], found = new Map();
  const index = [1, 1, 1, 1];
  let left = element;
  for (const axis of [3, 2, 1]) {
    const size = sizes[sizes.length - 4 + axis];
    index[axis] = left % size;
    left = Math.floor(left / size);
  }
  index[0] = left;
  for (const {texture, dims, axes, gone} of rules) {
    if (gone.some((indices, axis) => indices.includes(index[axis]))) continue;
    const [n, c, h, w] = axes.map(([axis, indices]) => indicesOf(indices[axis < 0 ? 0 : index[axis]]));
    const elements = n.flatMap((a) => c.flatMap((b) => h.flatMap((y) => w.map(
      (x) => ((a * dims[1] + b) * dims[2] + y) * dims[3] + x))));
    found.set(texture, elements);
  }
  return found;
}

// By number of an input's texture, the texels that should be read for all lanes of an output's texel.
async function ruledTexels(rules, output, tx, ty, textures) {
  const found = new Map();
  for (let lane = 0; lane < output.lanes; lane++) {
    const element = output.elements[output.at(tx, ty, lane)];
    if (element < 0) continue;
    for (const [number, elements] of ruledReads(rules, element, output.data.shape)) {
      const texture = await textures[number].load();
      if (!texture.isThere) continue;
      if (!found.has(number)) found.set(number, new Set());
      for (const each of elements) found.get(number).add(texture.texelOf(each));
    }
  }
  return new Map([...found].map(([number, places]) => {
    const {width} = textures[number];
    return [number, [...places].map((place) => [place % width, Math.floor(place / width)])];
  }));
}
