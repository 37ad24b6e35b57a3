// Attention in three steps: scores of queries and keys, their softmax, the sum of values.
struct Uniforms { M: u32, K: u32, N: u32, num_heads: u32, alpha: f32 };
override TILE: u32 = 4u;

@group(0) @binding(0) var<storage, read> q: array<f32>;
@group(0) @binding(1) var<storage, read> key: array<f32>;
@group(0) @binding(2) var<storage, read> v: array<f32>;
@group(0) @binding(3) var<storage, read> probs: array<f32>;
@group(0) @binding(4) var<storage, read_write> output: array<f32>;
@group(0) @binding(5) var<uniform> uniforms: Uniforms;

var<workgroup> tileQ: array<f32, 16>;
var<workgroup> tileK: array<f32, 16>;

@compute @workgroup_size(TILE, TILE, 1)
fn scores(@builtin(workgroup_id) workgroup_id: vec3<u32>, @builtin(local_invocation_id) local_id: vec3<u32>) {
  let headIdx = workgroup_id.z;
  let m = workgroup_id.y * TILE;
  let n = workgroup_id.x * TILE;
  let qOffset = uniforms.M * uniforms.K * headIdx + m * uniforms.K;
  let kOffset = uniforms.N * uniforms.K * headIdx + n * uniforms.K;
  var value = 0.0f;
  for (var w: u32 = 0u; w < uniforms.K; w += TILE) {
    if (m + local_id.y < uniforms.M && w + local_id.x < uniforms.K) {
      tileQ[TILE * local_id.y + local_id.x] = q[qOffset + local_id.y * uniforms.K + w + local_id.x];
    }
    if (n + local_id.y < uniforms.N && w + local_id.x < uniforms.K) {
      tileK[TILE * local_id.y + local_id.x] = key[kOffset + local_id.y * uniforms.K + w + local_id.x];
    }
    workgroupBarrier();
    for (var k: u32 = 0u; k < TILE && w + k < uniforms.K; k++) {
      value += tileQ[TILE * local_id.y + k] * tileK[TILE * local_id.x + k];
    }
    workgroupBarrier();
  }
  if (m + local_id.y < uniforms.M && n + local_id.x < uniforms.N) {
    let headOffset = headIdx * uniforms.M * uniforms.N;
    let outputIdx = headOffset + (m + local_id.y) * uniforms.N + n + local_id.x;
    output[outputIdx] = value * uniforms.alpha;
  }
}

@compute @workgroup_size(32)
fn softmax(@builtin(global_invocation_id) id: vec3<u32>) {
  let row = id.x;
  if row >= uniforms.M * uniforms.num_heads { return; }
  let offset = row * uniforms.N;
  var highest = q[offset];
  for (var n = 1u; n < uniforms.N; n++) {
    highest = max(highest, q[offset + n]);
  }
  var sum = 0.0;
  for (var n = 0u; n < uniforms.N; n++) {
    sum += exp(q[offset + n] - highest);
  }
  for (var n = 0u; n < uniforms.N; n++) {
    output[offset + n] = exp(q[offset + n] - highest) / sum;
  }
}

@compute @workgroup_size(8, 4)
fn values(@builtin(global_invocation_id) id: vec3<u32>) {
  if id.x >= uniforms.K || id.y >= uniforms.M { return; }
  let head = id.z;
  var value = 0.0;
  var n = 0u;
  loop {
    if n >= uniforms.N { break; }
    value += probs[(head * uniforms.M + id.y) * uniforms.N + n] * v[(head * uniforms.N + n) * uniforms.K + id.x];
    continuing { n++; }
  }
  output[(head * uniforms.M + id.y) * uniforms.K + id.x] = value;
}
