// A sum of two tensors of other shapes and a product by it, as TensorFlow.js's WebGPU backend writes it.
struct Uniforms { aShape : vec3<i32>, bShape : vec3<i32>, outShape : vec3<i32>, size : i32, };

@group(0) @binding(0) var<storage, read_write> result: array<f32>;
@group(0) @binding(1) var<storage, read> A: array<f32>;
@group(0) @binding(2) var<storage, read> B: array<f32>;
@group(0) @binding(3) var<uniform> uniforms: Uniforms;

fn isnan(val: f32) -> bool {
  let floatToUint: u32 = bitcast<u32>(val);
  return (floatToUint & 0x7fffffffu) > 0x7f800000u;
}

fn getCoordsFromIndex(index : i32) -> vec3<i32> {
  let stride1 = uniforms.outShape.z;
  let stride0 = uniforms.outShape.y * stride1;
  let d0 = index / stride0;
  let rest = index - d0 * stride0;
  let d1 = rest / stride1;
  return vec3<i32>(d0, d1, rest - d1 * stride1);
}

fn getAByOutputCoords(coords : vec3<i32>) -> f32 {
  return A[(coords.x * uniforms.aShape.y + coords.y) * uniforms.aShape.z];
}

fn getBByOutputCoords(coords : vec3<i32>) -> f32 {
  return B[coords.y * uniforms.bShape.z + coords.z];
}

fn binaryOperation(a : f32, b : f32) -> f32 {
  if (isnan(a)) { return a; }
  if (isnan(b)) { return b; }
  return (a + b) * b;
}

@compute @workgroup_size(16, 1, 1)
fn main(@builtin(global_invocation_id) id : vec3<u32>) {
  let index = i32(id.x);
  if (index < uniforms.size) {
    let coords = getCoordsFromIndex(index);
    let a = getAByOutputCoords(coords);
    let b = getBByOutputCoords(coords);
    result[index] = binaryOperation(a, b);
  }
}
