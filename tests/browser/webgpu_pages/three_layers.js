// A page's own three layers: y = relu(3 x 3 box of x), y = gain · y + bias in place, z = the sums of y's rows.
const BOX = `// The box of nine elements around each.
override FLOOR : f32 = 0.0;
struct Sizes { columns : u32, rows : u32, scale : vec2<f32> }
struct Image { count : u32, offset : f32, values : array<f32> }
@group(0) @binding(0) var<uniform> sizes : Sizes;
@group(0) @binding(1) var<storage, read> image : Image;
@group(0) @binding(2) var<storage, read_write> result : array<f32>;

@compute @workgroup_size(4, 4)
fn box(@builtin(global_invocation_id) id : vec3<u32>) {
  if (id.x >= sizes.columns || id.y >= sizes.rows) { return; }
  var total = image.offset;
  for (var dy = -1; dy <= 1; dy++) {
    for (var dx = -1; dx <= 1; dx++) {
      let x = i32(id.x) + dx;
      let y = i32(id.y) + dy;
      if (x < 0 || y < 0 || x >= i32(sizes.columns) || y >= i32(sizes.rows)) { continue; }
      total += image.values[u32(y) * sizes.columns + u32(x)];
    }
  }
  result[id.y * sizes.columns + id.x] = max(total * sizes.scale.x + sizes.scale.y, FLOOR);
}`;
const AFFINE = `struct Affine { gain : vec4<f32>, bias : f32 }
@group(0) @binding(0) var<storage, read_write> values : array<vec4<f32>>;
@group(1) @binding(3) var<uniform> affine : Affine;

@compute @workgroup_size(8)
fn scaled(@builtin(global_invocation_id) id : vec3<u32>) {
  if (id.x >= arrayLength(&values)) { return; }
  values[id.x] = affine.gain * values[id.x] + affine.bias;
}`;
const SUMS = `@group(0) @binding(0) var<storage, read> values : array<f32>;
@group(0) @binding(1) var<storage, read_write> sums : array<f32>;
@group(0) @binding(2) var<uniform> columns : u32;

@compute @workgroup_size(1)
fn sums_of_rows(@builtin(workgroup_id) row : vec3<u32>) {
  var total = 0.0;
  for (var i = 0u; i < columns; i++) { total += values[row.x * columns + i]; }
  sums[row.x] = total;
}`;
const WIDTH = 8,
  HEIGHT = 6;

// Returns the sums that a run gives; `errors` has what the device said of it.
async function threeLayers() {
  const adapter = await navigator.gpu.requestAdapter(),
    device = await adapter.requestDevice(),
    errors = [];
  device.addEventListener('uncapturederror', ({ error }) => errors.push(error.message));
  const { STORAGE, UNIFORM, INDIRECT, COPY_DST, COPY_SRC, MAP_READ } = GPUBufferUsage;
  const buffer = (usage, data) => {
    const made = device.createBuffer({ size: data.byteLength, usage, mappedAtCreation: true });
    new Uint8Array(made.getMappedRange()).set(new Uint8Array(data.buffer));
    made.unmap();
    return made;
  };
  const pipeline = (code, label, layout, constants) =>
    device.createComputePipeline({
      label,
      layout,
      compute: { module: device.createShaderModule({ code, label }), constants },
    });
  const count = WIDTH * HEIGHT,
    image = new Float32Array(count + 2);
  new Uint32Array(image.buffer)[0] = count;
  image[1] = 0.5;
  for (let i = 0; i < count; i++) image[i + 2] = Math.sin(i);
  const sizes = new Float32Array([0, 0, 0.25, -0.125]);
  new Uint32Array(sizes.buffer).set([WIDTH, HEIGHT]);
  const input = buffer(STORAGE, image),
    uniforms = buffer(UNIFORM, sizes),
    columns = buffer(UNIFORM, new Uint32Array([WIDTH])),
    counts = buffer(INDIRECT, new Uint32Array([HEIGHT, 1, 1])),
    result = device.createBuffer({ size: 4 * count, usage: STORAGE }),
    sums = device.createBuffer({ size: 4 * HEIGHT, usage: STORAGE | COPY_SRC }),
    read = device.createBuffer({ size: 4 * HEIGHT, usage: COPY_DST | MAP_READ }),
    affine = device.createBuffer({ size: 512, usage: UNIFORM | COPY_DST });
  device.queue.writeBuffer(affine, 256, new Float32Array([2, 0.5, -1, 3, 0.25]));

  const [first, second] = [
    { buffer: { type: 'storage' } },
    { buffer: { type: 'uniform', hasDynamicOffset: true } },
  ].map((each, i) =>
    device.createBindGroupLayout({ entries: [{ binding: 3 * i, visibility: GPUShaderStage.COMPUTE, ...each }] }),
  );
  const box = pipeline(BOX, 'Box', 'auto', { FLOOR: 0.0625 }),
    scaled = pipeline(AFFINE, 'Affine', device.createPipelineLayout({ bindGroupLayouts: [first, second] })),
    summed = pipeline(SUMS, '', 'auto');
  const group = (layout, ...resources) =>
    device.createBindGroup({ layout, entries: resources.map(([binding, resource]) => ({ binding, resource })) });
  const encoder = device.createCommandEncoder(),
    pass = encoder.beginComputePass({ label: 'layers' });
  pass.setPipeline(box);
  pass.setBindGroup(
    0,
    group(box.getBindGroupLayout(0), [0, { buffer: uniforms }], [1, { buffer: input }], [2, { buffer: result }]),
  );
  pass.pushDebugGroup('rest');
  pass.dispatchWorkgroups(2, 2);
  pass.setPipeline(scaled);
  pass.setBindGroup(0, group(first, [0, { buffer: result }]));
  pass.setBindGroup(1, group(second, [3, { buffer: affine, size: 32 }]), [256]);
  pass.dispatchWorkgroups(Math.ceil(count / 32));
  pass.popDebugGroup();
  pass.setPipeline(summed);
  pass.setBindGroup(
    0,
    group(summed.getBindGroupLayout(0), [0, { buffer: result }], [1, { buffer: sums }], [2, { buffer: columns }]),
  );
  pass.dispatchWorkgroupsIndirect(counts, 0);
  pass.end();
  encoder.copyBufferToBuffer(sums, 0, read, 0, 4 * HEIGHT);
  device.queue.submit([encoder.finish()]);
  await read.mapAsync(GPUMapMode.READ);
  const values = Array.from(new Float32Array(read.getMappedRange()));
  await device.queue.onSubmittedWorkDone();
  return { values, errors, usage: result.usage === STORAGE };
}
