// A page's own two layers in float textures, in WebGL 1 or 2: y = relu(3 x 3 box of x), z = gain · y + bias.
const VERTEX = {
  1: `attribute vec2 corner;
attribute vec2 at;
varying vec2 place;
void main() { place = at; gl_Position = vec4(corner, 0.0, 1.0); }`,
  2: `#version 300 es
layout(location = 0) in vec2 corner;
layout(location = 1) in vec2 at;
out vec2 place;
void main() { place = at; gl_Position = vec4(corner, 0.0, 1.0); }`,
};
const BOX = {
  1: `precision highp float;
varying vec2 place;
uniform sampler2D image;
uniform vec2 size;
void main() {
  vec4 total = vec4(0.0);
  for (int dy = -1; dy <= 1; dy++) {
    for (int dx = -1; dx <= 1; dx++) {
      vec2 from = floor(place * size) + vec2(dx, dy);
      if (from.x < 0.0 || from.y < 0.0 || from.x >= size.x || from.y >= size.y) continue;
      total += texture2D(image, (from + 0.5) / size);
    }
  }
  gl_FragColor = max(total - 4.0, 0.0);
}`,
  2: `#version 300 es
precision highp float;
precision highp sampler2D;
uniform sampler2D image;
uniform vec2 size;
out vec4 result;
void main() {
  vec4 total = vec4(0.0);
  for (int dy = -1; dy <= 1; dy++) {
    for (int dx = -1; dx <= 1; dx++) {
      ivec2 from = ivec2(gl_FragCoord.xy) + ivec2(dx, dy);
      if (from.x < 0 || from.y < 0 || from.x >= int(size.x) || from.y >= int(size.y)) continue;
      total += texelFetch(image, from, 0);
    }
  }
  result = max(total - 4.0, 0.0);
}`,
};
const SCALE = {
  1: `precision highp float;
varying vec2 place;
uniform sampler2D image;
uniform vec4 gain;
uniform float bias[4];
void main() {
  gl_FragColor = gain * texture2D(image, place) + vec4(bias[0], bias[1], bias[2], bias[3]);
}`,
  2: `#version 300 es
precision highp float;
precision highp sampler2D;
in vec2 place;
uniform sampler2D image;
layout(std140) uniform Layer { vec4 gain; float bias[4]; };
out vec4 result;
void main() {
  result = gain * texture(image, place) + vec4(bias[0], bias[1], bias[2], bias[3]);
}`,
};
const GAIN = [2, 0.5, -1, 3],
  BIAS = [1, 0, 0.25, -2],
  WIDTH = 7,
  HEIGHT = 5;

// With `detaches` a program keeps no shader, as in many engines.
function twoLayers(version, detaches = true) {
  const canvas = document.createElement('canvas'),
    gl = canvas.getContext(version === 1 ? 'webgl' : 'webgl2');
  for (const name of ['OES_texture_float', 'WEBGL_color_buffer_float', 'EXT_color_buffer_float']) gl.getExtension(name);
  const program = (fragment) => {
    const made = gl.createProgram();
    for (const [kind, text] of [
      [gl.VERTEX_SHADER, VERTEX[version]],
      [gl.FRAGMENT_SHADER, fragment],
    ]) {
      const shader = gl.createShader(kind);
      gl.shaderSource(shader, text);
      gl.compileShader(shader);
      gl.attachShader(made, shader);
    }
    ['corner', 'at'].forEach((name, i) => gl.bindAttribLocation(made, i, name));
    gl.linkProgram(made);
    if (detaches) for (const shader of gl.getAttachedShaders(made)) gl.detachShader(made, shader);
    return made;
  };
  const texture = (data) => {
    const made = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, made);
    gl.texImage2D(gl.TEXTURE_2D, 0, version === 1 ? gl.RGBA : gl.RGBA32F, WIDTH, HEIGHT, 0, gl.RGBA, gl.FLOAT, data);
    for (const side of ['MIN_FILTER', 'MAG_FILTER']) gl.texParameteri(gl.TEXTURE_2D, gl[`TEXTURE_${side}`], gl.NEAREST);
    for (const side of ['WRAP_S', 'WRAP_T']) gl.texParameteri(gl.TEXTURE_2D, gl[`TEXTURE_${side}`], gl.CLAMP_TO_EDGE);
    return made;
  };
  const framebuffer = (to) => {
    gl.bindFramebuffer(gl.FRAMEBUFFER, gl.createFramebuffer());
    gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, to, 0);
  };
  const image = texture(Float32Array.from({ length: 4 * WIDTH * HEIGHT }, (_, i) => Math.sin(i) + 0.5));
  const [first, second] = [texture(null), texture(null)],
    [box, scale] = [program(BOX[version]), program(SCALE[version])];
  gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
  gl.bufferData(
    gl.ARRAY_BUFFER,
    new Float32Array([-1, -1, 0, 0, 1, -1, 1, 0, -1, 1, 0, 1, 1, 1, 1, 1]),
    gl.STATIC_DRAW,
  );
  [0, 1].forEach((at) => {
    gl.enableVertexAttribArray(at);
    gl.vertexAttribPointer(at, 2, gl.FLOAT, false, 16, 8 * at);
  });
  gl.viewport(0, 0, WIDTH, HEIGHT);
  const run = () => {
    gl.useProgram(box);
    framebuffer(first);
    gl.bindTexture(gl.TEXTURE_2D, image);
    gl.uniform2f(gl.getUniformLocation(box, 'size'), WIDTH, HEIGHT);
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
    gl.useProgram(scale);
    framebuffer(second);
    gl.bindTexture(gl.TEXTURE_2D, first);
    if (version === 1) {
      gl.uniform4fv(gl.getUniformLocation(scale, 'gain'), GAIN);
      gl.uniform1fv(gl.getUniformLocation(scale, 'bias'), BIAS);
    } else {
      gl.bindBufferBase(gl.UNIFORM_BUFFER, 0, gl.createBuffer());
      gl.bufferData(
        gl.UNIFORM_BUFFER,
        new Float32Array([...GAIN, ...BIAS.flatMap((value) => [value, 0, 0, 0])]),
        gl.STATIC_DRAW,
      );
    }
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
  };
  return { gl, run, texture, framebuffer, error: () => gl.getError() };
}
