// Records what TensorFlow.js's WebGL backend draws: programs, uniforms, textures, times. Into a page with `tf`, then:
//   const recorder = recordTensorFlow(tf);
//   await model.predict(input).data();
//   await recorder.save();               // downloads recording.tfjs.zip
// The format is docs/tfjs.md's. Between the first and the last line every drawn texture is read back, so that it is slow.
function recordTensorFlow(tf) {
  const backend = tf.backend(), gpgpu = backend.gpgpu, gl = gpgpu.gl, engine = tf.engine();
  const textures = [], programs = [], files = [], wrapped = [];
  const versions = new Map(), owners = new Map(), sources = new Map(), sizes = new Map(), running = [], kernels = [];
  const F16 = !tf.env().getBool('WEBGL_RENDER_FLOAT32_ENABLED');

  function wrap(object, name, around) {
    const own = object[name];
    object[name] = (...given) => around(() => own.apply(object, given), ...given);
    wrapped.push(() => delete object[name]);
  }
  function within(stack, entry, call) {
    stack.push(entry);
    try { return call(); } finally { stack.pop(); }
  }

  // -- textures: each content has a number; a texture that is written anew gets another one
  function attached(texture, use) {
    const before = gl.getParameter(gl.FRAMEBUFFER_BINDING), own = gl.createFramebuffer();
    gl.bindFramebuffer(gl.FRAMEBUFFER, own);
    gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, texture, 0);
    const result = use();
    gl.bindFramebuffer(gl.FRAMEBUFFER, before);
    gl.deleteFramebuffer(own);
    return result;
  }
  // Releases of TensorFlow.js size textures differently, so their sizes are WebGL's. One that was made before the
  // recording tells it by what readPixels leaves alone: pixels outside.
  function extent(at, bytes) {
    const inside = (i) => [1, 2].some((mark) => {
      const pixel = new (bytes ? Uint8Array : Float32Array)(4).fill(mark);
      gl.readPixels(...at(i), 1, 1, gl.RGBA, bytes ? gl.UNSIGNED_BYTE : gl.FLOAT, pixel);
      return pixel.some((value) => value !== mark);
    });
    let least = 1, most = gl.getParameter(gl.MAX_TEXTURE_SIZE);
    while (least < most) {
      const middle = Math.ceil((least + most) / 2);
      if (inside(middle - 1)) least = middle; else most = middle - 1;
    }
    return least;
  }
  function sizeOf(texture, bytes) {
    if (!sizes.has(texture)) {
      sizes.set(texture, attached(texture, () => [extent((i) => [i, 0], bytes), extent((i) => [0, i], bytes)]));
    }
    return sizes.get(texture);
  }
  function sized(target, level, width, height) {
    if (target !== gl.TEXTURE_2D || level !== 0) return;
    const texture = gl.getParameter(gl.TEXTURE_BINDING_2D);
    if (width === undefined) sizes.delete(texture); else sizes.set(texture, [width, height]);
  }
  function described(texture, shape, dense) {
    const data = owners.get(texture), bytes = data.usage === 2 || data.usage === 3, rgba = data.usage === 1 || bytes;
    const packed = rgba ? !bytes : data.isPacked, [width, height] = sizeOf(texture, bytes);
    return {
      id: textures.length, width, height, lanes: packed || rgba ? 4 : 1,
      type: bytes ? 'uint8' : F16 && data.usage !== 1 ? 'float16' : 'float32',
      layout: rgba ? 'texels' : dense ? 'dense' : packed ? 'packed' : 'unpacked',
      shape: rgba ? [height, width, 4] : shape, dtype: data.dtype,
    };
  }
  function read(texture, { id, width, height, lanes, type }) {
    const bytes = type === 'uint8', rgba = new (bytes ? Uint8Array : Float32Array)(4 * width * height);
    attached(texture, () => gl.readPixels(0, 0, width, height, gl.RGBA, bytes ? gl.UNSIGNED_BYTE : gl.FLOAT, rgba));
    const values = lanes === 4 ? rgba : rgba.filter((_, i) => i % 4 === 0), path = `textures/${id}.bin`;
    files.push([path, new Uint8Array(values.buffer)]);
    return path;
  }
  function version(texture, shape) {
    if (!versions.has(texture)) {
      const found = described(texture, shape, false);
      textures.push({ ...found, values: read(texture, found) });
      versions.set(texture, found.id);
    }
    return versions.get(texture);
  }

  // -- programs
  function plain(value) {
    if (ArrayBuffer.isView(value) || Array.isArray(value)) return Array.from(value, plain);
    return typeof value === 'number' && !Number.isFinite(value) ? String(value) : value;
  }
  function text(program, name) {
    if (!sources.has(program)) {
      const path = `programs/${String(sources.size).padStart(3, '0')}_${name.replace(/\W/g, '_')}`, own = {};
      for (const shader of gl.getAttachedShaders(program)) {
        const kind = gl.getShaderParameter(shader, gl.SHADER_TYPE) === gl.VERTEX_SHADER ? 'vertex' : 'fragment';
        own[kind] = `${path}.${kind === 'vertex' ? 'vert' : 'frag'}`;
        files.push([own[kind], new TextEncoder().encode(gl.getShaderSource(shader))]);
      }
      sources.set(program, own);
    }
    return sources.get(program);
  }
  function drawn(draw) {
    const { program, inputs, key } = running[running.length - 1], made = gl.getParameter(gl.CURRENT_PROGRAM);
    const bound = [], uniforms = {}, active = gl.getParameter(gl.ACTIVE_TEXTURE);
    for (let i = 0; i < gl.getProgramParameter(made, gl.ACTIVE_UNIFORMS); i++) {
      const { name, size, type } = gl.getActiveUniform(made, i), bare = name.replace('[0]', '');
      const value = (at) => gl.getUniform(made, gl.getUniformLocation(made, at));
      if (type === gl.SAMPLER_2D) {
        gl.activeTexture(gl.TEXTURE0 + value(bare));
        const { shape } = inputs[program.variableNames.indexOf(bare)];
        bound.push({ uniform: bare, texture: version(gl.getParameter(gl.TEXTURE_BINDING_2D), shape), shape });
      } else {
        uniforms[bare] = plain(size > 1 ? Array.from({ length: size }, (_, k) => value(`${bare}[${k}]`)) : value(name));
        const at = program.variableNames.indexOf(bare);  // a small tensor: its values are a uniform
        if (at >= 0) bound.push({ uniform: bare, shape: inputs[at].shape, values: [uniforms[bare]].flat() });
      }
    }
    gl.activeTexture(active);
    const place = ({ uniform }) => program.variableNames.indexOf(uniform);
    program.variableNames.forEach((uniform, at) => {  // what the compiler found nobody to read
      if (!bound.some((each) => each.uniform === uniform)) bound.push({ uniform, shape: inputs[at].shape, values: [] });
    });
    bound.sort((one, other) => place(one) - place(other));  // a driver lists them in an order of its own
    const timer = backend.startTimer();
    draw();
    backend.endTimer(timer);
    const target = gl.getFramebufferAttachmentParameter(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.FRAMEBUFFER_ATTACHMENT_OBJECT_NAME);
    const output = described(target, program.outputShape, program.outPackingScheme === 0);
    textures.push({ ...output, values: read(target, output) });
    versions.set(target, output.id);
    const name = program.constructor.name, kernel = kernels[kernels.length - 1] ?? {};
    programs.push({
      name, key, ...kernel, ...text(made, name), inputs: bound, uniforms, output: output.id, timer,
      shapes: program.enableShapeUniforms ? 'uniforms' : 'constants',
    });
  }

  wrap(engine, 'runKernel', (call, kernel, _, attributes) => within(kernels, { kernel, attributes: { ...attributes } }, call));
  wrap(backend, 'runWebGLProgram', (call, program, inputs) =>
    within(running, { program, inputs: inputs.map(({ shape }) => ({ shape: shape.slice() })) }, call));
  wrap(backend, 'getAndSaveBinary', (call, key) => { running[running.length - 1].key = key; return call(); });
  wrap(backend, 'uploadToGPU', (call, dataId) => {
    call();
    const data = backend.texData.get(dataId);
    owners.set(data.texture.texture ?? data.texture, { ...data });  // TensorFlow.js before 3.19 has it bare
  });
  for (const name of ['uploadDenseMatrixToTexture', 'uploadPixelDataToTexture']) {
    wrap(gpgpu, name, (call, texture) => { versions.delete(texture); return call(); });
  }
  wrap(gpgpu, 'executeProgram', drawn);
  wrap(gl, 'texImage2D', (call, target, level, ...rest) => {
    sized(target, level, ...(rest.length > 4 ? rest.slice(1, 3) : []));  // fewer arguments: a picture has the size
    return call();
  });
  if (gl.texStorage2D) {
    wrap(gl, 'texStorage2D', (call, target, _, __, width, height) => { sized(target, 0, width, height); return call(); });
  }

  // -- what is taken away: a zip archive of plain data
  async function archive() {
    wrapped.splice(0).forEach((undo) => undo());
    const done = [];
    for (const { timer, ...program } of programs) done.push({ ...program, ms: await backend.getQueryTime(timer) });
    const info = gl.getExtension('WEBGL_debug_renderer_info');
    const about = {
      format: 'texelscope-tfjs', version: 1, tfjs: tf.version_core ?? String(tf.version?.['tfjs-core']),
      webgl: tf.env().getNumber('WEBGL_VERSION'), textures, programs: done,
      renderer: gl.getParameter(info ? info.UNMASKED_RENDERER_WEBGL : gl.RENDERER),
    };
    return zipped([['programs.json', new TextEncoder().encode(JSON.stringify(about, null, 1))], ...files]);
  }
  function zipped(members) {
    const table = Uint32Array.from({ length: 256 }, (_, n) => {
      for (let k = 0; k < 8; k++) n = n & 1 ? 0xedb88320 ^ (n >>> 1) : n >>> 1;
      return n;
    });
    const parts = [], index = [];
    let at = 0, held = 0;
    const numbers = (...pairs) => {  // [value, bytes] …, little-endian
      const out = [];
      for (const [value, bytes] of pairs) for (let i = 0; i < bytes; i++) out.push((value >>> (8 * i)) & 255);
      return new Uint8Array(out);
    };
    for (const [path, bytes] of members) {
      const name = new TextEncoder().encode(path), crc = ~bytes.reduce((c, byte) => table[(c ^ byte) & 255] ^ (c >>> 8), ~0);
      const common = [[20, 2], [0, 2], [0, 2], [0, 2], [33, 2], [crc, 4], [bytes.length, 4], [bytes.length, 4], [name.length, 2], [0, 2]];
      const head = numbers([0x04034b50, 4], ...common);
      index.push(numbers([0x02014b50, 4], [20, 2], ...common, [0, 2], [0, 2], [0, 2], [0, 4], [at, 4]), name);
      parts.push(head, name, bytes);
      at += head.length + name.length + bytes.length;
      held += 46 + name.length;
    }
    const end = numbers([0x06054b50, 4], [0, 2], [0, 2], [members.length, 2], [members.length, 2], [held, 4], [at, 4], [0, 2]);
    return new Blob([...parts, ...index, end], { type: 'application/zip' });
  }
  async function save(name = 'recording.tfjs.zip') {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(await archive());
    link.download = name;
    link.click();
  }
  return { save, archive };
}
if (typeof globalThis !== 'undefined') globalThis.recordTensorFlow = recordTensorFlow;
