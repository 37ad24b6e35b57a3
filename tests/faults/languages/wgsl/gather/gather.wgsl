// Rows of a table by their numbers, which may be negative, as ONNX Runtime Web writes it.
struct Uniforms { outputSize: u32, axisDimLimit: i32, columns: u32 };

@group(0) @binding(0) var<storage, read> data: array<f32>;
@group(0) @binding(1) var<storage, read> inputIndices: array<i32>;
@group(0) @binding(2) var<storage, read_write> output: array<f32>;
@group(0) @binding(3) var<uniform> uniforms: Uniforms;

@compute @workgroup_size(64, 1, 1)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
  let global_idx = global_id.x;
  if (global_idx >= uniforms.outputSize) { return; }
  let outputIndices = vec2<u32>(global_idx / uniforms.columns, global_idx % uniforms.columns);
  var idx = inputIndices[outputIndices[0]];
  if (idx < 0) {
    idx = idx + uniforms.axisDimLimit;
  }
  let dataIndices = vec2<u32>(u32(idx), outputIndices[1]);
  output[global_idx] = data[dataIndices.x * uniforms.columns + dataIndices.y];
}
