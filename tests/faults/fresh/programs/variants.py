"""Right variants of the programs, and the programs as they are."""

from __future__ import annotations

from tests.faults.fresh.case import Healthy, Swap

_FOLDERS = ("attention", "decoder", "mobile", "moves", "packed", "sampled")

_WRITTEN_OTHERWISE = (
    Healthy(
        "a division by a root, and the larger of two lines",
        "mobile",
        (
            Swap(
                "batchnorm.frag",
                "scale * inversesqrt(variance + varianceEpsilon)",
                "scale / sqrt(varianceEpsilon + variance)",
            ),
            Swap("batchnorm.frag", "y < 0.0 ? alpha * y : y", "max(y, alpha * y)"),
        ),
    ),
    Healthy(
        "columns before rows, the fifth channel first",
        "mobile",
        (
            Swap("conv2d.frag", "for (int wR = 0; wR < 3; wR++) {", "for (int wR = 2; wR >= 0; wR--) {"),
            Swap("conv2d.frag", "dotProd += dot(xValues, wValues);", "dotProd += dot(wValues.wzyx, xValues.wzyx);"),
            Swap("conv2d.frag", "      dotProd += getX(batch, xR, xC, 4) * getW(wR, wC, 4, d2);\n", ""),
            Swap(
                "conv2d.frag",
                "      for (int d1 = 0;",
                "      dotProd += getW(wR, wC, 4, d2) * getX(batch, xR, xC, 4);\n      for (int d1 = 0;",
            ),
            Swap("conv2d.frag", "clamp(a, 0.0, 6.0)", "min(6.0, max(0.0, a))"),
        ),
    ),
    Healthy(
        "a mask in place of a continue",
        "mobile",
        (
            Swap(
                "depthwise.frag",
                "      if (xC < 0 || xC >= inDims[1]) {\n        continue;\n      }\n",
                "      float inside = xC >= 0 && xC < inDims.y ? 1.0 : 0.0;\n      xC = clamp(xC, 0, inDims.y - 1);\n",
            ),
            Swap("depthwise.frag", "dotProd += xVal * wVal;", "dotProd += inside * (xVal * wVal);"),
        ),
    ),
    Healthy(
        "the mean of squares less the square of the mean",
        "packed",
        (
            Swap("layernorm.frag", "vec4 away = getBlock(x, rc.x, c) - mu.xxyy;", "vec4 away = getBlock(x, rc.x, c);"),
            Swap("layernorm.frag", "spread / float(cols) + epsilon", "spread / float(cols) - mu * mu + epsilon"),
        ),
    ),
    Healthy(
        "powers of two with the logarithm of e",
        "packed",
        (
            Swap("softmax.frag", "exp(last.xz - best)", "exp2(1.44269504 * (last.xz - best))"),
            Swap(
                "softmax.frag",
                "vec4 e = exp(getBlock(logits, rc.x, c) - best.xxyy);",
                "vec4 e = exp2(1.44269504 * (getBlock(logits, rc.x, c) - best.xxyy));",
            ),
            Swap(
                "softmax.frag",
                "setOutput(exp(getBlock(logits, rc.x, rc.y) - best.xxyy)",
                "setOutput(exp2(1.44269504 * (getBlock(logits, rc.x, rc.y) - best.xxyy))",
            ),
        ),
    ),
    Healthy(
        "four sums for two swizzled products",
        "packed",
        (
            Swap("matmul.frag", "    result += (a.rrbb * b.rgrg);\n", ""),
            Swap(
                "matmul.frag",
                "    result += (a.ggaa * b.baba);",
                "    result.rg += a.r * b.rg + a.g * b.ba;\n    result.ba += a.b * b.rg + a.a * b.ba;",
            ),
        ),
    ),
    Healthy(
        "a choice in place of an early return",
        "moves",
        (
            Swap("concat.frag", "  if (p.y < aS.y) { o.r = at(A, flatten(p, aS)); return; }\n  p.y -= aS.y;\n", ""),
            Swap(
                "concat.frag",
                "o.r = at(B, flatten(p, bS));",
                "o.r = p.y >= aS.y ? at(B, flatten(p - ivec4(0, aS.y, 0, 0), bS)) : at(A, flatten(p, aS));",
            ),
        ),
    ),
    Healthy(
        "blocks by remainders, mirrors by absolute values",
        "moves",
        (
            Swap("depth_to_space.frag", "off = p.zw - in_ * block", "off = p.zw % block"),
            Swap(
                "mirror.frag",
                "if (q.y < 0) q.y = -q.y; else if (q.y > last.y) q.y = 2 * last.y - q.y;",
                "q.y = last.y - abs(last.y - abs(q.y));",
            ),
        ),
    ),
    Healthy(
        "a running sum from the far end",
        "moves",
        (Swap("cumsum.frag", "int k = p.z + 1; k < oS.z; k++", "int k = oS.z - 1; k > p.z; --k"),),
    ),
    Healthy(
        "built-in mixes of the four corners",
        "sampled",
        (
            Swap(
                "resize_bilinear.frag", "topLeft + (topRight - topLeft) * fracRC.y", "mix(topLeft, topRight, fracRC.y)"
            ),
            Swap(
                "resize_bilinear.frag",
                "bottomLeft + (bottomRight - bottomLeft) * fracRC.y",
                "mix(bottomLeft, bottomRight, fracRC.y)",
            ),
            Swap("resize_bilinear.frag", "top + (bottom - top) * fracRC.x", "mix(top, bottom, fracRC.x)"),
        ),
    ),
    Healthy(
        "nearest pixels in whole numbers",
        "sampled",
        (
            Swap("resize_nearest.frag", "    vec2 ratio = inDims / outDims;\n", ""),
            Swap(
                "resize_nearest.frag",
                "vec2 sourceFracIndexRC = (coords.xy + 0.5) * ratio;",
                "ivec2 twice = (2 * ivec2(coords.xy) + 1) * ivec2(inDims) / (2 * ivec2(outDims));",
            ),
            Swap("resize_nearest.frag", "floor(sourceFracIndexRC)", "vec2(twice)"),
        ),
    ),
    Healthy(
        "shares without the largest subtracted",
        "attention",
        (
            Swap("causal.frag", "    float top = ELEMENT(row);\n", ""),
            Swap("causal.frag", "    for (int m = 1; m <= i; ++m) top = max(top, ELEMENT(row + m));\n", ""),
            Swap("causal.frag", "total += exp(ELEMENT(row + m) - top);", "total += exp(ELEMENT(row + m));"),
            Swap("causal.frag", "exp(ELEMENT(e) - top) / total", "exp(ELEMENT(e)) / total"),
        ),
    ),
    Healthy(
        "a bias added last, a mix that stops at its token",
        "attention",
        (
            Swap("linear.frag", "vec4 acc = FETCH(B, o, OUT_VEC4);", "vec4 acc = vec4(0.0);"),
            Swap("linear.frag", "result = acc;", "result = acc + FETCH(B, o, OUT_VEC4);"),
            Swap("mix.frag", "j < TOKENS; ++j", "j <= i; ++j"),
        ),
    ),
    Healthy(
        "whole numbers in place of fractions",
        "decoder",
        (
            Swap(
                "conv_transpose.frag",
                "            float dyC = float(dyCorner.y + wC) / float(stride.y);\n"
                "            if (dyC < 0.0 || dyC >= float(dyShape[3]) || fract(dyC) > 0.0) {",
                "            int place = dyCorner.y + wC;\n"
                "            if (place < 0 || place >= dyShape[3] * stride.y || place % stride.y != 0) {",
            ),
            Swap("conv_transpose.frag", "int idyC = int(dyC);", "int idyC = place / stride.y;"),
        ),
    ),
    Healthy(
        "mean and spread in one walk",
        "decoder",
        (
            Swap(
                "instance_prelu.frag",
                "    float sum = 0.0;\n"
                "    for (int r = 0; r < xShape.z; r++) {\n"
                "        for (int c = 0; c < xShape.w; c++) {\n"
                "            float away = getX(at.x, at.y, r, c) - mean;\n"
                "            sum += away * away;\n",
                "    float sum = 0.0, seen = 0.0, so_far = 0.0 * mean;\n"
                "    for (int r = 0; r < xShape.z; r++) {\n"
                "        for (int c = 0; c < xShape.w; c++) {\n"
                "            float value = getX(at.x, at.y, r, c), away = value - so_far;\n"
                "            seen += 1.0;\n"
                "            so_far += away / seen;\n"
                "            sum += away * (value - so_far);\n",
            ),
        ),
    ),
    Healthy(
        "a logarithm of the whole sum",
        "decoder",
        (Swap("log_softmax.frag", "- most - log(total)", "- (log(total) + most)"),),
    ),
)

HEALTHY = (*(Healthy(f"as it is: {folder}", folder) for folder in _FOLDERS), *_WRITTEN_OTHERWISE)
