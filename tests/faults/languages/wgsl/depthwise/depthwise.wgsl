// A depthwise convolution, channels first, as TensorFlow.js's WebGPU backend writes it.
struct Uniforms { pads : vec2<i32>, inDims : vec2<i32>, filterHeight : i32, filterWidth : i32, strides : vec2<i32>,
                  dilations : vec2<i32>, xShape : vec4<i32>, outShape : vec4<i32>, size : i32, };

@group(0) @binding(0) var<storage, read_write> result: array<f32>;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read> W: array<f32>;
@group(0) @binding(3) var<uniform> uniforms: Uniforms;

fn getIndexFromCoords4D(coords : vec4<i32>, shape : vec4<i32>) -> i32 {
  return dot(coords, vec4<i32>(shape.y * shape.z * shape.w, shape.z * shape.w, shape.w, 1));
}

fn getCoordsFromIndex(index : i32) -> vec4<i32> {
  var index2 = index;
  let d0 = index2 / (uniforms.outShape[1] * uniforms.outShape[2] * uniforms.outShape[3]);
  index2 = index2 - d0 * (uniforms.outShape[1] * uniforms.outShape[2] * uniforms.outShape[3]);
  let d1 = index2 / (uniforms.outShape[2] * uniforms.outShape[3]);
  index2 = index2 - d1 * (uniforms.outShape[2] * uniforms.outShape[3]);
  let d2 = index2 / uniforms.outShape[3];
  let d3 = index2 - d2 * uniforms.outShape[3];
  return vec4<i32>(d0, d1, d2, d3);
}

fn getX(b : i32, c : i32, row : i32, col : i32) -> f32 {
  return f32(x[getIndexFromCoords4D(vec4<i32>(b, c, row, col), uniforms.xShape)]);
}

fn main(index : i32) {
  if (index < uniforms.size) {
    let coords = getCoordsFromIndex(index);
    let batch = coords[0];
    let channel = coords[1];
    let xRCCorner = coords.zw * uniforms.strides - uniforms.pads;
    var value = 0.0;
    for (var wR = 0; wR < uniforms.filterHeight; wR = wR + 1) {
      let xR = xRCCorner[0] + wR * uniforms.dilations[0];
      if (xR < 0 || xR >= uniforms.inDims[0]) {
        continue;
      }
      for (var wC = 0; wC < uniforms.filterWidth; wC = wC + 1) {
        let xC = xRCCorner[1] + wC * uniforms.dilations[1];
        if (xC < 0 || xC >= uniforms.inDims[1]) {
          continue;
        }
        let xVal = getX(batch, channel, xR, xC);
        let wVal = W[(channel * uniforms.filterHeight + wR) * uniforms.filterWidth + wC];
        value = value + xVal * wVal;
      }
    }
    result[index] = select(value * 0.2, value, value >= 0.0);
  }
}

@compute @workgroup_size(64, 1, 1)
fn _start(@builtin(global_invocation_id) GlobalInvocationID : vec3<u32>) {
  main(i32(GlobalInvocationID.x));
}
