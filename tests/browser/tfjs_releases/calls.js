// Runs one operation on WebGL, recorded, and each kernel that it called once more on the CPU backend, on the page's inputs.
'use strict';

async function operationRecorded(name, flags) {
  for (const [flag, value] of Object.entries(flags)) {
    try { tf.env().set(flag, value); } catch (error) { console.warn(String(error)); }  // older releases lack some
  }
  tf.env().set('WEBGL_CPU_FORWARD', false);  // small tensors would be computed without WebGL
  await tf.setBackend('webgl');
  await tf.ready();
  const engine = tf.engine(), run = engine.runKernel, calls = [];
  const given = OPERATIONS[name].inputs();
  for (const each of given) await each.data();
  const recorder = recordTensorFlow(tf), recorded = engine.runKernel, draw = tf.backend().runWebGLProgram;
  let drawn = 0;
  tf.backend().runWebGLProgram = function () { drawn++; return draw.apply(this, arguments); };
  let within = 0;
  const kept = (tensor) => { within++; const same = tf.keep(tensor.clone()); within--; return same; };
  engine.runKernel = function (kernel, inputs, attributes) {
    if (within) return recorded.apply(this, arguments);
    const before = {};
    for (const [key, each] of Object.entries(inputs)) {
      if (each) before[key] = Array.isArray(each) ? each.map(kept) : kept(each);
    }
    within++;
    const made = recorded.apply(this, arguments);
    within--;
    calls.push({ kernel, inputs: before, attributes, outputs: [made].flat().map(kept) });
    return made;
  };
  const made = [tf.tidy(() => OPERATIONS[name].run(...given))].flat();
  for (const each of made) await each.data();
  const archive = await recorder.archive();
  engine.runKernel = run;
  const programs = drawn;
  const plain = async (tensor) => ({ shape: tensor.shape, dtype: tensor.dtype, values: await tensor.data() });
  const described = [];
  for (const { kernel, inputs, attributes, outputs } of calls) {
    const read = {};
    for (const [key, each] of Object.entries(inputs)) {
      read[key] = Array.isArray(each) ? await Promise.all(each.map(plain)) : await plain(each);
    }
    described.push({ kernel, attributes, read, page: await Promise.all(outputs.map(plain)) });
  }
  await tf.setBackend('cpu');
  const answers = [];
  for (const { kernel, attributes, read, page } of described) {
    const again = ({ values, shape, dtype }) => tf.tensor(values, shape, dtype);
    const inputs = {};
    for (const [key, each] of Object.entries(read)) inputs[key] = Array.isArray(each) ? each.map(again) : again(each);
    let cpu = null;
    try {
      cpu = [engine.runKernel(kernel, inputs, attributes)].flat().map((each) => Array.from(each.dataSync()));
    } catch (error) { console.warn(String(error)); }  // a kernel that only WebGL has
    answers.push({ kernel, cpu, page: page.map(({ values }) => Array.from(values)) });
  }
  if (!programs) return JSON.stringify({ programs: 0 });
  const bytes = new Uint8Array(await archive.arrayBuffer());
  let text = '';
  for (let at = 0; at < bytes.length; at += 1 << 15) text += String.fromCharCode(...bytes.subarray(at, at + (1 << 15)));
  const as_text = (value) => (Number.isFinite(value) ? value : String(value));
  return JSON.stringify({
    programs, archive: btoa(text),
    calls: answers.map((each) => ({ ...each, page: each.page.map((one) => one.map(as_text)), cpu: each.cpu && each.cpu.map((one) => one.map(as_text)) })),
  });
}
