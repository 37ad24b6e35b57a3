// Softmax of rows, a work group a row, as ONNX Runtime Web writes it.
const MAX_FLOAT = 3.402823e+38;
const wg = 64;

@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> result: array<f32>;
struct Uniforms { packedCols: i32 };
@group(0) @binding(2) var<uniform> uniforms: Uniforms;

var<workgroup> rowMaxShared : f32;
var<workgroup> rowSumShared : f32;
var<workgroup> threadShared : array<f32, 64>;

fn getValue(row: i32, col: i32, row_stride: i32) -> f32 {
  let index = row * row_stride + col;
  return x[index];
}

fn setValue(row: i32, col: i32, row_stride: i32, value: f32) {
  let index = row * row_stride + col;
  result[index] = value;
}

@compute @workgroup_size(wg)
fn main(@builtin(local_invocation_id) local_id: vec3<u32>, @builtin(workgroup_id) workgroup_id: vec3<u32>) {
  let lindex = i32(local_id.x);
  let row = i32(workgroup_id.x);
  let cols = uniforms.packedCols;
  let row_stride: i32 = uniforms.packedCols;

  var threadMax = f32(-MAX_FLOAT);
  for (var col = lindex; col < cols; col += wg) {
    let value = getValue(row, col, row_stride);
    threadMax = max(threadMax, value);
  }
  if (lindex < cols) {
    threadShared[lindex] = threadMax;
  }
  workgroupBarrier();

  var reduceSize = min(cols, wg);
  for (var currSize = reduceSize >> 1; currSize > 0; currSize = reduceSize >> 1) {
    reduceSize = currSize + (reduceSize & 1);
    if (lindex < currSize) {
      threadShared[lindex] = max(threadShared[lindex], threadShared[lindex + reduceSize]);
    }
    workgroupBarrier();
  }
  if (lindex == 0) {
    rowMaxShared = threadShared[0];
  }
  workgroupBarrier();

  var threadSum = 0.0;
  for (var col = lindex; col < cols; col += wg) {
    let subExp = exp(getValue(row, col, row_stride) - rowMaxShared);
    threadSum += subExp;
  }
  threadShared[lindex] = threadSum;
  workgroupBarrier();

  for (var currSize = wg >> 1; currSize > 0; currSize = currSize >> 1) {
    if (lindex < currSize) {
      threadShared[lindex] = threadShared[lindex] + threadShared[lindex + currSize];
    }
    workgroupBarrier();
  }
  if (lindex == 0) {
    rowSumShared = threadShared[0];
  }
  workgroupBarrier();

  for (var col = lindex; col < cols; col += wg) {
    let value = exp(getValue(row, col, row_stride) - rowMaxShared) / rowSumShared;
    setValue(row, col, row_stride, value);
  }
}
