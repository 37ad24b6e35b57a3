"use strict";
// Runs the passes of `contents` in WebGL 2, compares them, shows the table, hands out a capture.

const contents = JSON.parse(document.getElementById("contents").textContent);
const SIGNS = {match: "●", precision: "◐", mismatch: "✗", nan: "✗", error: "!", not_compared: "?", not_run: "○"};
const WRONG = ["mismatch", "nan", "error"];
const HALF_ROUNDOFF = 2 ** -11, HALF_SMALLEST = 2 ** -24, EIGHT_BITS = 0.6 / 255;
const COORDINATE = /uv|tex|coord|st\b/i;
const byId = (id) => document.getElementById(id);

// -- numbers ---------------------------------------------------------------------------------------------------------

function floats(base64) {
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  return new Float32Array(bytes.buffer);
}

function base64(values) {
  const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
  let text = "";
  for (let i = 0; i < bytes.length; i += 0x8000) text += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
  return btoa(text);
}

// Figures of texels against those expected; a bound below 0 marks padding. `rounding` is what the storage adds.
function measure(have, want, bound, rounding) {
  const found = {maxAbs: 0, ratio: 0, mismatched: 0, count: 0, worst: -1, nan: false, stored: 0};
  for (let i = 0; i < have.length; i++) {
    if (bound[i] < 0) continue;
    found.count++;
    if (have[i] === want[i] || (Number.isNaN(have[i]) && Number.isNaN(want[i]))) continue;
    let error = Math.abs(have[i] - want[i]);
    if (Number.isNaN(error)) error = Infinity;
    if (Number.isNaN(have[i]) && !Number.isNaN(want[i])) found.nan = true;
    const within = error === Infinity && bound[i] === Infinity && !Number.isNaN(have[i]);
    const ratio = within ? 1 : error / Math.max(bound[i], 1e-300);
    found.maxAbs = Math.max(found.maxAbs, error);
    if (ratio > found.ratio) [found.ratio, found.worst] = [ratio, i];
    if (ratio > 1) found.mismatched++;
    if (!within && !(error <= bound[i] + rounding(want[i]))) found.stored++;
  }
  return found;
}

// How like the wrong values here those made at home are, of the same inputs: `Judge.reproduces` of a capture judged
// at home, number for number. `same` of `wrong` elements are reproduced; `distance` is the mean |here - home|.
function likeness(have, want, bound, home) {
  const close = (a, b, within) => Math.abs(a - b) <= within || a === b || (Number.isNaN(a) && Number.isNaN(b));
  const largest = bound.reduce((most, value) => (value < Infinity && value > most ? value : most), 0);
  let wrong = 0, same = 0, right = 0, kept = 0, sum = 0, finite = 0;
  for (let i = 0; i < have.length; i++) {
    if (bound[i] < 0) continue;
    const slack = Math.max(8 * largest, 1e-5 * (Number.isFinite(have[i]) ? Math.abs(have[i]) : 0));
    const apart = Math.abs(have[i] - home[i]);
    if (Number.isFinite(apart)) [sum, finite] = [sum + apart, finite + 1];
    if (close(have[i], want[i], bound[i])) {
      right++;
      kept += close(home[i], have[i], bound[i] + slack);
      continue;
    }
    const error = Math.abs(have[i] - want[i]), size = Number.isNaN(error) ? Infinity : error;
    wrong++;
    same += close(home[i], have[i], Math.max(Math.min(bound[i], size / 2), Math.min(slack, size / 16)));
  }
  const isSame = (!wrong || same / wrong >= 0.995) && (!right || kept / right >= 0.99);
  return {wrong, same, isSame, distance: finite ? sum / finite : Infinity};
}

function roundingOf(storage) {
  if (storage === "float16") return (value) => 2 * HALF_ROUNDOFF * Math.abs(value) + HALF_SMALLEST;
  return storage === "uint8" ? () => EIGHT_BITS : () => 0;
}

// -- WebGL -----------------------------------------------------------------------------------------------------------

class Refused extends Error {}

class Runner {
  constructor(half) {
    this.canvas = document.createElement("canvas");
    const gl = this.canvas.getContext("webgl2", {antialias: false, depth: false, powerPreference: "high-performance"});
    if (!gl) throw new Refused("This browser gives no WebGL 2 context.");
    this.gl = gl;
    this.full = gl.getExtension("EXT_color_buffer_float") !== null;
    this.halfTargets = this.full || gl.getExtension("EXT_color_buffer_half_float") !== null;
    this.linear = gl.getExtension("OES_texture_float_linear") !== null;
    this.isHalf = half || !this.full;
    if (this.isHalf && !this.halfTargets) {
      throw new Refused("This device draws to no float texture: EXT_color_buffer_float and _half_float are missing.");
    }
    gl.disable(gl.DITHER);
    gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1);
    gl.pixelStorei(gl.PACK_ALIGNMENT, 1);
    this.textures = new Map(contents.textures.map((each) => [each.key, each]));
    this.actual = new Map();
    this.samplers = new Map();
    this.results = new Map();
  }

  storage(tensor) {
    return tensor.storage === "float32" && this.isHalf ? "float16" : tensor.storage;
  }

  formats(tensor) {
    const gl = this.gl, one = tensor.lanes === 1, storage = this.storage(tensor);
    const internal = {
      float32: one ? gl.R32F : gl.RGBA32F, float16: one ? gl.R16F : gl.RGBA16F, uint8: one ? gl.R8 : gl.RGBA8,
    }[storage];
    return [internal, one ? gl.RED : gl.RGBA, storage === "uint8" ? gl.UNSIGNED_BYTE : gl.FLOAT];
  }

  // A texture of a tensor; `values` are float32 texels, null leaves it as zeros.
  texture(tensor, values) {
    const gl = this.gl, most = gl.getParameter(gl.MAX_TEXTURE_SIZE);
    if (Math.max(tensor.width, tensor.height) > most) {
      throw new Refused(`'${tensor.key}' takes ${tensor.width}x${tensor.height} texels, this device allows ${most}.`);
    }
    const [internal, format, type] = this.formats(tensor);
    let data = values;
    if (values && type === gl.UNSIGNED_BYTE) {
      data = Uint8Array.from(values, (value) => Math.round(Math.min(Math.max(value, 0), 1) * 255));
    }
    const texture = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.texImage2D(gl.TEXTURE_2D, 0, internal, tensor.width, tensor.height, 0, format, type, data);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE);
    return texture;
  }

  held(key) {
    if (!this.actual.has(key)) {
      const tensor = this.textures.get(key);
      this.actual.set(key, this.texture(tensor, tensor.data === undefined ? null : floats(tensor.data)));
    }
    return this.actual.get(key);
  }

  sampler(filter, wrap) {
    const gl = this.gl, name = `${filter} ${wrap}`;
    if (!this.samplers.has(name)) {
      const sampler = gl.createSampler();
      for (const [key, value] of [
        [gl.TEXTURE_MIN_FILTER, filter === "linear" ? gl.LINEAR : gl.NEAREST],
        [gl.TEXTURE_MAG_FILTER, filter === "linear" ? gl.LINEAR : gl.NEAREST],
        [gl.TEXTURE_WRAP_S, wrap === "repeat" ? gl.REPEAT : gl.CLAMP_TO_EDGE],
        [gl.TEXTURE_WRAP_T, wrap === "repeat" ? gl.REPEAT : gl.CLAMP_TO_EDGE],
      ]) gl.samplerParameteri(sampler, key, value);
      this.samplers.set(name, sampler);
    }
    return this.samplers.get(name);
  }

  program(pass) {
    const gl = this.gl, program = gl.createProgram();
    for (const [kind, text] of [[gl.VERTEX_SHADER, pass.vertex], [gl.FRAGMENT_SHADER, pass.fragment]]) {
      const shader = gl.createShader(kind);
      gl.shaderSource(shader, text);
      gl.compileShader(shader);
      if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) {
        throw new Refused(placed(gl.getShaderInfoLog(shader) || "The shader does not compile.", pass.files));
      }
      gl.attachShader(program, shader);
    }
    gl.linkProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS)) {
      throw new Refused(gl.getProgramInfoLog(program) || "The program does not link.");
    }
    return program;
  }

  uniforms(program, pass) {
    const gl = this.gl;
    for (let i = 0; i < gl.getProgramParameter(program, gl.ACTIVE_UNIFORMS); i++) {
      const {name, type, size} = gl.getActiveUniform(program, i);
      const values = pass.uniforms[name] ?? pass.uniforms[name.replace(/\[0\]$/, "")];
      if (values === undefined) continue;
      const place = gl.getUniformLocation(program, name);
      const [call, width] = setters(gl).get(type) ?? [];
      if (call === undefined) continue;
      const numbers = values.slice(0, width * size).map(Number);  // NaN and infinities come as their names
      if (call.startsWith("uniformMatrix")) gl[call](place, false, numbers);
      else gl[call](place, numbers);
    }
  }

  // The triangle that covers the target, for vertex shaders with attributes too: a position, or a coordinate.
  geometry(program) {
    const gl = this.gl, array = gl.createVertexArray();
    gl.bindVertexArray(array);
    const buffer = gl.createBuffer();
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    gl.bufferData(gl.ARRAY_BUFFER, new Float32Array([-1, -1, 0, 0, 3, -1, 2, 0, -1, 3, 0, 2]), gl.STATIC_DRAW);
    for (let i = 0; i < gl.getProgramParameter(program, gl.ACTIVE_ATTRIBUTES); i++) {
      const {name} = gl.getActiveAttrib(program, i);
      const place = gl.getAttribLocation(program, name);
      if (place < 0) continue;
      gl.enableVertexAttribArray(place);
      gl.vertexAttribPointer(place, 2, gl.FLOAT, false, 16, COORDINATE.test(name) ? 8 : 0);
    }
    return array;
  }

  draw(pass, program, inputs, targets) {
    const gl = this.gl;
    gl.useProgram(program);
    pass.samplers.forEach((sampler, unit) => {
      gl.activeTexture(gl.TEXTURE0 + unit);
      gl.bindTexture(gl.TEXTURE_2D, inputs.get(sampler.key) ?? this.held(sampler.key));
      gl.bindSampler(unit, this.sampler(sampler.filter, sampler.wrap));
      gl.uniform1i(gl.getUniformLocation(program, sampler.uniform), unit);
      if (sampler.filter === "linear" && !this.linear && this.storage(this.textures.get(sampler.key)) === "float32") {
        throw new Refused("The pass filters a float texture, and OES_texture_float_linear is missing here.");
      }
    });
    this.uniforms(program, pass);
    const framebuffer = gl.createFramebuffer();
    gl.bindFramebuffer(gl.FRAMEBUFFER, framebuffer);
    const places = targets.map((target, i) => {
      gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0 + i, gl.TEXTURE_2D, target, 0);
      return gl.COLOR_ATTACHMENT0 + i;
    });
    gl.drawBuffers(places);
    const status = gl.checkFramebufferStatus(gl.FRAMEBUFFER);
    if (status !== gl.FRAMEBUFFER_COMPLETE) throw new Refused(`The framebuffer is incomplete (0x${status.toString(16)}).`);
    const {width, height} = this.textures.get(pass.outputs[0]);
    gl.viewport(0, 0, width, height);
    const array = this.geometry(program);
    gl.drawArrays(gl.TRIANGLES, 0, 3);
    const made = pass.outputs.map((key, i) => this.read(this.textures.get(key), i));
    gl.bindVertexArray(null);
    gl.deleteVertexArray(array);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    gl.deleteFramebuffer(framebuffer);
    if (gl.isContextLost()) throw new Refused("The device gave up (the WebGL context was lost).");
    const code = gl.getError();
    if (code !== gl.NO_ERROR) throw new Refused(`WebGL error 0x${code.toString(16)}.`);
    return made;
  }

  // Texels of a colour attachment, float32, with the lanes of its layout.
  read(tensor, attachment) {
    const gl = this.gl, count = tensor.width * tensor.height;
    const bytes = this.storage(tensor) === "uint8";
    const rgba = bytes ? new Uint8Array(4 * count) : new Float32Array(4 * count);
    gl.readBuffer(gl.COLOR_ATTACHMENT0 + attachment);
    gl.readPixels(0, 0, tensor.width, tensor.height, gl.RGBA, bytes ? gl.UNSIGNED_BYTE : gl.FLOAT, rgba);
    const values = new Float32Array(count * tensor.lanes);
    for (let i = 0; i < values.length; i++) {
      const value = rgba[tensor.lanes === 1 ? 4 * i : i];
      values[i] = bytes ? value / 255 : value;
    }
    return values;
  }

  // One pass: after those before it, then on the inputs that it should have had.
  run(pass) {
    const found = {name: pass.name, verdict: "error", message: "", figures: null, chained: null, ms: null, shown: null, home: null};
    try {
      const missing = pass.inputs.find((key) => this.textures.get(key).role === "activation" && !this.actual.has(key));
      if (missing !== undefined) return {...found, verdict: "not_run", message: `Needs '${missing}', which did not run.`};
      const program = this.program(pass);
      const targets = pass.outputs.map((key) => this.texture(this.textures.get(key), null));
      const start = performance.now();
      const made = this.draw(pass, program, new Map(), targets);
      found.ms = performance.now() - start;
      pass.outputs.forEach((key, i) => {
        this.actual.set(key, targets[i]);
        this.results.set(key, made[i]);
      });
      this.judge(pass, program, made, found);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      found.message = error.message;
    }
    return found;
  }

  judge(pass, program, made, found) {
    const gl = this.gl, expected = pass.outputs.map((key) => contents.expected[key]);
    const known = pass.inputs.every((key) => this.textures.get(key).role === "input" || contents.expected[key]);
    if (expected.includes(undefined) || !known) {
      Object.assign(found, {verdict: "not_compared", message: "Nothing says what is right here."});
      return;
    }
    const inputs = new Map(), owned = [];
    for (const key of pass.inputs) {
      if (this.textures.get(key).role === "input") continue;
      inputs.set(key, this.texture(this.textures.get(key), floats(contents.expected[key].value)));
      owned.push(inputs.get(key));
    }
    const targets = pass.outputs.map((key) => this.texture(this.textures.get(key), null));
    const alone = this.draw(pass, program, inputs, targets);
    [...targets, ...owned].forEach((texture) => gl.deleteTexture(texture));
    gl.deleteProgram(program);
    found.verdict = "match";
    pass.outputs.forEach((key, i) => {
      const tensor = this.textures.get(key), rounding = roundingOf(this.storage(tensor));
      const want = floats(expected[i].value);
      const figures = measure(alone[i], want, floats(expected[i].bound), rounding);
      const verdict = this.verdict(figures, tensor);
      if (found.figures !== null && !(SEVERITY.indexOf(verdict) > SEVERITY.indexOf(found.verdict))) return;
      found.verdict = verdict;
      found.figures = figures;
      found.chained = measure(made[i], want, floats(expected[i].chained), rounding);
      found.shown = {tensor, actual: alone[i], want};
    });
    if (WRONG.includes(found.verdict)) found.home = this.asAtHome(pass, alone, expected);
    if (found.verdict === "not_compared") {
      found.message = "Half floats round its inputs, so that errors are not all its own: judge the capture at home.";
    }
  }

  // The way in which the pass is wrong at home with the values that it has here; null if there is none.
  asAtHome(pass, alone, expected) {
    const ways = (contents.home?.passes[pass.name] ?? []).filter((way) => way.wrong);
    const alike = ways.map((way) => {
      const each = pass.outputs.map((key, i) =>
        likeness(alone[i], floats(expected[i].value), floats(expected[i].bound), floats(way.values[key])));
      const sum = (name) => each.reduce((total, one) => total + one[name], 0);
      return {way, isSame: each.every((one) => one.isSame), wrong: sum("wrong"), same: sum("same"), distance: sum("distance")};
    });
    return alike.filter((each) => each.isSame).sort((a, b) => a.distance - b.distance)[0] ?? null;
  }

  verdict(figures, tensor) {
    if (figures.mismatched === 0) return "match";
    if (figures.nan) return "nan";
    if (this.storage(tensor) !== "float32" && figures.stored === 0) return "precision";
    return this.isHalf && tensor.storage === "float32" ? "not_compared" : "mismatch";
  }

  about() {
    const gl = this.gl, info = gl.getExtension("WEBGL_debug_renderer_info");
    const text = (name) => String(gl.getParameter(name));
    return {
      renderer: info ? text(info.UNMASKED_RENDERER_WEBGL) : text(gl.RENDERER),
      vendor: info ? text(info.UNMASKED_VENDOR_WEBGL) : text(gl.VENDOR),
      version: `${text(gl.VERSION)}, ${text(gl.SHADING_LANGUAGE_VERSION)}`,
      agent: navigator.userAgent,
    };
  }

  // By qualifier: the largest float with its bits of precision, and the largest int; powers of 2.
  precisions() {
    const gl = this.gl;
    return Object.fromEntries([["highp", "HIGH"], ["mediump", "MEDIUM"], ["lowp", "LOW"]].map(([name, level]) => {
      const float = gl.getShaderPrecisionFormat(gl.FRAGMENT_SHADER, gl[`${level}_FLOAT`]);
      const int = gl.getShaderPrecisionFormat(gl.FRAGMENT_SHADER, gl[`${level}_INT`]);
      return [name, `float to 2^${float.rangeMax} with ${float.precision} bits, int to 2^${int.rangeMax}`];
    }));
  }

  release() {
    this.gl.getExtension("WEBGL_lose_context")?.loseContext();
  }
}

const SEVERITY = ["match", "precision", "not_compared", "not_run", "nan", "mismatch", "error"];

function setters(gl) {
  return new Map([
    [gl.FLOAT, ["uniform1fv", 1]], [gl.FLOAT_VEC2, ["uniform2fv", 2]], [gl.FLOAT_VEC3, ["uniform3fv", 3]],
    [gl.FLOAT_VEC4, ["uniform4fv", 4]], [gl.INT, ["uniform1iv", 1]], [gl.INT_VEC2, ["uniform2iv", 2]],
    [gl.INT_VEC3, ["uniform3iv", 3]], [gl.INT_VEC4, ["uniform4iv", 4]], [gl.BOOL, ["uniform1iv", 1]],
    [gl.BOOL_VEC2, ["uniform2iv", 2]], [gl.BOOL_VEC3, ["uniform3iv", 3]], [gl.BOOL_VEC4, ["uniform4iv", 4]],
    [gl.UNSIGNED_INT, ["uniform1uiv", 1]], [gl.UNSIGNED_INT_VEC2, ["uniform2uiv", 2]],
    [gl.UNSIGNED_INT_VEC3, ["uniform3uiv", 3]], [gl.UNSIGNED_INT_VEC4, ["uniform4uiv", 4]],
    [gl.FLOAT_MAT2, ["uniformMatrix2fv", 4]], [gl.FLOAT_MAT3, ["uniformMatrix3fv", 9]],
    [gl.FLOAT_MAT4, ["uniformMatrix4fv", 16]],
  ]);
}

// A driver's messages with the files that lines came from: 200044 is line 44 of file 2.
function placed(log, files) {
  return log.replace(/\0/g, "").trim().replace(/\b(\d+):(\d+):/g, (whole, string, line) => {
    const number = Math.floor(line / 100000) || Number(string);
    return files[number] === undefined ? whole : `${files[number]}:${line % 100000}:`;
  });
}

// -- the page --------------------------------------------------------------------------------------------------------

let runner = null, results = [], selected = null;

function element(tag, text, classes) {
  const made = document.createElement(tag);
  if (text !== undefined) made.textContent = text;
  if (classes) made.className = classes;
  return made;
}

function ratioText(figures) {
  return figures === null ? "" : figures.ratio > 1e6 ? ">1e6" : figures.ratio.toPrecision(3).replace(/\.0+$/, "");
}

function row(found, index) {
  const pass = contents.passes[index], tensor = runner.textures.get(pass.outputs[0]);
  const made = element("tr");
  made.append(
    element("td", SIGNS[found.verdict], found.verdict), element("td", pass.name), element("td", pass.operator),
    element("td", tensor.shape.join("x") || "scalar", "number"),
    element("td", found.verdict.replace("_", " "), found.verdict),
    element("td", found.figures === null ? "" : found.figures.maxAbs.toExponential(1), "number"),
    element("td", ratioText(found.figures), "number"), element("td", ratioText(found.chained), "number"),
    element("td", found.ms === null ? "" : found.ms.toFixed(1), "number"),
  );
  made.children[3].style.textAlign = "left";
  made.tabIndex = 0;
  made.addEventListener("click", () => select(index));
  made.addEventListener("keydown", (event) => { if (event.key === "Enter" || event.key === " ") select(index); });
  return made;
}

function select(index) {
  selected = index;
  [...byId("passes").children].forEach((each, i) => each.setAttribute("aria-selected", String(i === index)));
  const found = results[index], detail = byId("detail");
  detail.replaceChildren(element("h2", found.name));
  if (found.figures !== null) {
    const {mismatched, count} = found.figures;
    detail.append(element("p", mismatched
      ? `${mismatched.toLocaleString("en")} of ${count.toLocaleString("en")} elements lie beyond their bound.`
      : `All ${count.toLocaleString("en")} elements lie within their bound.`));
  }
  if (found.message) detail.append(element(found.verdict === "error" ? "pre" : "p", found.message));
  const said = besideHome(found);
  if (said !== "") detail.append(element("p", said));
  for (const each of found.home?.way.findings ?? []) detail.append(finding(each));
  if (found.home?.way.message) detail.append(element("p", `On ${contents.home.renderer}: ${found.home.way.message}`));
  if (found.shown !== null) detail.append(pictures(found.shown));
  detail.hidden = false;
}

// What comes out here beside what came out where this page was written; no more than the values prove.
function besideHome(found) {
  const ways = contents.home?.passes[found.name];
  if (ways === undefined) return "";
  const renderer = contents.home.renderer, isWrong = WRONG.includes(found.verdict);
  const isRight = found.verdict === "match" || found.verdict === "precision";
  if (ways.length === 0) return isWrong || isRight ? `It does not run on ${renderer}.` : "";
  if (found.home !== null) {
    const {way, same, wrong} = found.home, count = (number) => number.toLocaleString("en");
    return `Wrong in the same way as on ${renderer}${way.highp ? " with every precision highp" : ""}: ` +
      `${count(same)} of ${count(wrong)} wrong elements have the values made there of the same inputs.`;
  }
  const wrongThere = ways[0].wrong, isRightInFull = ways.some((way) => way.highp && !way.wrong);
  if (isRight && wrongThere) {
    return `Wrong on ${renderer}, right here.${isRightInFull ? " There it is right with every precision highp." : ""}`;
  }
  if (!isWrong) return "";
  if (!wrongThere) return `Right on ${renderer}, wrong here.`;
  if (found.verdict === "error") return `Wrong on ${renderer} too, where it runs.`;
  return `Wrong in another way than on ${renderer}: download the capture and judge it with --captured.`;
}

// A cause, in the words of the report.
function finding({cause, parameters, explained, place, evidence, remedy}) {
  const made = element("div", undefined, "finding"), head = element("p"), share = element("span", undefined, "share");
  const bar = element("span"), name = element("strong"), percent = `${(100 * explained).toFixed(1)}%`;
  name.append(element("code", cause));
  bar.style.width = percent;
  share.append(bar);
  share.setAttribute("aria-hidden", "true");
  head.append(name, " ", element("span", parameters, "soft"), " ", share, ` explains ${percent} of the wrong elements`);
  const where = element("p");
  where.append(element("code", place));
  made.append(head, where, element("p", evidence), element("p", `→ ${remedy}`));
  return made;
}

function pictures({tensor, actual, want}) {
  const made = element("div", undefined, "pictures");
  const [low, high] = extent([actual, want]);
  const difference = actual.map((value, i) => (value === want[i] ? 0 : value - want[i]));
  const most = Math.max(...extent([difference]).map(Math.abs));
  const grey = (value) => { const g = 255 * (value - low) / (high - low || 1); return [g, g, g]; };
  const signed = (value) => {
    const t = most ? value / most : 0, s = Math.sqrt(Math.abs(t));
    return t > 0 ? [255 * s, 140 * s, 40 * s] : [50 * s, 140 * s, 255 * s];
  };
  made.append(
    picture("Made here", `${low.toPrecision(3)} to ${high.toPrecision(3)}`, tensor, actual, grey),
    picture("Expected", "the same scale", tensor, want, grey),
    picture("Difference", `±${most.toPrecision(3)}`, tensor, difference, signed),
  );
  return made;
}

// Smallest and largest finite number.
function extent(arrays) {
  let low = Infinity, high = -Infinity;
  for (const values of arrays) {
    for (const value of values) {
      if (!Number.isFinite(value)) continue;
      if (value < low) low = value;
      if (value > high) high = value;
    }
  }
  return low <= high ? [low, high] : [0, 0];
}

function picture(title, legend, tensor, values, colour) {
  const made = element("figure"), caption = element("figcaption"), canvas = element("canvas");
  caption.append(element("span", title), element("span", legend, "soft number"));
  [canvas.width, canvas.height] = [tensor.width, tensor.height];
  const context = canvas.getContext("2d"), image = context.createImageData(tensor.width, tensor.height);
  for (let i = 0; i < tensor.width * tensor.height; i++) {
    const value = values[i * tensor.lanes];
    const [r, g, b] = Number.isFinite(value) ? colour(value) : [255, 0, 255];
    image.data.set([r, g, b, 255], 4 * i);
  }
  context.putImageData(image, 0, 0);
  made.append(caption, canvas);
  return made;
}

function conclude() {
  const culprit = results.find((found) => WRONG.includes(found.verdict)) ?? null;
  const headline = byId("headline");
  headline.replaceChildren();
  if (culprit !== null) headline.append("First wrong pass: ", element("span", culprit.name, culprit.verdict));
  else if (results.some((found) => found.verdict === "not_compared")) headline.append("Not every pass can be judged here.");
  else headline.append("No pass is wrong.");
  const cause = culprit?.home?.way.findings[0]?.cause;
  if (cause !== undefined) headline.append(": ", element("code", cause));
  const counts = SEVERITY.map((verdict) => [verdict, results.filter((found) => found.verdict === verdict).length]);
  byId("counts").textContent = `${results.length} passes: ` + counts.filter(([, count]) => count)
    .map(([verdict, count]) => `${SIGNS[verdict]} ${count} ${verdict.replace("_", " ")}`).join(" · ");
  if (culprit !== null) {
    const index = results.indexOf(culprit);
    byId("passes").children[index].classList.add("culprit");
    select(index);
  }
  return culprit;
}

function describe() {
  const about = runner.about(), rows = byId("about");
  byId("device").textContent = about.renderer;
  const gl = runner.gl;
  const entries = {
    Renderer: about.renderer, Vendor: about.vendor, Version: about.version, Browser: about.agent,
    ...Object.fromEntries(Object.entries(runner.precisions()).map(([name, text]) => [`Fragment ${name}`, text])),
    "Float targets": runner.full ? "EXT_color_buffer_float" : "half floats alone (EXT_color_buffer_half_float)",
    "Float filtering": runner.linear ? "OES_texture_float_linear" : "none",
    "Largest texture": `${gl.getParameter(gl.MAX_TEXTURE_SIZE)} texels`,
    "This run": runner.isHalf ? "tensors as half floats" : "tensors as they are in the target",
  };
  rows.replaceChildren(...Object.entries(entries).map(([name, value]) => {
    const made = element("tr");
    made.append(element("th", name), element("td", value));
    return made;
  }));
}

// What `diff --captured` reads: every tensor that was made, as float32 texels, and the inputs.
function capture() {
  const entry = (tensor, values) => ({
    name: tensor.key, type: "float32", width: tensor.width, height: tensor.height, channels: tensor.lanes,
    layout: tensor.layout, storage: runner.storage(tensor), data: base64(values),
  });
  return {
    version: 1,
    device: runner.about(),
    shaders: "target",
    ...(runner.isHalf ? {storage: "float16"} : {}),
    about: {target: contents.target, precisions: runner.precisions(), verdicts: Object.fromEntries(results.map((found) => [found.name, found.verdict]))},
    inputs: contents.textures.filter((each) => each.role === "input").map((each) => entry(each, floats(each.data))),
    tensors: [...runner.results].map(([key, values]) => entry(runner.textures.get(key), values)),
  };
}

function download() {
  const link = element("a");
  link.href = URL.createObjectURL(new Blob([JSON.stringify(capture())], {type: "application/json"}));
  link.download = "capture.json";
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

async function start(half) {
  const buttons = ["download", "again", "half"].map(byId);
  buttons.forEach((button) => { button.disabled = true; });
  document.body.dataset.state = "running";
  byId("headline").textContent = "Running …";
  byId("passes").replaceChildren();
  byId("detail").hidden = true;
  byId("progress").hidden = false;
  byId("progress").value = 0;
  results = [];
  try {
    runner?.release();
    runner = new Runner(half);
    describe();
    byId("half").hidden = !runner.full;
    byId("half").textContent = runner.isHalf ? "Run with full floats" : "Run with half floats";
    for (const [index, pass] of contents.passes.entries()) {
      await new Promise((resolve) => setTimeout(resolve));
      results.push(runner.run(pass));
      byId("passes").append(row(results[index], index));
      byId("progress").value = (index + 1) / contents.passes.length;
    }
    byId("progress").hidden = true;
    conclude();
    buttons[0].disabled = runner.results.size === 0;
  } catch (error) {
    byId("headline").textContent = error instanceof Refused ? error.message : `This page failed: ${error}`;
  }
  byId("again").disabled = byId("half").disabled = false;
  document.body.dataset.state = "done";
}

byId("download").addEventListener("click", download);
byId("again").addEventListener("click", () => start(runner !== null && runner.isHalf));
byId("half").addEventListener("click", () => start(!runner.isHalf));
start(false);
