// A product by tiles, four columns at a time, as TensorFlow.js's WebGPU backend writes it.
struct Uniforms { NAN : f32, INFINITY : f32, aShape : vec3<i32>, bShape : vec3<i32>, outShape : vec3<i32>, dimInner : i32, };

@group(0) @binding(0) var<storage, read_write> result: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read> A: array<f32>;
@group(0) @binding(2) var<storage, read> B: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read> bias: array<vec4<f32>>;
@group(0) @binding(4) var<uniform> uniforms: Uniforms;

var<private> localId: vec3<u32>;
var<private> globalId: vec3<u32>;

const TILE = 8;
const rowPerThread = 2;
var<workgroup> mm_Asub : array<array<f32, 8>, 16>;
var<workgroup> mm_Bsub : array<array<vec4<f32>, 4>, 8>;

fn mm_readA(row: i32, col: i32) -> f32 {
  var value = 0.0;
  if (row < uniforms.aShape[1] && col < uniforms.aShape[2]) {
    value = A[row * uniforms.aShape[2] + col];
  }
  return value;
}

fn mm_readB(row: i32, col: i32) -> vec4<f32> {
  var value = vec4<f32>(0.0);
  if (row < uniforms.bShape[1] && col < uniforms.bShape[2]) {
    value = B[(row * uniforms.bShape[2] + col) / 4];
  }
  return value;
}

fn activation(a : vec4<f32>) -> vec4<f32> {
  return clamp(a, vec4<f32>(0.0), vec4<f32>(6.0));
}

@compute @workgroup_size(4, 8, 1)
fn _start(@builtin(local_invocation_id) LocalId : vec3<u32>, @builtin(global_invocation_id) GlobalId : vec3<u32>,
          @builtin(workgroup_id) WorkgroupId : vec3<u32>) {
  localId = LocalId;
  globalId = GlobalId;
  let tileRow = i32(localId.y) * rowPerThread;
  let tileCol = i32(localId.x);
  let globalRow = i32(globalId.y) * rowPerThread;
  let globalCol = i32(globalId.x) * 4;
  let numTiles = (uniforms.dimInner - 1) / TILE + 1;
  var acc : array<vec4<f32>, rowPerThread>;

  for (var t = 0; t < numTiles; t++) {
    let kStart = t * TILE;
    for (var innerRow = 0; innerRow < rowPerThread; innerRow++) {
      for (var c = tileCol; c < TILE; c = c + 4) {
        mm_Asub[tileRow + innerRow][c] = mm_readA(globalRow + innerRow, kStart + c);
      }
    }
    mm_Bsub[localId.y][tileCol] = mm_readB(kStart + i32(localId.y), globalCol);
    workgroupBarrier();

    for (var k = 0; k < TILE; k++) {
      let BCached = mm_Bsub[k][tileCol];
      for (var i = 0; i < rowPerThread; i++) {
        acc[i] = fma(vec4<f32>(mm_Asub[tileRow + i][k]), BCached, acc[i]);
      }
    }
    workgroupBarrier();
  }

  for (var innerRow = 0; innerRow < rowPerThread; innerRow++) {
    let row = globalRow + innerRow;
    if (row < uniforms.outShape[1] && globalCol < uniforms.outShape[2]) {
      result[(row * uniforms.outShape[2] + globalCol) / 4] = activation(acc[innerRow] + bias[globalCol / 4]);
    }
  }
}
