// Layer normalisation of vectors of four, as ONNX Runtime Web writes it.
struct Uniforms { norm_count: u32, norm_size: f32, norm_size_vectorized: u32, epsilon: f32 };

@group(0) @binding(0) var<storage, read> x: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read> scale: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read> bias: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read_write> output: array<vec4<f32>>;
@group(0) @binding(4) var<uniform> uniforms: Uniforms;

fn sum_of(v: vec4f) -> f32 {
  return v.x + v.y + v.z + v.w;
}

@compute @workgroup_size(64, 1, 1)
fn main(@builtin(global_invocation_id) global_id : vec3<u32>) {
  let global_idx = global_id.x;
  if (global_idx >= uniforms.norm_count) { return; }
  let offset = global_idx * uniforms.norm_size_vectorized;
  var mean_vector = vec4f(0.0);
  var mean_square_vector = vec4f(0.0);

  for (var h: u32 = 0u; h < uniforms.norm_size_vectorized; h++) {
    let value = vec4f(x[h + offset]);
    mean_vector += value;
    mean_square_vector += value * value;
  }
  let mean = sum_of(mean_vector) / uniforms.norm_size;
  let inv_std_dev = inverseSqrt(sum_of(mean_square_vector) / uniforms.norm_size - mean * mean + uniforms.epsilon);

  for (var j: u32 = 0; j < uniforms.norm_size_vectorized; j++) {
    let f32input = vec4f(x[j + offset]);
    let f32scale = vec4f(scale[j]);
    output[j + offset] = (f32input - mean) * inv_std_dev * f32scale + vec4f(bias[j]);
  }
}
