// The sum of `window_sum.comp.glsl` where an output has few pixels: the speed of reading weights matters
//
// Each weight serves one thread, which reads it where it lies: ROWS threads read neighbouring groups of four channels of
// the output, and SLICES such lines of threads alternate at k, LOADS at a time. Each thread sums all PIXELS pixels of
// its work group; x lies in shared memory. At the end the slices are added up.

shared vec4 s_x[STEP * PIXELS];
shared vec4 s_sum[SLICES * TOGETHER * ROWS];

void main() {
    int thread = int(gl_LocalInvocationIndex);
    int own_row = thread % ROWS;
    int slice = thread / ROWS;
    int first_pixel = int(gl_WorkGroupID.x) * PIXELS;
    int first_row = int(gl_WorkGroupID.y) * ROWS;
    int parity = int(gl_WorkGroupID.z) / u_split.x;
    int share = int(gl_WorkGroupID.z) % u_split.x;
    int first_tap = u_parities[parity].x;
    int k = share * u_split.y;
    int end = min(u_parities[parity].y * u_x.w, k + u_split.y);

    vec4 sum[PIXELS];
    for (int i = 0; i < PIXELS; i++) { // unrolled
        sum[i] = vec4(0.0);
    }
    vec4 w[WEIGHTS];

    for (; k < end; k += STEP) {
        for (int i = 0; i < WEIGHTS; i++) { // unrolled
            w[i] = weight_of(first_tap, k + slice + i / 4 * SLICES, i % 4, first_row + own_row, end);
        }
        barrier();
        for (int i = thread; i < STEP * PIXELS; i += THREADS)
            s_x[i] = texel_of(origin_of(parity, first_pixel + i % PIXELS), first_tap, k + i / PIXELS, end);
        barrier();
        for (int i = 0; i < LOADS; i++) { // unrolled
            for (int j = 0; j < PIXELS; j++) { // unrolled
                vec4 v = s_x[(slice + i * SLICES) * PIXELS + j];
                sum[j] += v.x * w[4 * i] + v.y * w[4 * i + 1] + v.z * w[4 * i + 2] + v.w * w[4 * i + 3];
            }
        }
    }

    for (int turn = 0; turn < TURNS; turn++) { // unrolled
        barrier();
        for (int i = 0; i < TOGETHER; i++) { // unrolled
            s_sum[(slice * TOGETHER + i) * ROWS + own_row] = sum[turn * TOGETHER + i];
        }
        barrier();
        for (int i = thread; i < TOGETHER * ROWS; i += THREADS) {
            vec4 whole = vec4(0.0);
            for (int j = 0; j < SLICES; j++) whole += s_sum[j * TOGETHER * ROWS + i];
            write(parity, first_row + i % ROWS, first_pixel + turn * TOGETHER + i / ROWS, share, whole);
        }
    }
}
