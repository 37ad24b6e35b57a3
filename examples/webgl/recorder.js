// Records what a page draws with WebGL 1 and 2, whatever engine draws it. Before the engine makes its context:
//   const recorder = recordWebGL();      // or recordWebGL(gl), recordWebGL(canvas): a context that is there
//   …                                    // whatever is to be looked at
//   await recorder.save();               // downloads recording.webgl.zip, and lets go of the context
// The format is docs/webgl.md's. Every draw is read back, and drawn twice more to see which texels it writes: it is slow.
function recordWebGL(target, { mostBytes = 2 ** 30 } = {}) {
  const contexts = [],
    textures = [],
    programs = [],
    draws = [],
    files = [],
    notes = [],
    undone = [];
  const FIRST_VERTICES = 64,
    MOST_BUFFER_BYTES = 1 << 20;
  let heldBytes = 0,
    isCutShort = false;

  function note(text) {
    if (notes.includes(text)) return;
    notes.push(text);
    console.warn(`recordWebGL: ${text}`);
  }
  function wrap(object, name, around) {
    const own = object[name];
    if (typeof own !== 'function') return;
    const isOwn = Object.hasOwn(object, name);
    object[name] = function (...given) {
      return around(() => own.apply(this, given), given, this);
    };
    undone.push(() => {
      if (isOwn) object[name] = own;
      else delete object[name];
    });
  }
  function keep(path, bytes) {
    files.push([path, bytes]);
    heldBytes += bytes.length;
    if (heldBytes > mostBytes && !isCutShort) {
      isCutShort = true;
      note(
        `The recording is cut short after draw ${draws.length}: it holds ${mostBytes} bytes. ` +
          'Allow more with mostBytes.',
      );
    }
  }

  // -- formats: the channels of a texel, and how each is stored
  const SIZED = {
    R8: [1, 'uint8'],
    RG8: [2, 'uint8'],
    RGB8: [3, 'uint8'],
    RGBA8: [4, 'uint8'],
    R16F: [1, 'float16'],
    RG16F: [2, 'float16'],
    RGB16F: [3, 'float16'],
    RGBA16F: [4, 'float16'],
    R32F: [1, 'float32'],
    RG32F: [2, 'float32'],
    RGB32F: [3, 'float32'],
    RGBA32F: [4, 'float32'],
  };
  for (const [bits, channels] of [8, 16, 32].flatMap((each) => [1, 2, 3, 4].map((count) => [each, count]))) {
    const letters = 'RGBA'.slice(0, channels);
    SIZED[`${letters}${bits}I`] = [channels, 'int32'];
    SIZED[`${letters}${bits}UI`] = [channels, 'uint32'];
  }
  const UNSIZED = { ALPHA: 1, LUMINANCE: 1, LUMINANCE_ALPHA: 2, RGB: 3, RGBA: 4 };
  const HALF_FLOAT_OES = 0x8d61;
  function formatOf(gl, internal, type) {
    const sized = Object.keys(SIZED).find((name) => gl[name] === internal);
    if (sized) return { format: sized, channels: SIZED[sized][0], type: SIZED[sized][1] };
    const format = Object.keys(UNSIZED).find((name) => gl[name] === internal) ?? `0x${internal.toString(16)}`;
    const stored = {
      [gl.UNSIGNED_BYTE]: 'uint8',
      [gl.FLOAT]: 'float32',
      [HALF_FLOAT_OES]: 'float16',
      [gl.HALF_FLOAT ?? -1]: 'float16',
    };
    return { format, channels: UNSIZED[format] ?? 4, type: format in UNSIZED ? (stored[type] ?? 'other') : 'other' };
  }
  const ARRAYS = {
    float32: Float32Array,
    float16: Float32Array,
    uint8: Uint8Array,
    int32: Int32Array,
    uint32: Uint32Array,
  };

  function hook(gl) {
    if (!gl || contexts.some((each) => each.gl === gl)) return;
    const isTwo = typeof WebGL2RenderingContext !== 'undefined' && gl instanceof WebGL2RenderingContext;
    const number = contexts.length,
      state = { gl, webgl: isTwo ? 2 : 1, isLost: false, hasDrawBuffers: false };
    const known = new Map(),
      versions = new Map(),
      noted = new Map(),
      sources = new Map(),
      buffers = new Map(),
      errors = [];
    const get = (name) => gl.getParameter(gl[name]),
      raw = {};
    for (const name of [
      'drawArrays',
      'drawElements',
      'drawArraysInstanced',
      'drawElementsInstanced',
      'texImage2D',
      'getError',
      'clear',
      'deleteTexture',
      'drawRangeElements',
    ])
      raw[name] = gl[name]?.bind(gl);
    contexts.push(state);

    // Errors that are the page's stay the page's: ours are looked at between them.
    function settled() {
      for (let each; (each = raw.getError()) !== gl.NO_ERROR && errors.length < 16;) errors.push(each);
    }
    function ourError() {
      let found = gl.NO_ERROR;
      for (let each; (each = raw.getError()) !== gl.NO_ERROR && each !== gl.CONTEXT_LOST_WEBGL;) found = each;
      return found;
    }
    function lost() {
      if (!state.isLost) note(`Context ${number} was lost after draw ${draws.length}: the recording of it ends there.`);
      state.isLost = true;
    }
    // Does something with what is bound, and binds again what was.
    function between(bindings, use) {
      const before = bindings.map(([value]) => get(value));
      try {
        return use();
      } finally {
        bindings.forEach(([, again], i) => again(before[i]));
      }
    }
    const FRAMEBUFFER = isTwo ? gl.READ_FRAMEBUFFER : gl.FRAMEBUFFER;
    const readState = [
      [isTwo ? 'READ_FRAMEBUFFER_BINDING' : 'FRAMEBUFFER_BINDING', (value) => gl.bindFramebuffer(FRAMEBUFFER, value)],
      ['PACK_ALIGNMENT', (value) => gl.pixelStorei(gl.PACK_ALIGNMENT, value)],
      ...(isTwo
        ? [
            ['PIXEL_PACK_BUFFER_BINDING', (value) => gl.bindBuffer(gl.PIXEL_PACK_BUFFER, value)],
            ...['PACK_ROW_LENGTH', 'PACK_SKIP_ROWS', 'PACK_SKIP_PIXELS'].map((name) => [
              name,
              (value) => gl.pixelStorei(gl[name], value),
            ]),
          ]
        : []),
    ];
    function reading(use) {
      return between(readState, () => {
        if (isTwo) gl.bindBuffer(gl.PIXEL_PACK_BUFFER, null);
        for (const name of isTwo ? ['PACK_ROW_LENGTH', 'PACK_SKIP_ROWS', 'PACK_SKIP_PIXELS'] : [])
          gl.pixelStorei(gl[name], 0);
        gl.pixelStorei(gl.PACK_ALIGNMENT, 1);
        return use();
      });
    }
    function attached(texture, use) {
      return reading(() => {
        const own = gl.createFramebuffer();
        gl.bindFramebuffer(FRAMEBUFFER, own);
        gl.framebufferTexture2D(FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, texture, 0);
        try {
          return gl.checkFramebufferStatus(FRAMEBUFFER) === gl.FRAMEBUFFER_COMPLETE ? use() : null;
        } finally {
          gl.deleteFramebuffer(own);
        }
      });
    }
    function pixels({ width, height, type }) {
      if (!(type in ARRAYS)) return null;
      const values = new ARRAYS[type](4 * width * height),
        whole = type === 'int32' || type === 'uint32';
      const as = { uint8: gl.UNSIGNED_BYTE, int32: gl.INT, uint32: gl.UNSIGNED_INT }[type] ?? gl.FLOAT;
      gl.readPixels(0, 0, width, height, whole ? gl.RGBA_INTEGER : gl.RGBA, as, values);
      return ourError() === gl.NO_ERROR && !gl.isContextLost() ? values : null;
    }
    // A texture that was made before the recording tells its size by what readPixels leaves alone: pixels outside.
    function probed(texture) {
      return attached(texture, () => {
        const isByte = gl.getParameter(gl.IMPLEMENTATION_COLOR_READ_TYPE) === gl.UNSIGNED_BYTE;
        const isHalf = [gl.HALF_FLOAT ?? -1, HALF_FLOAT_OES].includes(
          gl.getParameter(gl.IMPLEMENTATION_COLOR_READ_TYPE),
        );
        const isRed = isTwo && gl.getParameter(gl.IMPLEMENTATION_COLOR_READ_FORMAT) === gl.RED;
        const inside = (...at) =>
          [1, 2].some((mark) => {
            const pixel = new (isByte ? Uint8Array : Float32Array)(4).fill(mark);
            gl.readPixels(...at, 1, 1, gl.RGBA, isByte ? gl.UNSIGNED_BYTE : gl.FLOAT, pixel);
            return pixel.some((value) => value !== mark);
          });
        const extent = (at) => {
          let least = 1,
            most = get('MAX_TEXTURE_SIZE');
          while (least < most) {
            const middle = Math.ceil((least + most) / 2);
            if (inside(...at(middle - 1))) least = middle;
            else most = middle - 1;
          }
          return least;
        };
        const size = { width: extent((i) => [i, 0]), height: extent((i) => [0, i]) };
        return ourError() === gl.NO_ERROR
          ? {
              ...size,
              format: 'unknown',
              channels: isRed ? 1 : 4,
              type: isByte ? 'uint8' : isHalf ? 'float16' : 'float32',
            }
          : null;
      });
    }
    function described(texture) {
      if (!known.has(texture))
        known.set(texture, probed(texture) ?? { width: 1, height: 1, format: 'unknown', channels: 4, type: 'other' });
      return known.get(texture);
    }

    // -- textures: each content has a number; a texture that is written anew gets another one
    function stored(info, values) {
      const { width, height, format, type } = info,
        id = textures.length,
        isGrey = format in UNSIZED && info.channels < 3;
      const channels = isGrey ? 4 : info.channels,
        lanes = channels === 1 ? 1 : 4;
      const entry = { id, context: number, width, height, format, channels, lanes, type };
      textures.push(entry);
      if (values === null) {
        entry.missing = 'it could not be read back';
        note(
          `Texture ${id} (${width}x${height}, ${format}) could not be read back: ` +
            'draws that use it keep what they wrote.',
        );
        return id;
      }
      const numbers = lanes === 1 ? values.filter((_, i) => i % 4 === 0) : values;
      entry.values = `textures/${id}.bin`;
      keep(entry.values, new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength));
      return id;
    }
    function version(texture) {
      if (!versions.has(texture)) {
        settled();
        const info = described(texture);
        versions.set(texture, stored(info, attached(texture, () => pixels(info)) ?? uploaded(info)));
      }
      return versions.get(texture);
    }
    // Formats that no framebuffer takes are kept as they were uploaded.
    function uploaded(info) {
      const { width, height, format, channels, type, upload } = info;
      if (!upload || !(type in ARRAYS) || type === 'float16') return null;
      const values = new ARRAYS[type](4 * width * height),
        one = type === 'uint8' ? 255 : 1;
      const row =
        (Math.ceil((width * channels * upload.data.BYTES_PER_ELEMENT) / upload.alignment) * upload.alignment) /
        upload.data.BYTES_PER_ELEMENT;
      for (let y = 0; y < height; y++) {
        for (let x = 0; x < width; x++) {
          const from = y * row + x * channels,
            own = upload.data.subarray(from, from + channels),
            [l, a] = own;
          const texel = { LUMINANCE: [l, l, l, one], ALPHA: [0, 0, 0, l], LUMINANCE_ALPHA: [l, l, l, a] }[format] ?? [
            own[0],
            own[1] ?? 0,
            own[2] ?? 0,
            own[3] ?? one,
          ];
          values.set(texel, 4 * ((upload.isFlipped ? height - 1 - y : y) * width + x));
        }
      }
      return values;
    }
    function allotted(binding, level, internal, type, width, height, data) {
      if (binding !== gl.TEXTURE_2D || level !== 0) return;
      const texture = get('TEXTURE_BINDING_2D'),
        info = { width, height, ...formatOf(gl, internal, type) };
      const unpacked = ['UNPACK_ROW_LENGTH', 'UNPACK_SKIP_ROWS', 'UNPACK_SKIP_PIXELS'].every(
        (name) => !isTwo || get(name) === 0,
      );
      const isAttachable = info.channels !== 3 && !(info.format in UNSIZED && info.format !== 'RGBA');
      if (ArrayBuffer.isView(data) && unpacked && !isAttachable && !(data instanceof DataView)) {
        info.upload = { data: data.slice(), alignment: get('UNPACK_ALIGNMENT'), isFlipped: get('UNPACK_FLIP_Y_WEBGL') };
      }
      if (width > 0 && height > 0) known.set(texture, info);
      else known.delete(texture);
    }
    function touched(binding) {
      if (binding === gl.TEXTURE_2D) versions.delete(get('TEXTURE_BINDING_2D'));
    }
    function targets() {
      if (get('FRAMEBUFFER_BINDING') === null) return [{ attachment: 0, canvas: true }];
      const MAX_DRAW_BUFFERS = 0x8824,
        found = [],
        most = isTwo || state.hasDrawBuffers ? gl.getParameter(MAX_DRAW_BUFFERS) : 1;
      for (let i = 0; i < most; i++) {
        if (isTwo && get(`DRAW_BUFFER${i}`) === gl.NONE) continue;
        const ask = (what) => gl.getFramebufferAttachmentParameter(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0 + i, gl[what]);
        const type = ask('FRAMEBUFFER_ATTACHMENT_OBJECT_TYPE');
        if (type === gl.NONE) continue;
        const isTexture = type === gl.TEXTURE,
          object = ask('FRAMEBUFFER_ATTACHMENT_OBJECT_NAME');
        const isPlain =
          isTexture &&
          ask('FRAMEBUFFER_ATTACHMENT_TEXTURE_LEVEL') === 0 &&
          ask('FRAMEBUFFER_ATTACHMENT_TEXTURE_CUBE_MAP_FACE') === 0 &&
          !(isTwo && ask('FRAMEBUFFER_ATTACHMENT_TEXTURE_LAYER') > 0);
        found.push({ attachment: i, texture: isPlain ? object : null });
      }
      return found;
    }
    function overwritten() {
      for (const { texture } of targets()) versions.delete(texture);
    }

    // -- programs
    function program(made) {
      if (!noted.has(made)) {
        const own = sources.get(made) ?? texts(made),
          path = `programs/${String(programs.length).padStart(3, '0')}`;
        const entry = {};
        for (const [kind, end] of [
          ['vertex', 'vert'],
          ['fragment', 'frag'],
        ]) {
          if (own[kind] === undefined) continue;
          entry[kind] = `${path}.${end}`;
          keep(entry[kind], new TextEncoder().encode(own[kind]));
        }
        if (!entry.vertex || !entry.fragment)
          note(`Program ${programs.length} has no text any more: it was linked before the recording began.`);
        noted.set(made, programs.length);
        programs.push(entry);
      }
      return noted.get(made);
    }
    function texts(made) {
      const own = {};
      for (const shader of gl.getAttachedShaders(made) ?? []) {
        own[gl.getShaderParameter(shader, gl.SHADER_TYPE) === gl.VERTEX_SHADER ? 'vertex' : 'fragment'] =
          gl.getShaderSource(shader);
      }
      return own;
    }
    const plain = (value) =>
      ArrayBuffer.isView(value) || Array.isArray(value)
        ? Array.from(value, plain)
        : typeof value === 'number' && !Number.isFinite(value)
          ? String(value)
          : value;
    const SAMPLERS = {
      [gl.SAMPLER_2D]: true,
      [gl.INT_SAMPLER_2D ?? -1]: true,
      [gl.UNSIGNED_INT_SAMPLER_2D ?? -2]: true,
    };
    const OTHER_SAMPLERS = [
      'SAMPLER_CUBE',
      'SAMPLER_3D',
      'SAMPLER_2D_SHADOW',
      'SAMPLER_2D_ARRAY',
      'SAMPLER_2D_ARRAY_SHADOW',
      'SAMPLER_CUBE_SHADOW',
      'INT_SAMPLER_3D',
      'INT_SAMPLER_CUBE',
      'INT_SAMPLER_2D_ARRAY',
      'UNSIGNED_INT_SAMPLER_3D',
      'UNSIGNED_INT_SAMPLER_CUBE',
      'UNSIGNED_INT_SAMPLER_2D_ARRAY',
    ]
      .map((name) => gl[name])
      .filter(Boolean);
    const called = (value) =>
      [
        'NEAREST',
        'LINEAR',
        'NEAREST_MIPMAP_NEAREST',
        'LINEAR_MIPMAP_NEAREST',
        'NEAREST_MIPMAP_LINEAR',
        'LINEAR_MIPMAP_LINEAR',
        'CLAMP_TO_EDGE',
        'REPEAT',
        'MIRRORED_REPEAT',
      ]
        .find((name) => gl[name] === value)
        ?.toLowerCase() ?? String(value);
    function bound(name, unit) {
      return between([['ACTIVE_TEXTURE', (value) => gl.activeTexture(value)]], () => {
        gl.activeTexture(gl.TEXTURE0 + unit);
        const texture = get('TEXTURE_BINDING_2D'),
          own = isTwo ? get('SAMPLER_BINDING') : null;
        const ask = (what) =>
          called(own ? gl.getSamplerParameter(own, gl[what]) : gl.getTexParameter(gl.TEXTURE_2D, gl[what]));
        if (texture === null) return { uniform: name, kind: 'no texture' };
        return {
          uniform: name,
          texture: version(texture),
          filter: [ask('TEXTURE_MIN_FILTER'), ask('TEXTURE_MAG_FILTER')],
          wrap: [ask('TEXTURE_WRAP_S'), ask('TEXTURE_WRAP_T')],
        };
      });
    }
    function values(made) {
      const samplers = [],
        uniforms = {};
      for (let i = 0; i < gl.getProgramParameter(made, gl.ACTIVE_UNIFORMS); i++) {
        const { name, size, type } = gl.getActiveUniform(made, i),
          bare = name.replace(/\[0\]$/, '');
        const value = (at) => gl.getUniform(made, gl.getUniformLocation(made, at));
        if (gl.getUniformLocation(made, name) === null) continue; // a block has it
        if (OTHER_SAMPLERS.includes(type)) samplers.push({ uniform: bare, kind: 'a sampler of another kind than 2D' });
        else if (SAMPLERS[type] && size === 1) samplers.push(bound(bare, value(name)));
        else if (SAMPLERS[type])
          for (let k = 0; k < size; k++) samplers.push({ uniform: `${bare}[${k}]`, kind: 'an array of samplers' });
        else
          uniforms[bare] = plain(
            size > 1 ? Array.from({ length: size }, (_, k) => plain(value(`${bare}[${k}]`))).flat() : value(name),
          );
      }
      if (isTwo) Object.assign(uniforms, ...blocks(made));
      return { samplers, uniforms };
    }
    const SHAPES = {
      FLOAT: [1, 1, 'Float32'],
      INT: [1, 1, 'Int32'],
      UNSIGNED_INT: [1, 1, 'Uint32'],
      BOOL: [1, 1, 'Int32'],
    };
    for (const n of [2, 3, 4]) {
      for (const [head, kind] of [
        ['FLOAT', 'Float32'],
        ['INT', 'Int32'],
        ['UNSIGNED_INT', 'Uint32'],
        ['BOOL', 'Int32'],
      ])
        SHAPES[`${head}_VEC${n}`] = [1, n, kind];
      for (const m of [2, 3, 4]) SHAPES[n === m ? `FLOAT_MAT${n}` : `FLOAT_MAT${n}x${m}`] = [n, m, 'Float32'];
    }
    function blocks(made) {
      const found = [];
      for (let block = 0; block < gl.getProgramParameter(made, gl.ACTIVE_UNIFORM_BLOCKS); block++) {
        const ask = (what) => gl.getActiveUniformBlockParameter(made, block, gl[what]);
        const binding = ask('UNIFORM_BLOCK_BINDING'),
          buffer = gl.getIndexedParameter(gl.UNIFORM_BUFFER_BINDING, binding);
        const start = gl.getIndexedParameter(gl.UNIFORM_BUFFER_START, binding),
          indices = Array.from(ask('UNIFORM_BLOCK_ACTIVE_UNIFORM_INDICES'));
        const data = buffer ? held(buffer, start, ask('UNIFORM_BLOCK_DATA_SIZE')) : null;
        if (data === null) {
          note(`A uniform block of draw ${draws.length} has no buffer that can be read.`);
          continue;
        }
        const view = new DataView(data.buffer, data.byteOffset, data.byteLength),
          all = (what) => gl.getActiveUniforms(made, indices, gl[what]);
        const at = {
          offset: all('UNIFORM_OFFSET'),
          stride: all('UNIFORM_ARRAY_STRIDE'),
          step: all('UNIFORM_MATRIX_STRIDE'),
          rows: all('UNIFORM_IS_ROW_MAJOR'),
        };
        indices.forEach((index, i) => {
          const { name, size, type } = gl.getActiveUniform(made, index);
          const [columns, rows, kind] = SHAPES[Object.keys(SHAPES).find((each) => gl[each] === type)] ?? [
              0,
              0,
              'Float32',
            ],
            numbers = [];
          for (let k = 0; k < size; k++)
            for (let c = 0; c < columns; c++)
              for (let r = 0; r < rows; r++) {
                const inside = columns === 1 ? 4 * r : at.rows[i] ? r * at.step[i] + 4 * c : c * at.step[i] + 4 * r;
                numbers.push(plain(view[`get${kind}`](at.offset[i] + k * Math.max(at.stride[i], 0) + inside, true)));
              }
          found.push({ [name.replace(/\[0\]$/, '')]: numbers.length === 1 ? numbers[0] : numbers });
        });
      }
      return found;
    }

    // -- vertices: the values of the attributes, of a draw of few
    function held(buffer, start, length, isIndex = false) {
      if (!isTwo) {
        const copy = buffers.get(buffer);
        return copy && start + length <= copy.length ? copy.subarray(start, start + length) : null;
      }
      settled();
      const data = new Uint8Array(length),
        where = isIndex ? gl.ELEMENT_ARRAY_BUFFER : gl.COPY_READ_BUFFER;
      between(
        isIndex ? [] : [['COPY_READ_BUFFER_BINDING', (value) => gl.bindBuffer(gl.COPY_READ_BUFFER, value)]],
        () => {
          if (!isIndex) gl.bindBuffer(where, buffer);
          gl.getBufferSubData(where, start, data);
        },
      );
      return ourError() === gl.NO_ERROR ? data : null;
    }
    const NUMBERS = {
      [gl.FLOAT]: ['Float32', 4, 1],
      [gl.INT]: ['Int32', 4, 1],
      [gl.UNSIGNED_INT]: ['Uint32', 4, 1],
      [gl.SHORT]: ['Int16', 2, 32767],
      [gl.UNSIGNED_SHORT]: ['Uint16', 2, 65535],
      [gl.BYTE]: ['Int8', 1, 127],
      [gl.UNSIGNED_BYTE]: ['Uint8', 1, 255],
    };
    function vertices(made, { first, count, type, offset }) {
      if (count > FIRST_VERTICES) return null;
      let order = Array.from({ length: count }, (_, i) => first + i);
      if (type !== undefined) {
        const [kind, bytes] = NUMBERS[type],
          data = held(get('ELEMENT_ARRAY_BUFFER_BINDING'), offset, count * bytes, true);
        if (data === null) return null;
        const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
        order = order.map((_, i) => view[`get${kind}`](i * bytes, true));
      }
      const found = {};
      for (let i = 0; i < gl.getProgramParameter(made, gl.ACTIVE_ATTRIBUTES); i++) {
        const { name } = gl.getActiveAttrib(made, i),
          at = gl.getAttribLocation(made, name);
        if (name.startsWith('gl_') || at < 0) {
          found[name] = order;
          continue;
        }
        const ask = (what) => gl.getVertexAttrib(at, gl[what]),
          buffer = ask('VERTEX_ATTRIB_ARRAY_BUFFER_BINDING');
        if (!ask('VERTEX_ATTRIB_ARRAY_ENABLED')) {
          found[name] = order.map(() => plain(ask('CURRENT_VERTEX_ATTRIB')));
          continue;
        }
        const size = ask('VERTEX_ATTRIB_ARRAY_SIZE'),
          numbers = NUMBERS[ask('VERTEX_ATTRIB_ARRAY_TYPE')];
        if (!buffer || !numbers) return null;
        const [kind, bytes, most] = numbers,
          stride = ask('VERTEX_ATTRIB_ARRAY_STRIDE') || size * bytes;
        const begin = gl.getVertexAttribOffset(at, gl.VERTEX_ATTRIB_ARRAY_POINTER),
          least = Math.min(...order),
          last = Math.max(...order);
        const data = held(buffer, begin + least * stride, (last - least) * stride + size * bytes);
        if (data === null) return null;
        const view = new DataView(data.buffer, data.byteOffset, data.byteLength),
          scale = ask('VERTEX_ATTRIB_ARRAY_NORMALIZED') ? most : 1;
        found[name] = order.map((vertex) =>
          Array.from({ length: size }, (_, k) =>
            plain(view[`get${kind}`]((vertex - least) * stride + k * bytes, true) / scale),
          ),
        );
      }
      return found;
    }

    // -- draws
    function settings(outputs, size, instances) {
      const found = [],
        on = (name) => gl.isEnabled(gl[name]);
      const [x, y, width, height] = get('SCISSOR_BOX');
      if (on('BLEND')) found.push('blend');
      if (on('SCISSOR_TEST') && (x > 0 || y > 0 || x + width < size[0] || y + height < size[1])) found.push('scissor');
      const attaches = (what, own) =>
        outputs.some(({ canvas }) => canvas)
          ? gl.getContextAttributes()?.[own]
          : gl.getFramebufferAttachmentParameter(gl.FRAMEBUFFER, gl[what], gl.FRAMEBUFFER_ATTACHMENT_OBJECT_TYPE) !==
            gl.NONE;
      if (on('DEPTH_TEST') && attaches('DEPTH_ATTACHMENT', 'depth')) found.push('depth test');
      if (on('STENCIL_TEST') && attaches('STENCIL_ATTACHMENT', 'stencil')) found.push('stencil test');
      if (Array.from(get('COLOR_WRITEMASK')).includes(false)) found.push('color mask');
      if (isTwo && on('RASTERIZER_DISCARD')) found.push('rasterizer discard');
      if (isTwo && get('TRANSFORM_FEEDBACK_ACTIVE')) found.push('transform feedback');
      if (instances !== undefined && instances !== 1) found.push('instances');
      return found;
    }
    const clearState = [
      ['FRAMEBUFFER_BINDING', (value) => gl.bindFramebuffer(isTwo ? gl.DRAW_FRAMEBUFFER : gl.FRAMEBUFFER, value)],
      ['TEXTURE_BINDING_2D', (value) => gl.bindTexture(gl.TEXTURE_2D, value)],
      ['COLOR_CLEAR_VALUE', (value) => gl.clearColor(...value)],
      ...(isTwo ? [['PIXEL_UNPACK_BUFFER_BINDING', (value) => gl.bindBuffer(gl.PIXEL_UNPACK_BUFFER, value)]] : []),
    ];
    // Counts the texels of the only target that a draw leaves as they were: drawn over two grounds they keep both.
    function unwritten(info, again) {
      const unsized = gl[info.format],
        types = { float32: gl.FLOAT, float16: gl.HALF_FLOAT ?? HALF_FLOAT_OES, uint8: gl.UNSIGNED_BYTE };
      const plainFormat = isTwo ? [gl.RED, gl.RG, gl.RGB, gl.RGBA][info.channels - 1] : unsized;
      if (!(info.type in types) || unsized === undefined) return undefined;
      settled();
      const left = between(clearState, () => {
        const texture = gl.createTexture(),
          own = gl.createFramebuffer(),
          place = isTwo ? gl.DRAW_FRAMEBUFFER : gl.FRAMEBUFFER;
        const active = gl.getParameter(gl.ACTIVE_TEXTURE),
          before = get('TEXTURE_BINDING_2D');
        if (isTwo) gl.bindBuffer(gl.PIXEL_UNPACK_BUFFER, null);
        gl.bindTexture(gl.TEXTURE_2D, texture);
        raw.texImage2D(
          gl.TEXTURE_2D,
          0,
          unsized,
          info.width,
          info.height,
          0,
          info.format in UNSIZED ? unsized : plainFormat,
          types[info.type],
          null,
        );
        gl.bindTexture(gl.TEXTURE_2D, before);
        gl.bindFramebuffer(place, own);
        gl.framebufferTexture2D(place, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, texture, 0);
        try {
          if (gl.checkFramebufferStatus(place) !== gl.FRAMEBUFFER_COMPLETE) return undefined;
          const kept = [0.25, 0.75].map((ground) => {
            const scissor = gl.isEnabled(gl.SCISSOR_TEST);
            if (scissor) gl.disable(gl.SCISSOR_TEST);
            gl.clearColor(ground, ground, ground, ground);
            raw.clear(gl.COLOR_BUFFER_BIT);
            if (scissor) gl.enable(gl.SCISSOR_TEST);
            const empty = attached(texture, () => pixels(info));
            again();
            const drawn = attached(texture, () => pixels(info));
            return (
              empty &&
              drawn &&
              Array.from({ length: info.width * info.height }, (_, i) =>
                [0, 1, 2, 3].every((k) => empty[4 * i + k] === drawn[4 * i + k]),
              )
            );
          });
          return kept.every(Boolean) ? kept[0].filter((same, i) => same && kept[1][i]).length : undefined;
        } finally {
          gl.activeTexture(active);
          gl.deleteFramebuffer(own);
          raw.deleteTexture(texture);
        }
      });
      ourError();
      return left;
    }
    function drawing(name, call, { mode, first = 0, count, type, offset, instances }) {
      if (gl.isContextLost()) lost();
      const made = get('CURRENT_PROGRAM');
      if (state.isLost || isCutShort || made === null) return call();
      let entry = null,
        outputs = [];
      try {
        settled();
        outputs = targets();
        const sizes = outputs.map(({ canvas, texture }) =>
          canvas || !texture
            ? [gl.drawingBufferWidth, gl.drawingBufferHeight]
            : [described(texture).width, described(texture).height],
        );
        const flags = settings(outputs, sizes[0] ?? [0, 0], instances);
        const modes = ['POINTS', 'LINES', 'LINE_LOOP', 'LINE_STRIP', 'TRIANGLES', 'TRIANGLE_STRIP', 'TRIANGLE_FAN'];
        entry = {
          context: number,
          program: program(made),
          call: name,
          mode: modes[mode],
          vertices: count,
          attributes: vertices(made, { first, count, type, offset }),
          viewport: Array.from(get('VIEWPORT')),
          state: flags,
          ...values(made),
        };
        ourError();
      } catch (error) {
        note(`Draw ${draws.length} of context ${number} could not be noted: ${String(error.message).split('\n')[0]}`);
        entry = null;
      }
      const result = call();
      try {
        settled();
        const written = outputs.map(({ attachment, texture, canvas }) => ({
          attachment,
          texture: output(texture, canvas),
        }));
        if (entry !== null) {
          const only =
            outputs.length === 1 && outputs[0].texture && outputs[0].attachment === 0 && !entry.state.length
              ? described(outputs[0].texture)
              : null;
          draws.push({ ...entry, outputs: written, unwritten: only ? unwritten(only, call) : undefined });
        }
      } catch (error) {
        note(
          `What draw ${draws.length} of context ${number} wrote could not be read: ${String(error.message).split('\n')[0]}`,
        );
      }
      if (gl.isContextLost()) lost();
      return result;
    }
    function output(texture, isCanvas) {
      if (texture) {
        versions.delete(texture);
        return version(texture);
      }
      const hasAlpha = !isCanvas || gl.getContextAttributes()?.alpha !== false;
      const info = {
        width: gl.drawingBufferWidth,
        height: gl.drawingBufferHeight,
        format: isCanvas ? 'canvas' : 'renderbuffer',
        channels: hasAlpha ? 4 : 3,
        type: 'uint8',
      };
      if (!isCanvas) return stored({ ...info, type: 'other' }, null);
      return stored(
        info,
        reading(() => {
          gl.bindFramebuffer(FRAMEBUFFER, null);
          return pixels(info);
        }),
      );
    }

    wrap(gl, 'getError', (call) => errors.shift() ?? call());
    wrap(gl, 'drawArrays', (call, [mode, first, count]) => drawing('drawArrays', call, { mode, first, count }));
    wrap(gl, 'drawElements', (call, [mode, count, type, offset]) =>
      drawing('drawElements', call, { mode, count, type, offset }),
    );
    wrap(gl, 'drawRangeElements', (call, [mode, , , count, type, offset]) =>
      drawing('drawRangeElements', call, { mode, count, type, offset }),
    );
    wrap(gl, 'drawArraysInstanced', (call, [mode, first, count, instances]) =>
      drawing('drawArraysInstanced', call, { mode, first, count, instances }),
    );
    wrap(gl, 'drawElementsInstanced', (call, [mode, count, type, offset, instances]) =>
      drawing('drawElementsInstanced', call, { mode, count, type, offset, instances }),
    );
    wrap(gl, 'getExtension', (call) => {
      const extension = call();
      if (extension?.drawBuffersWEBGL) state.hasDrawBuffers = true;
      if (extension?.drawArraysInstancedANGLE && !Object.hasOwn(extension, 'drawArraysInstancedANGLE')) {
        wrap(extension, 'drawArraysInstancedANGLE', (draw, [mode, first, count, instances]) =>
          drawing('drawArraysInstancedANGLE', draw, { mode, first, count, instances }),
        );
        wrap(extension, 'drawElementsInstancedANGLE', (draw, [mode, count, type, offset, instances]) =>
          drawing('drawElementsInstancedANGLE', draw, { mode, count, type, offset, instances }),
        );
      }
      for (const name of [
        'multiDrawArraysWEBGL',
        'multiDrawElementsWEBGL',
        'multiDrawArraysInstancedWEBGL',
        'multiDrawElementsInstancedWEBGL',
      ]) {
        if (extension?.[name] && !Object.hasOwn(extension, name))
          wrap(extension, name, (draw) => {
            note(`${name} is not recorded.`);
            overwritten();
            return draw();
          });
      }
      return extension;
    });
    wrap(gl, 'linkProgram', (call, [made]) => {
      sources.set(made, texts(made));
      noted.delete(made);
      return call();
    });
    wrap(gl, 'texImage2D', (call, given) => {
      const [binding, level, internal] = given,
        source = given[5],
        isSized = given.length > 6;
      const result = call();
      const size = isSized
        ? given.slice(3, 5)
        : [
            source?.videoWidth ?? source?.naturalWidth ?? source?.width,
            source?.videoHeight ?? source?.naturalHeight ?? source?.height,
          ];
      allotted(binding, level, internal, isSized ? given[7] : given[4], ...size, isSized ? given[8] : null);
      touched(binding);
      return result;
    });
    wrap(gl, 'texStorage2D', (call, [binding, , internal, width, height]) => {
      allotted(binding, 0, internal, 0, width, height);
      touched(binding);
      return call();
    });
    wrap(gl, 'copyTexImage2D', (call, [binding, level, internal, , , width, height]) => {
      allotted(binding, level, internal, gl.UNSIGNED_BYTE, width, height);
      touched(binding);
      return call();
    });
    wrap(gl, 'compressedTexImage2D', (call, [binding, level, internal, width, height]) => {
      allotted(binding, level, internal, 0, width, height);
      touched(binding);
      return call();
    });
    for (const name of ['texSubImage2D', 'copyTexSubImage2D', 'compressedTexSubImage2D']) {
      wrap(gl, name, (call, [binding]) => {
        const own = known.get(get('TEXTURE_BINDING_2D'));
        if (binding === gl.TEXTURE_2D && own) delete own.upload;
        touched(binding);
        return call();
      });
    }
    for (const name of [
      'clear',
      'clearBufferfv',
      'clearBufferiv',
      'clearBufferuiv',
      'clearBufferfi',
      'blitFramebuffer',
    ]) {
      wrap(gl, name, (call) => {
        overwritten();
        return call();
      });
    }
    wrap(gl, 'deleteTexture', (call, [texture]) => {
      versions.delete(texture);
      known.delete(texture);
      return call();
    });
    if (!isTwo) {
      const own = (binding) =>
        get(binding === gl.ARRAY_BUFFER ? 'ARRAY_BUFFER_BINDING' : 'ELEMENT_ARRAY_BUFFER_BINDING');
      const bytes = (data) =>
        ArrayBuffer.isView(data) ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength) : new Uint8Array(data);
      wrap(gl, 'bufferData', (call, [binding, data]) => {
        const length = typeof data === 'number' ? data : (data?.byteLength ?? Infinity);
        if (length <= MOST_BUFFER_BYTES)
          buffers.set(own(binding), typeof data === 'number' ? new Uint8Array(data) : bytes(data).slice());
        else buffers.delete(own(binding));
        return call();
      });
      wrap(gl, 'bufferSubData', (call, [binding, offset, data]) => {
        const copy = buffers.get(own(binding));
        if (copy && offset + data.byteLength <= copy.length) copy.set(bytes(data), offset);
        return call();
      });
    }
    gl.canvas?.addEventListener?.('webglcontextlost', lost);
    undone.push(() => gl.canvas?.removeEventListener?.('webglcontextlost', lost));
  }

  if (target === undefined || target === null) {
    for (const kind of ['HTMLCanvasElement', 'OffscreenCanvas']) {
      if (typeof globalThis[kind] === 'undefined') continue;
      wrap(globalThis[kind].prototype, 'getContext', (call, [name]) => {
        const context = call();
        if (/^(experimental-)?webgl2?$/.test(name)) hook(context);
        return context;
      });
    }
  } else {
    hook(
      typeof target.getContext === 'function' ? (target.getContext('webgl2') ?? target.getContext('webgl')) : target,
    );
  }

  // -- what is taken away: a zip archive of plain data
  async function archive() {
    undone
      .splice(0)
      .reverse()
      .forEach((undo) => undo());
    if (!contexts.length) note('No WebGL context was made while it recorded.');
    else if (!draws.length) note('Nothing was drawn while it recorded.');
    const fullPrecision = contexts.length === 0 || isPrecise();
    const told = contexts.map(({ gl, webgl, isLost }) => {
      const info = gl.getExtension('WEBGL_debug_renderer_info');
      return {
        webgl,
        lost: isLost,
        fullPrecision,
        renderer: String(gl.getParameter(info ? info.UNMASKED_RENDERER_WEBGL : gl.RENDERER)),
      };
    });
    const about = {
      format: 'texelscope-webgl',
      version: 1,
      agent: navigator.userAgent,
      contexts: told,
      textures,
      programs,
      draws,
      notes,
    };
    return zipped([['draws.json', new TextEncoder().encode(JSON.stringify(about, null, 1))], ...files]);
  }
  // Whether the device computes in full precision what a shader declares as mediump; what it reports of that is unreliable.
  function isPrecise() {
    const gl = (
        typeof document === 'undefined' ? new OffscreenCanvas(1, 1) : document.createElement('canvas')
      ).getContext('webgl'),
      made = gl?.createProgram();
    if (!made) return true;
    const texts = [
      'void main() { gl_Position = vec4(0.0, 0.0, 0.0, 1.0); gl_PointSize = 4.0; }',
      'precision mediump float; uniform float small; void main() { float sum = small + 1.0; gl_FragColor = vec4(sum == 1.0 ? 0.0 : 1.0); }',
    ];
    texts.forEach((text, i) => {
      const shader = gl.createShader(i ? gl.FRAGMENT_SHADER : gl.VERTEX_SHADER);
      gl.shaderSource(shader, text);
      gl.compileShader(shader);
      gl.attachShader(made, shader);
    });
    gl.linkProgram(made);
    gl.useProgram(made);
    gl.uniform1f(gl.getUniformLocation(made, 'small'), 2 ** -14);
    gl.viewport(0, 0, 1, 1);
    gl.drawArrays(gl.POINTS, 0, 1);
    const pixel = new Uint8Array(4);
    gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
    gl.getExtension('WEBGL_lose_context')?.loseContext();
    return pixel[0] > 0;
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
  async function save(name = 'recording.webgl.zip') {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(await archive());
    link.download = name;
    link.click();
  }
  return { save, archive, notes };
}
if (typeof globalThis !== 'undefined') globalThis.recordWebGL = recordWebGL;
