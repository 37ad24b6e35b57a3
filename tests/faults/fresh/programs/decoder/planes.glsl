precision highp float;
precision highp int;
precision highp sampler2D;

uniform sampler2D x;
uniform ivec4 xShape;

out vec4 outputColor;

// Batch, channel, row and column of this fragment in a tensor shaped as x.
ivec4 getOutputCoords() {
    int y = int(gl_FragCoord.y);
    int row = y % xShape.z;
    int channel = y / xShape.z % xShape.y;
    int batch = y / (xShape.z * xShape.y);
    return ivec4(batch, channel, row, int(gl_FragCoord.x));
}

float getX(int b, int c, int r, int w) {
    return texelFetch(x, ivec2(w, (b * xShape.y + c) * xShape.z + r), 0).r;
}
