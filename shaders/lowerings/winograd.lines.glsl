// Winograd's sums of 2 or 3 taps for two neighbours, along one axis: Lavin and Gray 2016, F(2, 2) and F(2, 3)
//
// Of 2 taps: y[0] = m[0] + m[1] and y[1] = m[1] - m[2] of the products m of the transformed inputs with g[0],
// g[0] + g[1] and g[1]; more than two neighbours go on alike. Of 3 taps: y[0] = m[0] + m[1] + m[2] and
// y[1] = m[1] - m[2] - m[3] of those with g[0], (g[0] + g[1] + g[2]) / 2, (g[0] - g[1] + g[2]) / 2 and g[2].
#define INPUTS_OF_2(d, i) (i % 2 == 1 ? d[(i + 1) / 2] : d[i / 2] - d[i / 2 + 1])
#define SUMS_OF_2(m, k) (k == 0 ? m[0] + m[1] : m[1] - m[2])
#define INPUTS_OF_3(d, i) (i == 0 ? d[0] - d[2] : i == 1 ? d[1] + d[2] : i == 2 ? d[2] - d[1] : d[1] - d[3])
#define SUMS_OF_3(m, k) (k == 0 ? m[0] + m[1] + m[2] : m[1] - m[2] - m[3])
