// A picture twice as large, bilinear, as TensorFlow.js's WebGPU backend writes it, channels first.
struct Uniforms { adjustHeightWidth : vec2<f32>, halfPixelCenters : f32, xShape : vec4<i32>, outShape : vec4<i32>, size : i32, };

@group(0) @binding(0) var<storage, read_write> result: array<f32>;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<uniform> uniforms: Uniforms;

fn getX(c : i32, row : i32, col : i32) -> f32 {
  return x[(c * uniforms.xShape.z + row) * uniforms.xShape.w + col];
}

@compute @workgroup_size(64, 1, 1)
fn main(@builtin(global_invocation_id) id : vec3<u32>) {
  let index = i32(id.x);
  if (index >= uniforms.size) {
    return;
  }
  let col = index % uniforms.outShape.w;
  let row = index / uniforms.outShape.w % uniforms.outShape.z;
  let channel = index / (uniforms.outShape.w * uniforms.outShape.z);
  let effectiveInSize = vec2<f32>(f32(uniforms.xShape.z), f32(uniforms.xShape.w));
  let effectiveOutSize = vec2<f32>(f32(uniforms.outShape.z), f32(uniforms.outShape.w));
  let effectiveInputOverOutputRatioRC = effectiveInSize / effectiveOutSize;

  let sourceFracIndexRC = (vec2<f32>(f32(row), f32(col)) + vec2<f32>(uniforms.halfPixelCenters)) *
    effectiveInputOverOutputRatioRC - vec2<f32>(uniforms.halfPixelCenters);
  let sourceFloorRC = vec2<i32>(floor(sourceFracIndexRC));
  let floorRC = max(sourceFloorRC, vec2<i32>(0));
  let ceilRC = min(sourceFloorRC + vec2<i32>(1), vec2<i32>(uniforms.xShape.z - 1, uniforms.xShape.w - 1));

  let topLeft = getX(channel, floorRC.x, floorRC.y);
  let bottomLeft = getX(channel, ceilRC.x, floorRC.y);
  let topRight = getX(channel, floorRC.x, ceilRC.y);
  let bottomRight = getX(channel, ceilRC.x, ceilRC.y);
  let fracRC = sourceFracIndexRC - floor(sourceFracIndexRC);
  let top = topLeft + (topRight - topLeft) * fracRC.y;
  let bottom = bottomLeft + (bottomRight - bottomLeft) * fracRC.y;
  result[index] = top + (bottom - top) * fracRC.x;
}
