"use strict";
// Reads what `packed.py` wrote: base64 of deflated bytes, all first bytes of the numbers before all second ones.

async function inflated(text) {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

async function inflatedJson(text) {
  return JSON.parse(new TextDecoder().decode(await inflated(text)));
}

async function words(text) {
  const planes = await inflated(text), count = planes.length / 4, found = new Uint32Array(count);
  for (let i = 0; i < count; i++) {
    found[i] = planes[i] | planes[count + i] << 8 | planes[2 * count + i] << 16 | planes[3 * count + i] << 24;
  }
  return found;
}

async function floats(text) {
  return new Float32Array((await words(text)).buffer);
}

// Texels as pairs [tx, ty], of numbers of 16 bits.
async function places(text) {
  if (!text) return [];
  const planes = await inflated(text), count = planes.length / 2, found = [];
  const at = (i) => planes[i] | planes[count + i] << 8;
  for (let i = 0; i < count; i += 2) found.push([at(i), at(i + 1)]);
  return found;
}

// The elements in all lanes, from differences between neighbours.
async function elements(text) {
  const found = new Int32Array((await words(text)).buffer);
  for (let i = 1; i < found.length; i++) found[i] += found[i - 1];
  return found;
}

// The floats so many steps from others (`steps_apart`), bit for bit.
async function stepsFrom(values, text) {
  const steps = await words(text), bits = new Uint32Array(values.buffer), found = new Uint32Array(steps.length);
  for (let i = 0; i < steps.length; i++) {
    const ordered = bits[i] >>> 31 ? ~bits[i] : bits[i] | 0x80000000;
    const moved = (ordered + ((steps[i] >>> 1) ^ -(steps[i] & 1))) >>> 0;
    found[i] = moved >>> 31 ? moved & 0x7fffffff : ~moved;
  }
  return new Float32Array(found.buffer);
}
