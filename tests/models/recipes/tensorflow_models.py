"""Models as tf2onnx writes them: pictures come as [N, H, W, C], and are resized as TensorFlow does."""

from __future__ import annotations

import onnx
import tensorflow as tf
import tf2onnx

from tests.models.recipes.written import write


def weights(*shape: int) -> tf.Tensor:
    return tf.random.stateless_normal(shape, (len(shape), shape[-1])) * 0.3


def mobile(x: tf.Tensor) -> tf.Tensor:
    """A depthwise and a pointwise convolution, padded as TensorFlow pads, and a mean."""
    x = tf.nn.relu6(tf.nn.conv2d(x, weights(3, 3, 3, 8), 2, "SAME"))
    x = tf.nn.depthwise_conv2d(x, weights(3, 3, 8, 1), [1, 2, 2, 1], "SAME")
    x = tf.nn.leaky_relu(tf.nn.bias_add(tf.nn.conv2d(x, weights(1, 1, 8, 12), 1, "VALID"), weights(12)), 0.2)
    return tf.nn.softmax(tf.reduce_mean(x, [1, 2]) @ weights(12, 5))


def resized(x: tf.Tensor) -> tf.Tensor:
    """Nearest neighbours by centres of pixels, which opset 11 calls tf_half_pixel_for_nn, then bilinear."""
    x = tf.compat.v1.image.resize_nearest_neighbor(x, [12, 20], half_pixel_centers=True)
    x = tf.nn.conv2d(x, weights(3, 3, 3, 4), 1, "SAME")
    return tf.image.resize(x, [9, 11], method="bilinear")


def looped(x: tf.Tensor) -> tf.Tensor:
    """A loop that runs three times."""
    kernel = weights(3, 3, 3, 3)
    _, y = tf.while_loop(
        lambda turn, _: turn < 3, lambda turn, y: (turn + 1, tf.nn.relu(tf.nn.conv2d(y, kernel, 1, "SAME"))), (0, x)
    )
    return y


def converted(function: object, shape: list[int], opset: int) -> onnx.ModelProto:
    """Returns the function of one picture of that shape."""
    signature = (tf.TensorSpec(shape, tf.float32, name="image"),)
    return tf2onnx.convert.from_function(tf.function(function, input_signature=signature), signature, opset=opset)[0]


def main() -> None:
    write(converted(mobile, [1, 17, 16, 3], 13), "tf2onnx_mobile_opset13")
    write(converted(resized, [1, 6, 9, 3], 11), "tf2onnx_resize_opset11")
    write(converted(looped, [1, 6, 7, 3], 15), "tf2onnx_loop_opset15")


if __name__ == "__main__":
    main()
