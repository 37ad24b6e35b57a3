// The ONNX file itself in ONNX Runtime Web; ORT_PROVIDER is 'webgl' or 'wasm', put in when the page is bundled.

import * as ort from 'onnxruntime-web';

let about, session, feeds, last;

function driver() {
  if (ORT_PROVIDER !== 'webgl') return `${ort.env.wasm.numThreads} threads`;
  const gl = document.createElement('canvas').getContext('webgl2'), info = gl.getExtension('WEBGL_debug_renderer_info');
  return gl.getParameter(info ? info.UNMASKED_RENDERER_WEBGL : gl.RENDERER);
}

window.engine = {
  async start() {
    ort.env.wasm.wasmPaths = '/node_modules/onnxruntime-web/dist/';
    ort.env.wasm.numThreads = navigator.hardwareConcurrency;
    about = await (await fetch('/model/about.json')).json();
    session = await ort.InferenceSession.create('/model/model.onnx', { executionProviders: [ORT_PROVIDER] });
    const values = new Float32Array(await (await fetch('/model/input.bin')).arrayBuffer());
    feeds = { [about.given]: new ort.Tensor('float32', values, about.given_shape) };
    await this.run();
    return { driver: driver(), version: `ONNX Runtime Web ${ort.env.versions.web}`, parameters: null, macs: null };
  },
  async run() {
    last = await (await session.run(feeds))[about.made].getData();
  },
  output: () => last,
};
