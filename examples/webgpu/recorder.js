// Records what a page computes with WebGPU, whatever engine computes it. Before the engine asks for its device:
//   const recorder = recordWebGPU();     // every device, those of workers excepted
//   …                                    // whatever is to be looked at
//   await recorder.save();               // downloads recording.webgpu.zip, and lets go of the devices
// The format is docs/webgpu.md's. What a dispatch reads is copied before it and what it may write behind it, within the
// page's own command buffers: the page computes what it computes without this, slower.
function recordWebGPU({ mostBytes = 2 ** 30 } = {}) {
  const commands = [],
    programs = [],
    devices = [],
    contents = [],
    notes = [],
    undone = [],
    pending = [];
  // By the page's objects. A view of a buffer that is written anew gets another content.
  const deviceOf = new WeakMap(),
    buffers = new WeakMap(),
    textures = new WeakMap(),
    modules = new WeakMap(),
    pipelines = new WeakMap(),
    layouts = new WeakMap(),
    groups = new WeakMap(),
    encoders = new WeakMap(),
    passes = new WeakMap(),
    lists = new WeakMap();
  const byHash = new Map(),
    files = [];
  let heldBytes = 0,
    bufferCount = 0,
    dispatchCount = 0,
    isStopped = false,
    isOwn = false;

  function note(text) {
    if (notes.includes(text)) return;
    notes.push(text);
    console.warn(`recordWebGPU: ${text}`);
  }
  // Calls of the recorder itself pass through.
  function raw(use) {
    const before = isOwn;
    isOwn = true;
    try {
      return use();
    } finally {
      isOwn = before;
    }
  }
  function wrap(type, name, around) {
    const kind = globalThis[type]?.prototype,
      own = kind?.[name];
    if (typeof own !== 'function') return;
    kind[name] = function (...given) {
      const call = (to = this, ...other) => own.apply(to, other.length ? other : given);
      return isOwn ? call() : around(call, given, this);
    };
    // A pass that is being written when the recording ends still has its parts.
    if (type !== 'GPUComputePassEncoder') undone.push(() => (kind[name] = own));
  }

  // -- what there is: devices, buffers, programs
  function hook(device) {
    if (deviceOf.has(device)) return deviceOf.get(device);
    const info = device.adapterInfo ?? {},
      about = { lost: false };
    for (const name of ['vendor', 'architecture', 'device', 'description']) about[name] = String(info[name] ?? '');
    deviceOf.set(device, about);
    devices.push(about);
    device.lost.then(({ reason, message }) => {
      about.lost = true;
      // A page that is done may destroy its device.
      if (reason !== 'destroyed' && !isStopped)
        note(`Device ${devices.indexOf(about)} was lost: ${message.split('\n')[0]}`);
    });
    return about;
  }
  function known(buffer) {
    if (!buffers.has(buffer)) {
      buffers.set(buffer, { id: bufferCount++, device: null, isReadable: false });
      note('A buffer was made before the recording began: what it holds is not recorded.');
    }
    return buffers.get(buffer);
  }
  const COPIED = ['STORAGE', 'UNIFORM', 'INDIRECT'];
  wrap('GPUDevice', 'createBuffer', (call, [given, ...rest], device) => {
    hook(device);
    const isReadable = COPIED.some((name) => given.usage & GPUBufferUsage[name]),
      copied = { ...given, usage: isReadable ? given.usage | GPUBufferUsage.COPY_SRC : given.usage };
    const made = call(device, copied, ...rest);
    buffers.set(made, { id: bufferCount++, device, isReadable, usage: given.usage });
    return made;
  });
  // Engines keep buffers for their next use by their usage, which has to be the one that they asked for.
  const usage = Object.getOwnPropertyDescriptor(globalThis.GPUBuffer?.prototype ?? {}, 'usage');
  if (usage) {
    Object.defineProperty(GPUBuffer.prototype, 'usage', {
      ...usage,
      get() {
        return buffers.get(this)?.usage ?? usage.get.call(this);
      },
    });
    undone.push(() => Object.defineProperty(GPUBuffer.prototype, 'usage', usage));
  }
  wrap('GPUDevice', 'createShaderModule', (call, [given], device) => {
    hook(device);
    const made = call();
    modules.set(made, { code: given.code, label: given.label ?? '' });
    return made;
  });
  function pipeline(made, given) {
    const { module, entryPoint, constants = {} } = given.compute;
    pipelines.set(made, { module: modules.get(module), entryPoint, constants, label: given.label ?? '' });
    return made;
  }
  wrap('GPUDevice', 'createComputePipeline', (call, [given]) => pipeline(call(), given));
  wrap('GPUDevice', 'createComputePipelineAsync', (call, [given]) => call().then((made) => pipeline(made, given)));
  wrap('GPUDevice', 'createBindGroup', (call, [given]) => {
    const made = call();
    const entries = Array.from(given.entries).sort((a, b) => a.binding - b.binding);
    groups.set(made, { entries, layout: layouts.get(given.layout) ?? new Map() });
    return made;
  });
  wrap('GPUDevice', 'createBindGroupLayout', (call, [given]) => {
    const made = call();
    layouts.set(made, new Map(Array.from(given.entries, (each) => [each.binding, each.buffer ?? {}])));
    return made;
  });
  wrap('GPUDevice', 'createTexture', (call, [given]) => {
    const made = call(),
      { size, format } = given,
      [width, height = 1, layers = 1] = size[Symbol.iterator]
        ? Array.from(size)
        : [size.width, size.height, size.depthOrArrayLayers];
    textures.set(made, { width, height, layers, format, dimension: given.dimension ?? '2d' });
    return made;
  });
  wrap('GPUTexture', 'createView', (call, _, texture) => {
    const made = call();
    textures.set(made, textures.get(texture));
    return made;
  });
  // What a text declares: numbers of a group's bindings to the kind of what is bound, and whether it may be written.
  function declared(program) {
    if (program.declared) return program.declared;
    const bare = program.code.replace(/\/\/[^\n]*|\/\*[^]*?\*\//g, ' '),
      found = new Map();
    for (const [, attributes, kind] of bare.matchAll(/((?:@(?:group|binding)\s*\([^)]*\)\s*){2})var\s*(<[^>]*>)?/g)) {
      const number = (name) => attributes.match(new RegExp(`@${name}\\s*\\(\\s*(\\d+)[iu]?\\s*,?\\s*\\)`))?.[1];
      const at = `${number('group')} ${number('binding')}`,
        isWritten = kind !== undefined && /storage/.test(kind) && /write/.test(kind);
      found.set(at, { isUniform: /uniform/.test(kind ?? ''), isWritten: isWritten || !!found.get(at)?.isWritten });
    }
    return (program.declared = found);
  }
  // A module's number among the programs; null where there is no room for its text.
  function program(module) {
    const same = programs.findIndex((each) => each.code === module.code && each.label === module.label);
    if (same >= 0) return same;
    const name = (module.label || 'program').replace(/[^A-Za-z0-9_.-]+/g, '_').slice(0, 40),
      text = `programs/${String(programs.length).padStart(3, '0')}_${name}.wgsl`,
      bytes = new TextEncoder().encode(module.code),
      entry = { text, label: module.label, code: module.code };
    if (!keep(text, bytes)) return null;
    programs.push(entry);
    pending.push(hash(bytes).then((found) => (entry.sha256 = found)));
    return programs.length - 1;
  }
  // Whether there was room for a file.
  function keep(path, bytes) {
    if (heldBytes + bytes.length > mostBytes) {
      isStopped = true;
      note(`The recording is cut short: it may hold ${mostBytes} bytes. Allow more with mostBytes.`);
      return false;
    }
    heldBytes += bytes.length;
    files.push([path, bytes]);
    return true;
  }

  // -- contents: what was in a part of a buffer, each kept once
  function copied(state, buffer, offset, size) {
    const { device, isReadable } = known(buffer),
      bytes = Math.floor(size / 4) * 4;
    if (!device || !isReadable || bytes <= 0) return null;
    const content = { id: contents.length, bytes };
    contents.push(content);
    raw(() => {
      content.staging = device.createBuffer({ size: bytes, usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST });
      state.encoder.copyBufferToBuffer(buffer, offset, content.staging, 0, bytes);
    });
    state.contents.push(content);
    return content;
  }
  // Within one command buffer no other one, and no upload, comes between its commands. So a content holds until a
  // command of the same one writes there.
  function content(state, buffer, offset, size) {
    const list = state.current.get(buffer) ?? [],
      same = list.find((each) => each.offset === offset && each.size === size);
    if (same) return same.content;
    const found = copied(state, buffer, offset, size);
    state.current.set(buffer, [...list, { offset, size, content: found }]);
    return found;
  }
  function overwritten(state, buffer, offset = 0, size = Infinity) {
    const list = state.current.get(buffer) ?? [];
    state.current.set(
      buffer,
      list.filter((each) => each.offset + each.size <= offset || each.offset >= offset + size),
    );
  }
  async function read(found) {
    const { staging } = found;
    delete found.staging;
    try {
      await staging.mapAsync(GPUMapMode.READ);
      const bytes = new Uint8Array(staging.getMappedRange()).slice();
      found.sha256 = await hash(bytes);
      const path = `buffers/${found.id}.bin`;
      if (!byHash.has(found.sha256)) byHash.set(found.sha256, keep(path, bytes) ? path : null);
      found.values = byHash.get(found.sha256) ?? undefined;
      if (!found.values) found.missing = 'the recording holds as many bytes as it may';
    } catch (error) {
      found.missing = 'it could not be read back';
      note(
        `Content ${found.id} (${found.bytes} bytes) could not be read back: ${String(error.message).split('\n')[0]}`,
      );
    }
    raw(() => staging.destroy());
  }
  async function hash(bytes) {
    const found = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
    return Array.from(found, (each) => each.toString(16).padStart(2, '0')).join('');
  }

  // -- commands
  wrap('GPUDevice', 'createCommandEncoder', (call, _, device) => {
    const encoder = call();
    hook(device);
    encoders.set(encoder, { device, encoder, current: new Map(), commands: [], contents: [] });
    return encoder;
  });
  wrap('GPUCommandEncoder', 'beginComputePass', (call, given, encoder) => {
    const state = encoders.get(encoder);
    if (!state) return call();
    const { timestampWrites, ...plain } = given[0] ?? {},
      { endOfPassWriteIndex, ...start } = timestampWrites ?? {};
    // A pass is cut at its dispatches: the first part has the first time, an empty one behind all the last.
    const hasStart = start.beginningOfPassWriteIndex !== undefined,
      made = call(encoder, hasStart ? { ...plain, timestampWrites: start } : plain);
    const end = { ...timestampWrites };
    delete end.beginningOfPassWriteIndex;
    const isTimed = endOfPassWriteIndex !== undefined;
    passes.set(made, {
      encoder,
      state,
      plain,
      end: isTimed ? end : null,
      now: made,
      bound: new Map(),
      debug: [],
      pipeline: null,
    });
    return made;
  });
  function passCall(name, around = () => {}) {
    wrap('GPUComputePassEncoder', name, (call, given, page) => {
      const pass = passes.get(page);
      if (!pass) return call();
      around(pass, given);
      return call(pass.now);
    });
  }
  passCall('setPipeline', (pass, [made]) => (pass.pipeline = made));
  passCall('setBindGroup', (pass, [index, group, offsets = [], first = 0, count = offsets.length]) => {
    const own = offsets instanceof Uint32Array ? offsets.slice(first, first + count) : Array.from(offsets);
    pass.bound.set(index, { group, offsets: own });
  });
  passCall('pushDebugGroup', (pass, [label]) => pass.debug.push(label));
  passCall('popDebugGroup', (pass) => pass.debug.pop());
  passCall('insertDebugMarker');
  passCall('writeTimestamp');
  // Ends the pass, lets `use` copy, and goes on with a pass that has all that was set.
  function between(pass, use) {
    raw(() => {
      pass.debug.forEach(() => pass.now.popDebugGroup());
      pass.now.end();
    });
    use();
    raw(() => {
      pass.now = pass.encoder.beginComputePass(pass.plain);
      pass.debug.forEach((label) => pass.now.pushDebugGroup(label));
      if (pass.pipeline) pass.now.setPipeline(pass.pipeline);
      for (const [index, { group, offsets }] of pass.bound) pass.now.setBindGroup(index, group, offsets);
    });
  }
  function bindings(pass, made) {
    const kinds = declared(made.module),
      found = [];
    for (const [group, bound] of [...pass.bound].sort(([a], [b]) => a - b)) {
      const { entries, layout } = groups.get(bound.group) ?? { entries: [], layout: new Map() },
        dynamic = entries.filter(({ binding }) => layout.get(binding)?.hasDynamicOffset);
      if (bound.offsets.length !== dynamic.length) {
        note('A layout of bindings was made before the recording began: dispatches with it are not recorded.');
        return null;
      }
      for (const entry of entries) {
        const { binding, resource } = entry,
          what = kinds.get(`${group} ${binding}`),
          buffer = bufferIn(resource);
        // A layout may have more than the program uses.
        if (kinds.size && !what) continue;
        if (!buffer) {
          found.push({ group, binding, other: described(resource) });
          continue;
        }
        const part = buffer === resource ? {} : resource,
          offset = (part.offset ?? 0) + (bound.offsets[dynamic.indexOf(entry)] ?? 0),
          size = part.size ?? buffer.size - offset;
        found.push({ group, binding, buffer, offset, size, isWritten: what?.isWritten ?? true });
      }
    }
    return found;
  }
  function described(resource) {
    const texture = textures.get(resource);
    if (texture) return `a texture (${texture.dimension}, ${texture.format})`;
    return resource instanceof GPUSampler ? 'a sampler' : 'a texture that is not recorded';
  }
  function bufferIn(resource) {
    return resource instanceof GPUBuffer ? resource : resource?.buffer instanceof GPUBuffer ? resource.buffer : null;
  }
  function dispatch(pass, counts, indirect, call) {
    const made = pipelines.get(pass.pipeline);
    if (isStopped || !made?.module) {
      if (!isStopped && pass.pipeline)
        note('A pipeline or its module was made before the recording began: its dispatches are not recorded.');
      pass.state.current.clear();
      return call(pass.now);
    }
    let entry = null,
      bound = [];
    try {
      bound = bindings(pass, made);
      const number = bound && program(made.module);
      if (number !== null) {
        entry = {
          kind: 'dispatch',
          program: number,
          entry: made.entryPoint ?? '',
          label: made.label,
          constants: { ...made.constants },
          groups: counts,
        };
        between(pass, () => {
          for (const each of bound)
            if (each.buffer) each.before = content(pass.state, each.buffer, each.offset, each.size);
          if (indirect) entry.indirect = content(pass.state, indirect.buffer, indirect.offset, 12);
        });
      }
    } catch (error) {
      note(`A dispatch could not be noted: ${String(error.message).split('\n')[0]}`);
      entry = null;
    }
    const result = call(pass.now);
    if (entry === null) {
      pass.state.current.clear();
      return result;
    }
    const written = bound.filter((each) => each.isWritten && each.buffer);
    between(pass, () => {
      for (const each of written) overwritten(pass.state, each.buffer, each.offset, each.size);
      for (const each of written) each.after = content(pass.state, each.buffer, each.offset, each.size);
    });
    entry.bindings = bound.map(({ group, binding, buffer, offset, size, before, after, other }) =>
      buffer
        ? { group, binding, buffer: known(buffer).id, offset, size, before: before?.id, after: after?.id }
        : { group, binding, other },
    );
    pass.state.commands.push(entry);
    return result;
  }
  wrap('GPUComputePassEncoder', 'dispatchWorkgroups', (call, [x, y = 1, z = 1], page) => {
    const pass = passes.get(page);
    return pass ? dispatch(pass, [x, y, z], null, call) : call();
  });
  wrap('GPUComputePassEncoder', 'dispatchWorkgroupsIndirect', (call, [buffer, offset = 0], page) => {
    const pass = passes.get(page);
    return pass ? dispatch(pass, null, { buffer, offset }, call) : call();
  });
  wrap('GPUComputePassEncoder', 'end', (call, _, page) => {
    const pass = passes.get(page);
    if (!pass) return call();
    const result = call(pass.now);
    if (pass.end) raw(() => pass.encoder.beginComputePass({ timestampWrites: pass.end }).end());
    passes.delete(page);
    return result;
  });
  function written(state, buffer, offset, size) {
    if (state) overwritten(state, buffer, offset, size);
    if (buffers.get(buffer)?.isReadable && !isStopped)
      (state?.commands ?? commands).push({ kind: 'write', buffer: known(buffer).id, offset, size });
  }
  wrap('GPUCommandEncoder', 'copyBufferToBuffer', (call, given, encoder) => {
    const state = encoders.get(encoder),
      isShort = given[1] instanceof GPUBuffer;
    const [from, fromOffset, to, toOffset, given_size] = isShort ? [given[0], 0, given[1], 0, given[2]] : given,
      size = given_size ?? from.size - fromOffset;
    if (state) {
      overwritten(state, to, toOffset, size);
      if (buffers.has(from) && buffers.has(to) && !isStopped)
        state.commands.push({
          kind: 'copy',
          buffer: known(to).id,
          offset: toOffset,
          size,
          from: known(from).id,
          fromOffset,
        });
    }
    return call();
  });
  wrap('GPUCommandEncoder', 'clearBuffer', (call, [buffer, offset = 0, size = buffer.size - offset], encoder) => {
    written(encoders.get(encoder), buffer, offset, size);
    return call();
  });
  for (const name of ['copyTextureToBuffer', 'resolveQuerySet'])
    wrap('GPUCommandEncoder', name, (call, given, encoder) => {
      const buffer = name === 'resolveQuerySet' ? given[3] : given[1].buffer;
      written(encoders.get(encoder), buffer, 0, buffer.size);
      return call();
    });
  wrap('GPUCommandEncoder', 'beginRenderPass', (call, _, encoder) => {
    encoders.get(encoder)?.current.clear();
    if (!isStopped) note('Draws are not recorded: of what they write dispatches show what they read of it.');
    return call();
  });
  wrap('GPUCommandEncoder', 'finish', (call, _, encoder) => {
    const list = call(),
      state = encoders.get(encoder);
    if (state) lists.set(list, state);
    return list;
  });
  wrap('GPUQueue', 'submit', (call, [given]) => {
    const submitted = Array.from(given),
      result = call();
    for (const state of submitted.map((list) => lists.get(list))) {
      if (!state) continue;
      for (const each of state.commands) if (each.kind === 'dispatch') dispatchCount++;
      commands.push(...state.commands);
      pending.push(...state.contents.map(read));
      state.contents = [];
      state.commands = [];
    }
    return result;
  });
  wrap('GPUQueue', 'writeBuffer', (call, [buffer, offset, data, first = 0, size], queue) => {
    const unit = ArrayBuffer.isView(data) && !(data instanceof DataView) ? data.BYTES_PER_ELEMENT : 1;
    written(null, buffer, offset, unit * (size ?? data.byteLength / unit - first));
    return call();
  });
  wrap('GPUBuffer', 'unmap', (call, _, buffer) => {
    written(null, buffer, 0, buffer.size);
    return call();
  });

  // -- what is taken away: a zip archive of plain data
  async function archive() {
    const wasCut = isStopped;
    isStopped = true;
    while (pending.length) await Promise.all(pending.splice(0));
    undone.splice(0).forEach((undo) => undo());
    if (!wasCut && !devices.length) note('No WebGPU device was asked for anything while it recorded.');
    else if (!wasCut && !dispatchCount) note('Nothing was dispatched while it recorded.');
    const told = contents.map(({ id, bytes, values, sha256, missing }) => ({
      id,
      bytes,
      values,
      sha256,
      missing: values ? undefined : (missing ?? 'its commands were never submitted'),
    }));
    const used = new Set(
      commands.flatMap((each) => [
        each.indirect?.id,
        ...(each.bindings ?? []).flatMap(({ before, after }) => [before, after]),
      ]),
    );
    const about = {
      format: 'texelscope-webgpu',
      version: 1,
      agent: navigator.userAgent,
      devices,
      contents: told.filter(({ id }) => used.has(id)),
      programs: programs.map(({ code, ...entry }) => entry),
      commands: commands.map((each) => ({ ...each, indirect: each.indirect?.id })),
      notes,
    };
    return zipped([['dispatches.json', new TextEncoder().encode(JSON.stringify(about, null, 1))], ...files]);
  }
  function zipped(members) {
    const table = Uint32Array.from({ length: 256 }, (_, n) => {
      for (let k = 0; k < 8; k++) n = n & 1 ? 0xedb88320 ^ (n >>> 1) : n >>> 1;
      return n;
    });
    const parts = [],
      index = [];
    let at = 0,
      indexed = 0;
    const numbers = (...pairs) => {
      // [value, bytes] …, little-endian
      const out = [];
      for (const [value, bytes] of pairs) for (let i = 0; i < bytes; i++) out.push((value >>> (8 * i)) & 255);
      return new Uint8Array(out);
    };
    for (const [path, bytes] of members) {
      const name = new TextEncoder().encode(path),
        crc = ~bytes.reduce((c, byte) => table[(c ^ byte) & 255] ^ (c >>> 8), ~0);
      const common = [
        [20, 2],
        [0, 2],
        [0, 2],
        [0, 2],
        [33, 2],
        [crc, 4],
        [bytes.length, 4],
        [bytes.length, 4],
        [name.length, 2],
        [0, 2],
      ];
      const head = numbers([0x04034b50, 4], ...common);
      index.push(numbers([0x02014b50, 4], [20, 2], ...common, [0, 2], [0, 2], [0, 2], [0, 4], [at, 4]), name);
      parts.push(head, name, bytes);
      at += head.length + name.length + bytes.length;
      indexed += 46 + name.length;
    }
    const end = numbers(
      [0x06054b50, 4],
      [0, 2],
      [0, 2],
      [members.length, 2],
      [members.length, 2],
      [indexed, 4],
      [at, 4],
      [0, 2],
    );
    return new Blob([...parts, ...index, end], { type: 'application/zip' });
  }
  async function save(name = 'recording.webgpu.zip') {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(await archive());
    link.download = name;
    link.click();
  }
  return { save, archive, notes };
}
if (typeof globalThis !== 'undefined') globalThis.recordWebGPU = recordWebGPU;
