// Compute blocks of 8x8 invocations whose shared memory is not followed: the line, and what is said of it.

//# a loop that counts too
shared float a[64];
void hook() {
    int count = 0;
    for (int i = int(gl_LocalInvocationIndex); i < 64; i += 64) {  // < fills shared memory and changes 'count'
        a[i] = 1.0;
        count++;
    }
    barrier();
    imageStore(out_image, ivec2(gl_GlobalInvocationID), vec4(a[0] + float(count)));
}

//# a sum
shared float a[64];
void hook() {
    for (int i = int(gl_LocalInvocationIndex); i < 64; i += 64) a[i] += 1.0;  // < 'a[i] +=' of shared memory
    barrier();
    imageStore(out_image, ivec2(gl_GlobalInvocationID), vec4(a[0]));
}

//# an element that no turn fills
shared float a[64];
void hook() {
    int id = int(gl_LocalInvocationIndex);
    for (int i = 0; i < 32; i++) a[i] = 1.0;
    barrier();
    imageStore(out_image, ivec2(gl_GlobalInvocationID), vec4(a[40]));  // < shared memory that nothing was stored to
}

//# an element outside
shared float a[64];
void hook() {
    int id = int(gl_LocalInvocationIndex);
    for (int i = id; i < 64; i += 64) a[i] = 1.0;
    barrier();
    imageStore(out_image, ivec2(gl_GlobalInvocationID), vec4(a[id + 1]));  // < that may lie outside of it
}

//# every other element
shared float a[64];
void hook() {
    int id = int(gl_LocalInvocationIndex);
    for (int i = 0; i < 32; i++) a[2 * i] = 1.0;
    barrier();
    imageStore(out_image, ivec2(gl_GlobalInvocationID), vec4(a[3]));  // < that a loop steps over
}

//# no loop
shared float a[64];
void hook() {
    int id = int(gl_LocalInvocationIndex);
    a[id] = 1.0;  // < 'a[id]', shared memory that no loop fills
    barrier();
    imageStore(out_image, ivec2(gl_GlobalInvocationID), vec4(a[id]));
}
