// The mean of rows by a work group each, as TensorFlow.js's WebGPU backend writes it.
struct Uniforms { reduceSize : i32, outShape : i32 };

@group(0) @binding(0) var<storage, read_write> result: array<f32>;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<uniform> uniforms: Uniforms;

var<workgroup> xBestValues : array<f32, 32>;

fn DIV_CEIL(a : u32, b : u32) -> u32 {
  return ((a - 1u) / b + 1u);
}

fn getOffset(outputIndex : i32) -> i32 {
  return outputIndex * uniforms.reduceSize;
}

@compute @workgroup_size(32, 1, 1)
fn main(@builtin(local_invocation_id) localId : vec3<u32>, @builtin(workgroup_id) group : vec3<u32>) {
  let outputIndex = i32(group.x);
  let offset = getOffset(outputIndex);
  var bestValue = 0.0;
  let Length = uniforms.reduceSize;
  let WorkPerThread = DIV_CEIL(u32(Length), 32u);
  for (var w = 0; w < i32(WorkPerThread); w = w + 1) {
    let k = i32(localId.x) + 32 * w;
    if (k < Length) {
      let candidate = f32(x[offset + k]);
      bestValue = bestValue + candidate;
    }
  }
  xBestValues[localId.x] = bestValue;
  workgroupBarrier();

  var reduceSize = min(u32(Length), 32u);
  for (var currentSize = reduceSize / 2u; reduceSize > 1u; currentSize = reduceSize / 2u) {
    let interval = DIV_CEIL(reduceSize, 2u);
    if (localId.x < currentSize) {
      let candidate = xBestValues[localId.x + interval];
      bestValue = bestValue + candidate;
      xBestValues[localId.x] = bestValue;
    }
    reduceSize = interval;
    workgroupBarrier();
  }

  if (localId.x == 0u && outputIndex < uniforms.outShape) {
    result[outputIndex] = bestValue / f32(uniforms.reduceSize);
  }
}
