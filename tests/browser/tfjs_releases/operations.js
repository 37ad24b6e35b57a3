// Operations by name: their inputs, and what is done with them.
'use strict';

const noise = (shape, seed) => tf.randomNormal(shape, 0, 1, 'float32', seed);
const positive = (shape, seed) => tf.randomUniform(shape, 0.25, 2, 'float32', seed);
const inside = (shape, seed) => tf.randomUniform(shape, -0.9, 0.9, 'float32', seed);
const OPERATIONS = {};
const operation = (name, inputs, run) => { OPERATIONS[name] = { inputs, run }; };

for (const name of ['neg', 'abs', 'ceil', 'floor', 'sign', 'exp', 'expm1', 'square', 'relu', 'relu6', 'elu', 'selu', 'sigmoid',
  'softplus', 'sin', 'cos', 'tan', 'atan', 'sinh', 'cosh', 'tanh', 'asinh', 'erf', 'step', 'isNaN', 'round']) {
  operation(name, () => [noise([1, 5, 7, 3], 1)], (x) => tf[name](x));
}
for (const name of ['log', 'log1p', 'sqrt', 'rsqrt', 'reciprocal']) {
  operation(name, () => [positive([1, 5, 7, 3], 2)], (x) => tf[name](x));
}
for (const name of ['asin', 'acos', 'atanh']) operation(name, () => [inside([4, 9], 3)], (x) => tf[name](x));
operation('acosh', () => [tf.add(positive([4, 9], 3), 1)], (x) => tf.acosh(x));
operation('leakyRelu', () => [noise([2, 5, 3], 4)], (x) => tf.leakyRelu(x, 0.3));
operation('prelu', () => [noise([2, 5, 3], 4), noise([3], 5)], (x, a) => tf.prelu(x, a));
operation('clipByValue', () => [noise([6, 7], 6)], (x) => tf.clipByValue(x, -0.5, 0.75));
operation('cast', () => [noise([6, 7], 6)], (x) => tf.cast(x, 'int32'));
for (const name of ['add', 'sub', 'mul', 'maximum', 'minimum', 'squaredDifference', 'atan2', 'greater', 'less', 'lessEqual', 'equal']) {
  operation(name, () => [noise([2, 5, 3], 7), noise([2, 5, 3], 8)], (x, y) => tf[name](x, y));
  operation(`${name}_broadcast`, () => [noise([2, 4, 5, 3], 7), noise([5, 1], 8)], (x, y) => tf[name](x, y));
}
for (const name of ['div', 'pow', 'mod', 'floorDiv']) {
  operation(name, () => [positive([3, 5, 3], 9), positive([3, 5, 3], 10)], (x, y) => tf[name](x, y));
}
operation('where', () => [tf.greater(noise([3, 5], 1), 0), noise([3, 5], 2), noise([3, 5], 3)], (c, x, y) => tf.where(c, x, y));
operation('addN', () => [noise([3, 5], 1), noise([3, 5], 2), noise([3, 5], 3)], (...all) => tf.addN(all));
for (const name of ['sum', 'mean', 'max', 'min', 'prod']) {
  operation(`${name}_last`, () => [noise([3, 5, 9], 11)], (x) => tf[name](x, -1));
  operation(`${name}_middle`, () => [noise([3, 5, 9], 12)], (x) => tf[name](x, 1, true));
}
operation('sum_of_many', () => [noise([2, 700], 13)], (x) => tf.sum(x, 1));
for (const name of ['argMax', 'argMin', 'cumsum', 'softmax', 'logSoftmax']) {
  operation(name, () => [noise([4, 11], 14)], (x) => tf[name](x, 1));
}
operation('logSumExp', () => [noise([4, 11], 14)], (x) => tf.logSumExp(x, 1));
operation('transpose_2d', () => [noise([5, 7], 15)], (x) => tf.transpose(x));
operation('transpose_4d', () => [noise([2, 3, 4, 5], 16)], (x) => tf.transpose(x, [0, 3, 1, 2]));
operation('reshape', () => [noise([2, 3, 4, 5], 17)], (x) => tf.add(tf.reshape(tf.add(x, 1), [6, 20]), 1));
operation('slice', () => [noise([6, 7, 5], 18)], (x) => tf.slice(x, [1, 2, 1], [4, 4, 3]));
operation('stridedSlice', () => [noise([7, 9], 19)], (x) => tf.stridedSlice(x, [1, 8], [6, 0], [2, -3]));
operation('concat_channels', () => [noise([1, 3, 5, 3], 20), noise([1, 3, 5, 2], 21)], (x, y) => tf.concat([x, y], 3));
operation('concat_rows', () => [noise([3, 5], 20), noise([2, 5], 21), noise([4, 5], 22)], (...all) => tf.concat(all, 0));
operation('stack', () => [noise([3, 5], 20), noise([3, 5], 21)], (...all) => tf.stack(all, 1));
operation('split', () => [noise([4, 6], 22)], (x) => tf.split(x, 3, 1));
operation('tile', () => [noise([2, 3, 2], 23)], (x) => tf.tile(x, [2, 1, 3]));
operation('pad', () => [noise([2, 4, 5, 3], 24)], (x) => tf.pad(x, [[0, 0], [1, 2], [0, 3], [0, 0]], 0.5));
operation('mirrorPad', () => [noise([4, 5], 24)], (x) => tf.mirrorPad(x, [[1, 2], [2, 1]], 'reflect'));
operation('reverse', () => [noise([3, 4, 5], 25)], (x) => tf.reverse(x, [0, 2]));
operation('gather', () => [noise([6, 5], 26), tf.tensor1d([4, 0, 5, 2], 'int32')], (x, at) => tf.gather(x, at));
operation('gatherND', () => [noise([4, 5, 3], 26), tf.tensor2d([[1, 2], [3, 0]], [2, 2], 'int32')], (x, at) => tf.gatherND(x, at));
operation('oneHot', () => [tf.tensor1d([2, 0, 3], 'int32')], (at) => tf.oneHot(at, 5));
operation('topk', () => [noise([3, 8], 27)], (x) => [tf.topk(x, 3).values]);
operation('depthToSpace', () => [noise([1, 3, 4, 8], 28)], (x) => tf.depthToSpace(x, 2, 'NHWC'));
operation('spaceToBatchND', () => [noise([1, 4, 6, 2], 29)], (x) => tf.spaceToBatchND(x, [2, 2], [[0, 0], [0, 0]]));
operation('batchToSpaceND', () => [noise([4, 2, 3, 2], 29)], (x) => tf.batchToSpaceND(x, [2, 2], [[0, 0], [0, 0]]));
operation('matMul', () => [noise([5, 7], 30), noise([7, 6], 31)], (x, y) => tf.matMul(x, y));
operation('matMul_transposed', () => [noise([7, 5], 30), noise([6, 7], 31)], (x, y) => tf.matMul(x, y, true, true));
operation('matMul_batched', () => [noise([2, 5, 7], 30), noise([2, 7, 3], 31)], (x, y) => tf.matMul(x, y));
operation('matMul_long', () => [noise([3, 130], 30), noise([130, 5], 31)], (x, y) => tf.matMul(x, y));
operation('fusedMatMul', () => [noise([5, 7], 30), noise([7, 6], 31), noise([6], 32)],
  (a, b, bias) => tf.fused.matMul({ a, b, bias, activation: 'relu' }));
const picture = (channels, seed) => noise([1, 9, 7, channels], seed);
operation('conv2d', () => [picture(3, 33), noise([3, 3, 3, 5], 34)], (x, w) => tf.conv2d(x, w, 1, 'same'));
operation('conv2d_strided', () => [picture(4, 33), noise([3, 3, 4, 6], 34)], (x, w) => tf.conv2d(x, w, [2, 1], 'valid'));
operation('conv2d_dilated', () => [picture(2, 33), noise([3, 2, 2, 3], 34)], (x, w) => tf.conv2d(x, w, 1, 'same', 'NHWC', [2, 2]));
operation('conv2d_pointwise', () => [picture(6, 33), noise([1, 1, 6, 5], 34)], (x, w) => tf.conv2d(x, w, 1, 'same'));
operation('conv2d_padded', () => [picture(3, 33), noise([4, 3, 3, 5], 34)],
  (x, w) => tf.conv2d(x, w, 2, [[0, 0], [2, 1], [0, 1], [0, 0]], 'NHWC', 1));
operation('conv2d_batch', () => [noise([3, 6, 5, 5], 33), noise([3, 3, 5, 4], 34)], (x, w) => tf.conv2d(x, w, 1, 'same'));
operation('conv2d_nchw', () => [noise([1, 4, 7, 9], 33), noise([3, 3, 4, 5], 34)], (x, w) => tf.conv2d(x, w, 1, 'same', 'NCHW'));
operation('fusedConv2d', () => [picture(3, 33), noise([3, 3, 3, 5], 34), noise([5], 35)],
  (x, filter, bias) => tf.fused.conv2d({ x, filter, strides: 2, pad: 'same', bias, activation: 'relu6' }));
operation('fusedConv2d_prelu', () => [picture(3, 33), noise([3, 3, 3, 5], 34), noise([5], 35), noise([5], 36)],
  (x, filter, bias, preluActivationWeights) =>
    tf.fused.conv2d({ x, filter, strides: 1, pad: 'valid', bias, activation: 'prelu', preluActivationWeights }));
operation('depthwise', () => [picture(5, 37), noise([3, 3, 5, 1], 38)], (x, w) => tf.depthwiseConv2d(x, w, 1, 'same'));
operation('depthwise_strided', () => [picture(6, 37), noise([3, 3, 6, 2], 38)], (x, w) => tf.depthwiseConv2d(x, w, 2, 'valid'));
operation('depthwise_dilated', () => [noise([1, 17, 17, 24], 37), noise([3, 3, 24, 1], 38)],
  (x, w) => tf.depthwiseConv2d(x, w, 1, 'same', 'NHWC', 4));
operation('depthwise_dilated_2', () => [noise([1, 11, 9, 4], 37), noise([3, 3, 4, 1], 38)],
  (x, w) => tf.depthwiseConv2d(x, w, 1, 'same', 'NHWC', 2));
operation('fusedDepthwise', () => [picture(4, 37), noise([3, 3, 4, 1], 38), noise([4], 39)],
  (x, filter, bias) => tf.fused.depthwiseConv2d({ x, filter, strides: 1, pad: 'same', bias, activation: 'relu' }));
operation('separable', () => [picture(3, 37), noise([3, 3, 3, 2], 38), noise([1, 1, 6, 4], 39)],
  (x, d, p) => tf.separableConv2d(x, d, p, 1, 'same'));
operation('conv2dTranspose', () => [noise([1, 4, 5, 3], 40), noise([3, 3, 4, 3], 41)],
  (x, w) => tf.conv2dTranspose(x, w, [1, 8, 10, 4], 2, 'same'));
operation('conv1d', () => [noise([1, 12, 3], 42), noise([4, 3, 5], 43)], (x, w) => tf.conv1d(x, w, 2, 'same'));
operation('conv3d', () => [noise([1, 4, 5, 6, 2], 44), noise([2, 3, 3, 2, 3], 45)], (x, w) => tf.conv3d(x, w, 1, 'same'));
for (const name of ['maxPool', 'avgPool']) {
  operation(name, () => [picture(5, 46)], (x) => tf[name](x, 2, 2, 'same'));
  operation(`${name}_overlapping`, () => [picture(3, 46)], (x) => tf[name](x, 3, [2, 1], 'valid'));
}
operation('batchNorm', () => [picture(5, 47), noise([5], 48), positive([5], 49), noise([5], 50), noise([5], 51)],
  (x, mean, variance, offset, scale) => tf.batchNorm(x, mean, variance, offset, scale, 0.01));
operation('localResponseNormalization', () => [picture(7, 52)], (x) => tf.localResponseNormalization(x, 2, 1, 0.5, 0.75));
operation('resizeBilinear', () => [picture(3, 53)], (x) => tf.image.resizeBilinear(x, [5, 13]));
operation('resizeBilinear_corners', () => [picture(3, 53)], (x) => tf.image.resizeBilinear(x, [17, 4], true));
operation('resizeBilinear_centers', () => [picture(3, 53)], (x) => tf.image.resizeBilinear(x, [17, 12], false, true));
operation('resizeNearest', () => [picture(3, 53)], (x) => tf.image.resizeNearestNeighbor(x, [18, 5]));
operation('cropAndResize', () => [picture(3, 54), tf.tensor2d([[0.1, 0.2, 0.8, 0.9]]), tf.tensor1d([0], 'int32')],
  (x, boxes, of) => tf.image.cropAndResize(x, boxes, of, [4, 3]));
