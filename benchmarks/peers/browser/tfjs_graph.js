// A network in TensorFlow.js, operator by operator: the steps that benchmarks/peers/channels_last.py writes.

import * as tf from '@tensorflow/tfjs-core';
import '@tensorflow/tfjs-backend-webgl';
import '@tensorflow/tfjs-backend-cpu';

const convolve = (call) => ([x, filter, bias], { stride, pad, activation }) =>
  call({ x, filter, bias, strides: stride, pad, activation });

// By kind of step: a function of its tensors and options. The fused kernels are those of a converted graph.
const CALLS = {
  conv2d: convolve(tf.fused.conv2d),
  depthwiseConv2d: convolve(tf.fused.depthwiseConv2d),
  matMul: ([a, b, bias]) => (bias ? tf.fused.matMul({ a, b, bias }) : tf.matMul(a, b)),
  maxPool: ([x], { size, stride, pad }) => tf.maxPool(x, size, stride, pad),
  mean: ([x], { axes }) => tf.mean(x, axes, true),
  reshape: ([x], { shape }) => tf.reshape(x, shape),
  transpose: ([x], { order }) => tf.transpose(x, order),
  softmax: ([x]) => tf.softmax(x),
  square: ([x]) => tf.square(x),
  add: ([a, b]) => tf.add(a, b),
  sub: ([a, b]) => tf.sub(a, b),
  mul: ([a, b]) => tf.mul(a, b),
  div: ([a, b]) => tf.div(a, b),
  sqrt: ([x]) => tf.sqrt(x),
  erf: ([x]) => tf.erf(x),
  relu: ([x]) => tf.relu(x),
};

// Products that a step sums, those with zeros around the picture counted in: as the Python side counts them.
const MACS = {
  conv2d: (made, [, kernel]) => made.shape[1] * made.shape[2] * kernel.size,
  depthwiseConv2d: (made, [, kernel]) => made.shape[1] * made.shape[2] * kernel.size,
  matMul: (made, [a]) => made.size * a.shape[a.rank - 1],
};

// Each step gets the names of the tensors that no later one reads, so that their textures are used again.
function withEnds(steps, kept) {
  const seen = new Set(kept);
  return steps.toReversed().map((step) => {
    const ends = [...new Set(step.inputs)].filter((name) => !seen.has(name));
    ends.forEach((name) => seen.add(name));
    return { ...step, ends };
  }).toReversed();
}

async function floats(path) {
  return new Float32Array(await (await fetch(path)).arrayBuffer());
}

const json = async (path) => (await fetch(path)).json();

function weightsOf(shapes, values) {
  let at = 0;
  return Object.entries(shapes).map(([name, shape]) => {
    const count = shape.reduce((a, b) => a * b, 1);
    const weight = tf.tensor(values.subarray(at, at + count), shape);
    at += count;
    return [name, weight];
  });
}

let about, steps, kept, last;

function run(count = () => {}) {
  const tensors = { ...kept };
  for (const { kind, inputs, output, options, ends } of steps) {
    const given = inputs.map((name) => tensors[name]);
    tensors[output] = CALLS[kind](given, options);
    count(kind, tensors[output], given);
    ends.forEach((name) => tensors[name].dispose());
  }
  last = tensors[about.made].dataSync();
  tensors[about.made].dispose();
}

window.engine = {
  async start() {
    await tf.setBackend('webgl');
    await tf.ready();
    about = await json('/model/about.json');
    const graph = await json('/model/steps.json');
    const weights = weightsOf(graph.weights, await floats('/model/weights_channels_last.bin'));
    const given = tf.tensor(await floats('/model/input.bin'), about.given_shape);
    kept = {
      ...Object.fromEntries(weights),
      ...Object.fromEntries(Object.entries(graph.scalars).map(([name, value]) => [name, tf.scalar(value)])),
      [about.given]: given.rank === 4 ? tf.transpose(given, [0, 2, 3, 1]) : given,
    };
    steps = withEnds(graph.steps, Object.keys(kept));
    let macs = 0;
    run((kind, made, inputs) => { macs += MACS[kind]?.(made, inputs) ?? 0; });
    const gl = tf.backend().gpgpu.gl, info = gl.getExtension('WEBGL_debug_renderer_info');
    return {
      driver: gl.getParameter(info ? info.UNMASKED_RENDERER_WEBGL : gl.RENDERER),
      version: `TensorFlow.js ${tf.version_core}`,
      parameters: weights.reduce((sum, [, weight]) => sum + weight.size, 0),
      macs,
    };
  },
  run: () => run(),
  output: () => last,
};
