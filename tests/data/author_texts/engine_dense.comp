// y = W x, four rows an invocation.
layout(binding = 0) buffer readonly sourceBuffer { vec4 data[]; } uInput;
layout(binding = 1) readonly buffer kernelBuffer { vec4 data[]; } uKernel;
layout(binding = 2) writeonly buffer destBuffer { vec4 data[]; } uOutput;
layout(location = 3) uniform int uInputSize;

layout(local_size_x = 2) in;

void main() {
    int row = int(gl_GlobalInvocationID.x);
    vec4 sum = vec4(0.0);
    for (int k = 0; k < uInputSize / 4; ++k) {
        vec4 x = uInput.data[k];
        for (int i = 0; i < 4; ++i) {
            sum[i] += dot(uKernel.data[(4 * row + i) * (uInputSize / 4) + k], x);
        }
    }
    uOutput.data[row] = sum;
}
