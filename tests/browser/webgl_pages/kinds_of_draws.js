// Draws of many kinds, each of one program: what is drawn, by what, into what. `drawKinds(version)` draws them in order.
const HEADS = {
  1: ['attribute vec2 corner; void main() { gl_Position = vec4(corner, 0.0, 1.0); }', 'precision highp float;\n'],
  2: [
    '#version 300 es\nin vec2 corner; void main() { gl_Position = vec4(corner, 0.0, 1.0); }',
    '#version 300 es\nprecision highp float; precision highp int; precision highp sampler2D; precision highp isampler2D;\n',
  ],
};
const SIDE = 4;
const NUMBERS = Float32Array.from({ length: 4 * SIDE * SIDE }, (_, i) => Math.cos(i));

function drawKinds(version) {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = SIDE;
  const gl = canvas.getContext(version === 1 ? 'webgl' : 'webgl2', { antialias: false, depth: false });
  for (const name of [
    'OES_texture_float',
    'OES_texture_half_float',
    'WEBGL_color_buffer_float',
    'EXT_color_buffer_float',
  ]) {
    gl.getExtension(name);
  }
  const instanced = gl.getExtension('ANGLE_instanced_arrays');
  const program = (fragment) => {
    const made = gl.createProgram();
    [HEADS[version][0], HEADS[version][1] + fragment].forEach((text, i) => {
      const shader = gl.createShader(i ? gl.FRAGMENT_SHADER : gl.VERTEX_SHADER);
      gl.shaderSource(shader, text);
      gl.compileShader(shader);
      gl.attachShader(made, shader);
    });
    gl.bindAttribLocation(made, 0, 'corner');
    gl.linkProgram(made);
    if (!gl.getProgramParameter(made, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(made));
    gl.useProgram(made);
  };
  const texture = (internal, format, type, data) => {
    const made = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, made);
    gl.texImage2D(gl.TEXTURE_2D, 0, internal, SIDE, SIDE, 0, format, type, data);
    for (const side of ['MIN_FILTER', 'MAG_FILTER']) gl.texParameteri(gl.TEXTURE_2D, gl[`TEXTURE_${side}`], gl.NEAREST);
    return made;
  };
  const floats = (data = null) => texture(version === 1 ? gl.RGBA : gl.RGBA32F, gl.RGBA, gl.FLOAT, data);
  const into = (...targets) => {
    gl.bindFramebuffer(gl.FRAMEBUFFER, gl.createFramebuffer());
    targets.forEach((to, i) => {
      gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0 + i, gl.TEXTURE_2D, to, 0);
    });
    if (targets.length > 1) gl.drawBuffers(targets.map((_, i) => gl.COLOR_ATTACHMENT0 + i));
  };
  gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
  gl.bufferData(gl.ARRAY_BUFFER, new Float32Array([-1, -1, 1, -1, -1, 1, 1, 1]), gl.STATIC_DRAW);
  gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, gl.createBuffer());
  gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, new Uint16Array([0, 1, 2, 2, 1, 3]), gl.STATIC_DRAW);
  gl.enableVertexAttribArray(0);
  gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 0, 0);
  gl.viewport(0, 0, SIDE, SIDE);
  const quad = () => gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
  const out = version === 1 ? '' : 'out vec4 result;\n',
    color = version === 1 ? 'gl_FragColor' : 'result';
  const fill = `${out}void main() { ${color} = vec4(gl_FragCoord.xy, 0.25, 1.0); }`;
  const at = `gl_FragCoord.xy / ${SIDE}.0`,
    read = version === 1 ? `texture2D(x, ${at})` : `texture(x, ${at})`;
  const copy = `${out}uniform sampler2D x;\nvoid main() { ${color} = 2.0 * ${read}; }`;
  const shared = floats();
  const drawn = {
    indices() {
      program(fill);
      into(shared);
      gl.drawElements(gl.TRIANGLES, 6, gl.UNSIGNED_SHORT, 0);
    },
    uniforms() {
      program(`${out}struct Light { vec2 at; float power; };
uniform mat2 turn; uniform bool isOn; uniform ivec2 steps[2]; uniform Light lights[2]; uniform float tiny;
void main() {
  vec2 place = turn * gl_FragCoord.xy + lights[1].power * lights[0].at + lights[0].power * lights[1].at;
  ${color} = vec4(place, isOn ? float(steps[1].x - steps[0].y) : -1.0, tiny * 1e30);
}`);
      const at = (name) => gl.getUniformLocation(gl.getParameter(gl.CURRENT_PROGRAM), name);
      gl.uniformMatrix2fv(at('turn'), false, [1, 2, 3, 4]);
      gl.uniform1i(at('isOn'), 1);
      gl.uniform2iv(at('steps'), [5, 7, 11, 13]);
      [0, 1].forEach((i) => gl.uniform2f(at(`lights[${i}].at`), i + 0.5, i - 3));
      [0, 1].forEach((i) => gl.uniform1f(at(`lights[${i}].power`), 3 * i + 1));
      gl.uniform1f(at('tiny'), 1e-30);
      into(floats());
      quad();
    },
    canvas() {
      program(`${out}void main() { ${color} = vec4(0.2, 0.4, 0.6, 1.0); }`);
      gl.bindFramebuffer(gl.FRAMEBUFFER, null);
      quad();
    },
    bytes() {
      program(copy);
      into(floats());
      texture(
        gl.RGBA,
        gl.RGBA,
        gl.UNSIGNED_BYTE,
        Uint8Array.from(NUMBERS, (_, i) => 3 * i),
      );
      quad();
    },
    rewritten() {
      program(copy);
      into(floats());
      floats(NUMBERS);
      gl.texSubImage2D(gl.TEXTURE_2D, 0, 1, 1, 1, 1, gl.RGBA, gl.FLOAT, new Float32Array([9, 8, 7, 6]));
      quad();
    },
    cleared() {
      const cleared = floats();
      into(cleared);
      gl.clearColor(0.5, 2, -3, 1);
      gl.clear(gl.COLOR_BUFFER_BIT);
      program(copy);
      into(floats());
      gl.bindTexture(gl.TEXTURE_2D, cleared);
      quad();
    },
    whole_scissor() {
      program(fill.replace('0.25', '0.75'));
      into(shared); // once more
      gl.enable(gl.SCISSOR_TEST);
      gl.scissor(0, 0, SIDE, SIDE);
      quad();
      gl.disable(gl.SCISSOR_TEST);
    },
    scissor() {
      program(fill);
      into(floats());
      gl.enable(gl.SCISSOR_TEST);
      gl.scissor(0, 0, 2, 2);
      quad();
      gl.disable(gl.SCISSOR_TEST);
    },
    blend() {
      program(fill);
      into(floats());
      gl.enable(gl.BLEND);
      quad();
      gl.disable(gl.BLEND);
    },
    discarded() {
      program(`${out}void main() { if (gl_FragCoord.x < 1.0) discard; ${color} = vec4(1.0); }`);
      into(floats());
      quad();
    },
    half_viewport() {
      program(fill);
      into(floats());
      gl.viewport(0, 0, 2, SIDE);
      quad();
      gl.viewport(0, 0, SIDE, SIDE);
    },
    wide_viewport() {
      program(fill);
      into(floats());
      gl.viewport(-1, -2, 9, 11);
      quad();
      gl.viewport(0, 0, SIDE, SIDE);
    },
  };
  if (version === 1) {
    drawn.grey = () => {
      program(copy);
      into(floats());
      texture(gl.LUMINANCE, gl.LUMINANCE, gl.FLOAT, NUMBERS.slice(0, SIDE * SIDE));
      quad();
    };
    drawn.alpha = () => {
      program(copy);
      into(floats());
      texture(gl.ALPHA, gl.ALPHA, gl.FLOAT, NUMBERS.slice(0, SIDE * SIDE));
      quad();
    };
    drawn.instances = () => {
      program(fill);
      into(floats());
      instanced.drawArraysInstancedANGLE(gl.TRIANGLE_STRIP, 0, 4, 2);
    };
  } else {
    const single = (data = null) => texture(gl.R32F, gl.RED, gl.FLOAT, data);
    drawn.single = () => {
      program(copy);
      into(single());
      single(NUMBERS.slice(0, SIDE * SIDE));
      quad();
    };
    drawn.halves = () => {
      program(copy);
      into(texture(gl.RGBA16F, gl.RGBA, gl.HALF_FLOAT, null));
      floats(NUMBERS);
      quad();
    };
    drawn.two_channels = () => {
      program(copy);
      into(texture(gl.RG32F, gl.RG, gl.FLOAT, null));
      floats(NUMBERS);
      quad();
    };
    drawn.attachments = () => {
      program(
        'layout(location = 0) out vec4 one;\nlayout(location = 1) out vec4 two;\nvoid main() { one = gl_FragCoord; two = -gl_FragCoord; }',
      );
      into(floats(), floats());
      quad();
    };
    drawn.integers = () => {
      program(
        `${out}uniform isampler2D x;\nvoid main() { result = vec4(texelFetch(x, ivec2(gl_FragCoord.xy), 0)) / 4.0; }`,
      );
      into(floats());
      texture(
        gl.R32I,
        gl.RED_INTEGER,
        gl.INT,
        Int32Array.from({ length: SIDE * SIDE }, (_, i) => 1000 * i - 7),
      );
      quad();
    };
    drawn.to_integers = () => {
      program('out ivec4 result;\nvoid main() { result = ivec4(gl_FragCoord); }');
      into(texture(gl.RGBA32I, gl.RGBA_INTEGER, gl.INT, null));
      quad();
    };
    drawn.instances = () => {
      program(fill);
      into(floats());
      gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, 2);
    };
    drawn.one_instance = () => {
      program(fill);
      into(floats());
      gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, 1);
    };
    drawn.blocks = () => {
      program(`${out}layout(std140, row_major) uniform Params { mat3x2 turn; vec3 gain[2]; int count; };
layout(std140) uniform Other { float power; vec2 shift; } other;
void main() {
  result = vec4(turn * gain[1] + other.shift, other.power * gain[0].z, count);
}`);
      const made = gl.getParameter(gl.CURRENT_PROGRAM);
      const fill = (name, point, numbers, whole) => {
        gl.uniformBlockBinding(made, gl.getUniformBlockIndex(made, name), point);
        gl.bindBufferBase(gl.UNIFORM_BUFFER, point, gl.createBuffer());
        const data = new Float32Array(numbers);
        if (whole !== undefined) new Int32Array(data.buffer)[whole] = 42;
        gl.bufferData(gl.UNIFORM_BUFFER, data, gl.STATIC_DRAW);
      };
      fill('Params', 3, [1, 2, 3, 0, 4, 5, 6, 0, 0.5, 0.25, 2, 0, -1, -2, -3, 0, 0, 0, 0, 0], 16);
      fill('Other', 1, [8, 0, 0.125, 16]);
      into(floats());
      quad();
    };
    drawn.slices = () => {
      program(
        `${out}precision highp sampler3D;\nuniform sampler3D x;\nvoid main() { result = texelFetch(x, ivec3(gl_FragCoord.xy, 0), 0); }`,
      );
      into(floats());
      gl.bindTexture(gl.TEXTURE_3D, gl.createTexture());
      gl.texStorage3D(gl.TEXTURE_3D, 1, gl.RGBA8, SIDE, SIDE, 2);
      quad();
    };
  }
  for (const each of Object.values(drawn)) each();
  return [Object.keys(drawn), gl.getError()];
}
