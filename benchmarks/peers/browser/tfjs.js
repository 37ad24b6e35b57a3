// The U-Net of benchmarks/unet.py in TensorFlow.js's layers, with the very weights of the ONNX file.

import * as tf from '@tensorflow/tfjs-core';
import '@tensorflow/tfjs-backend-webgl';
import '@tensorflow/tfjs-backend-cpu';
import * as tfl from '@tensorflow/tfjs-layers';

const WINDOW = { kernelSize: 4, strides: 2, padding: 'same' };

function build({ widths, image_texels }) {
  const L = tfl.layers, image = tfl.input({ shape: [image_texels, image_texels, 3] });
  const down = [];
  let x = image;
  widths.forEach((filters, level) => {
    if (level) x = L.leakyReLU({ alpha: 0.2 }).apply(x);
    x = L.conv2d({ name: `down${level}`, filters, ...WINDOW }).apply(x);
    down.push(x);
  });
  for (let level = widths.length - 1; level >= 0; level--) {
    x = L.reLU().apply(x);
    x = L.conv2dTranspose({ name: `up${level}`, filters: level ? widths[level - 1] : 3, ...WINDOW }).apply(x);
    if (level) x = L.concatenate().apply([x, down[level - 1]]);
  }
  return tfl.model({ inputs: image, outputs: L.activation({ activation: 'tanh' }).apply(x) });
}

// Products that each layer sums, those with zeros around the picture counted in: as the Python side counts them.
function macs(model) {
  const size = (shape) => shape.slice(1).reduce((a, b) => a * b, 1);
  return model.layers.reduce((sum, layer) => {
    const kernel = layer.getClassName().startsWith('Conv2D') && layer.getWeights()[0].shape;
    if (!kernel) return sum;
    const places = layer.getClassName() === 'Conv2D' ? size(layer.outputShape) / kernel[3] : size(layer.input.shape) / kernel[3];
    return sum + places * kernel.reduce((a, b) => a * b, 1);
  }, 0);
}

async function floats(path) {
  return new Float32Array(await (await fetch(path)).arrayBuffer());
}

let model, image, last;

window.engine = {
  async start() {
    await tf.setBackend('webgl');
    await tf.ready();
    const about = await (await fetch('/model/about.json')).json();
    model = build(about);
    const values = await floats('/model/weights_channels_last.bin');
    let at = 0;
    for (const { name, shapes } of about.channels_last) {
      model.getLayer(name).setWeights(shapes.map((shape) => {
        const count = shape.reduce((a, b) => a * b, 1);
        const part = tf.tensor(values.subarray(at, at + count), shape);
        at += count;
        return part;
      }));
    }
    const side = about.image_texels;
    image = tf.transpose(tf.tensor(await floats('/model/input.bin'), [1, 3, side, side]), [0, 2, 3, 1]);
    this.run();
    const gl = tf.backend().gpgpu.gl, info = gl.getExtension('WEBGL_debug_renderer_info');
    return {
      driver: gl.getParameter(info ? info.UNMASKED_RENDERER_WEBGL : gl.RENDERER),
      version: `TensorFlow.js ${tf.version_core}`,
      parameters: model.countParams(),
      macs: macs(model),
    };
  },
  run() {
    const picture = model.predict(image);
    last = picture.dataSync();
    picture.dispose();
  },
  output() {
    const side = Math.sqrt(last.length / 3), planes = new Float32Array(last.length);
    for (let i = 0; i < side * side; i++) for (let c = 0; c < 3; c++) planes[c * side * side + i] = last[3 * i + c];
    return planes;
  },
};
