#version 300 es
// Conv2DTranspose by gathering, NCHW: filter [in, out, 4, 3], stride 2.
precision highp float;
precision highp int;
precision highp sampler2D;

uniform sampler2D dy;
uniform sampler2D W;
uniform sampler2D bias;
uniform ivec4 dyShape;
uniform ivec4 outShape;
uniform ivec4 wShape;
uniform ivec2 stride;
uniform ivec2 padBefore;

out vec4 outputColor;

ivec4 getOutputCoords(ivec4 shape) {
    ivec2 rc = ivec2(gl_FragCoord.yx);
    int row = rc.x % shape[2];
    int plane = rc.x / shape[2];
    return ivec4(plane / shape[1], plane % shape[1], row, rc.y);
}

float getDy(int b, int c, int row, int col) {
    return texelFetch(dy, ivec2(col, (b * dyShape[1] + c) * dyShape[2] + row), 0).r;
}

float getW(int inChannel, int outChannel, int row, int col) {
    return texelFetch(W, ivec2(col, (inChannel * wShape[1] + outChannel) * wShape[2] + row), 0).r;
}

float getBias(int c) {
    return texelFetch(bias, ivec2(c, 0), 0).r;
}

void main() {
    ivec4 coords = getOutputCoords(outShape);
    int batch = coords[0];
    int d1 = coords[1];

    ivec2 pads = wShape.zw - 1 - padBefore;
    ivec2 dyCorner = coords.zw - pads;

    float dotProd = 0.0;
    for (int wR = 0; wR < wShape[2]; wR++) {
        float dyR = float(dyCorner.x + wR) / float(stride.x);
        if (dyR < 0.0 || dyR >= float(dyShape[2]) || fract(dyR) > 0.0) {
            continue;
        }
        int idyR = int(dyR);
        int wRPerm = wShape[2] - 1 - wR;

        for (int wC = 0; wC < wShape[3]; wC++) {
            float dyC = float(dyCorner.y + wC) / float(stride.y);
            if (dyC < 0.0 || dyC >= float(dyShape[3]) || fract(dyC) > 0.0) {
                continue;
            }
            int idyC = int(dyC);
            int wCPerm = wShape[3] - 1 - wC;

            for (int d2 = 0; d2 < wShape[0]; d2++) {
                float xValue = getDy(batch, d2, idyR, idyC);
                float wValue = getW(d2, d1, wRPerm, wCPerm);
                dotProd += xValue * wValue;
            }
        }
    }
    outputColor = vec4(dotProd + getBias(d1), 0, 0, 0);
}
