// A convolution by indices of the output, as ONNX Runtime Web's WebGPU kernels are written.
struct Uniforms { output_size: u32, strides: vec2<u32>, pads: vec2<u32>, dilations: vec2<u32>,
                  x_shape: vec4<u32>, w_shape: vec4<u32>, result_shape: vec4<u32>, result_strides: vec3<u32> };
alias Indices = vec4<u32>;

@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read> w: array<f32>;
@group(0) @binding(2) var<storage, read> bias: array<f32>;
@group(0) @binding(3) var<storage, read_write> result: array<f32>;
@group(0) @binding(4) var<uniform> uniforms: Uniforms;

fn o2i_result(offset: u32) -> Indices {
  var indices: Indices;
  var current = offset;
  let dim0 = current / uniforms.result_strides[0];
  let rest0 = current % uniforms.result_strides[0];
  indices[0] = dim0;
  current = rest0;
  let dim1 = current / uniforms.result_strides[1];
  let rest1 = current % uniforms.result_strides[1];
  indices[1] = dim1;
  current = rest1;
  let dim2 = current / uniforms.result_strides[2];
  indices[2] = dim2;
  indices[3] = current % uniforms.result_strides[2];
  return indices;
}

fn get_x(b: u32, c: u32, y: u32, x_: u32) -> f32 {
  return x[((b * uniforms.x_shape[1] + c) * uniforms.x_shape[2] + y) * uniforms.x_shape[3] + x_];
}

fn get_w(o: u32, c: u32, y: u32, x_: u32) -> f32 {
  return w[((o * uniforms.w_shape[1] + c) * uniforms.w_shape[2] + y) * uniforms.w_shape[3] + x_];
}

@compute @workgroup_size(64, 1, 1)
fn main(@builtin(global_invocation_id) global_id : vec3<u32>) {
  let global_idx = global_id.x;
  if (global_idx >= uniforms.output_size) { return; }
  let outputIndices = o2i_result(global_idx);
  let batch: u32 = outputIndices[0];
  let output_channel: u32 = outputIndices[1];
  let xRCCorner: vec2<u32> = vec2<u32>(outputIndices[2], outputIndices[3]) * uniforms.strides - uniforms.pads;

  var value: f32 = 0.0;
  for (var wInChannel: u32 = 0u; wInChannel < uniforms.w_shape[1]; wInChannel++) {
    for (var wHeight: u32 = 0u; wHeight < uniforms.w_shape[2]; wHeight++) {
      let xHeight = xRCCorner.x + wHeight * uniforms.dilations[0];
      if (xHeight < 0u || xHeight >= uniforms.x_shape[2]) {
        continue;
      }
      for (var wWidth: u32 = 0u; wWidth < uniforms.w_shape[3]; wWidth++) {
        let xWidth = xRCCorner.y + wWidth * uniforms.dilations[1];
        if (xWidth < 0u || xWidth >= uniforms.x_shape[3]) {
          continue;
        }
        let xVal = get_x(batch, wInChannel, xHeight, xWidth);
        let wVal = get_w(output_channel, wInChannel, wHeight, wWidth);
        value += xVal * wVal;
      }
    }
  }
  value = value + bias[output_channel];
  result[global_idx] = max(value, 0.0);
}
