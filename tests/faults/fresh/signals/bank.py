"""Slips on the way from sound to cepstra: frames, spectra as products, bands, decibels."""

from __future__ import annotations

from tests.faults.fresh.case import Healthy, Planted, Swap

FAULTS = (
    Planted(
        "the usual emphasis in place of this one",
        "melbank",
        "wave",
        (Swap("emphasis.frag", "#define KEEP 0.95", "#define KEEP 0.97"),),
        ("wrong_literal", "scale"),
    ),
    Planted(
        "a sample's forerunner looked for in its own texel",
        "melbank",
        "wave",
        (Swap("emphasis.frag", "max(i - 1, 0)", "max(i - 1, FIRST)"),),
        ("index_map",),
    ),
    Planted(
        "frames by halves of their length",
        "melbank",
        "frames",
        (Swap("frames.frag", "start = (i / N) * HOP;", "start = (i / N) * (N / 2);"),),
        ("stride", "index_map"),
    ),
    Planted(
        "a window that is symmetric instead of periodic",
        "melbank",
        "frames",
        (Swap("frames.frag", "float(n) / float(N)))", "float(n) / float(N - 1)))"),),
        ("wrong_function", "scale", "wrong_literal"),
    ),
    Planted(
        "the mean taken away from what is windowed",
        "melbank",
        "frames",
        (
            Swap(
                "frames.frag",
                "(EL(WAVE, start + n) - mean(start)) * HANN(n)",
                "EL(WAVE, start + n) * HANN(n) - mean(start)",
            ),
        ),
        ("wrong_partner", "wrong_function"),
    ),
    Planted(
        "cosines and sines bound the other way round",
        "melbank",
        "re",
        (
            Swap("pipeline.toml", 'textures.COSINES = "cosines"', 'textures.COSINES = "sines"'),
            Swap("pipeline.toml", 'textures.SINES = "sines"', 'textures.SINES = "cosines"'),
        ),
        ("wrong_input", "wrong_partner"),
        in_text=False,
    ),
    Planted(
        "rows of cosines as long as half a frame",
        "melbank",
        "re",
        (Swap("dft.frag", "MAT(COSINES, n, k, BINS)", "MAT(COSINES, n, k, N / 2)"),),
        ("index_map", "filter_offset", "wrong_layout"),
    ),
    Planted(
        "as many samples of a frame as there are bins",
        "melbank",
        "re",
        (Swap("dft.frag", "n < N; ++n", "n < BINS; ++n"),),
        ("missing_channels",),
    ),
    Planted(
        "amplitudes summed up to bands",
        "melbank",
        "mel",
        (
            Swap(
                "bands.frag",
                "#define POWER(t, k) (SQ(MAT(RE, t, k, BINS)) + SQ(MAT(IM, t, k, BINS)))",
                "#define POWER(t, k) sqrt(SQ(MAT(RE, t, k, BINS)) + SQ(MAT(IM, t, k, BINS)))",
            ),
        ),
        ("activation_extra", "wrong_function"),
    ),
    Planted(
        "a power of twice the same half",
        "melbank",
        "mel",
        (Swap("bands.frag", "SQ(MAT(IM, t, k, BINS))", "SQ(MAT(RE, t, k, BINS))"),),
        ("wrong_input", "wrong_partner"),
    ),
    Planted(
        "the bank with a row for each band",
        "melbank",
        "mel",
        (Swap("bands.frag", "MAT(BANK, k, m, BANDS)", "MAT(BANK, m, k, BINS)"),),
        ("index_map", "wrong_layout", "filter_io_swap"),
    ),
    Planted(
        "decibels of amplitudes",
        "melbank",
        "loud",
        (Swap("decibel.frag", "10.0 / log(10.0)", "20.0 / log(10.0)"),),
        ("scale", "wrong_literal"),
    ),
    Planted(
        "a frame's average in place of a band's",
        "melbank",
        "loud",
        (
            Swap("decibel.frag", "int m = i % BANDS;", "int own = i / BANDS;"),
            Swap(
                "decibel.frag",
                "for (int t = 0; t < FRAMES; ++t) s += DB(MAT(MEL, t, m, BANDS));",
                "for (int b = 0; b < BANDS; ++b) s += DB(MAT(MEL, own, b, BANDS));",
            ),
            Swap("decibel.frag", "s / float(FRAMES)", "s / float(BANDS)"),
        ),
        ("index_map", "wrong_partner"),
    ),
    Planted(
        "a coefficient that goes on from its neighbour's sum",
        "melbank",
        "cepstrum",
        (
            Swap("cepstrum.frag", "    FOR_LANES(i) {\n", "    float s = 0.0;\n    FOR_LANES(i) {\n"),
            Swap("cepstrum.frag", "        float s = 0.0;\n", ""),
        ),
        ("accumulator_not_reset",),
    ),
    Planted(
        "frames lifted instead of coefficients",
        "melbank",
        "cepstrum",
        (Swap("cepstrum.frag", "s * LIFTER(q)", "s * LIFTER(t)"),),
        ("wrong_partner", "index_map"),
    ),
    Planted(
        "squares of one side in a slope's divisor",
        "melbank",
        "delta",
        (Swap("delta.frag", "norm += 2.0 * float(d * d);", "norm += float(d * d);"),),
        ("scale",),
    ),
    Planted(
        "slopes from the later frame to the earlier",
        "melbank",
        "delta",
        (
            Swap(
                "delta.frag",
                "(MAT(CEP, CLAMPED(t + d), q, COEFS) - MAT(CEP, CLAMPED(t - d), q, COEFS))",
                "(MAT(CEP, CLAMPED(t - d), q, COEFS) - MAT(CEP, CLAMPED(t + d), q, COEFS))",
            ),
        ),
        ("scale", "kernel_flip", "index_map", "wrong_function"),
    ),
    Planted(
        "after the last frame the first again",
        "melbank",
        "delta",
        (
            Swap(
                "delta.frag",
                "#define CLAMPED(t) clamp(t, 0, FRAMES - 1)",
                "#define CLAMPED(t) (((t) + FRAMES) % FRAMES)",
            ),
        ),
        ("padding_mode", "index_map"),
    ),
    Planted(
        "nothing below the average of a band",
        "melbank",
        "loud",
        (Swap("decibel.frag", "DB(EL(MEL, i)) - s / float(FRAMES);", "max(DB(EL(MEL, i)) - s / float(FRAMES), 0.0);"),),
        ("clamped_nonnegative", "activation_extra", "wrong_function"),
    ),
)

PAIRS = (
    Planted(
        "decibels of amplitudes, less an average by the wrong count",
        "melbank",
        "loud",
        (
            Swap("decibel.frag", "10.0 / log(10.0)", "20.0 / log(10.0)"),
            Swap("decibel.frag", "s / float(FRAMES)", "s / float(BANDS)"),
        ),
        ("scale", "wrong_literal"),
        ("average_count", "wrong_partner"),
    ),
)

HEALTHY = (
    Healthy(
        "a spectrum of even and odd samples",
        "melbank",
        (
            Swap(
                "dft.frag",
                "        for (int n = 0; n < N; ++n)\n"
                "            s += MAT(FRAMES, t, n, N) * vec2(MAT(COSINES, n, k, BINS), MAT(SINES, n, k, BINS));\n",
                "        vec2 odd = vec2(0.0);\n"
                "        for (int n = 0; n < N; n += 2) {\n"
                "            s += MAT(FRAMES, t, n, N) * vec2(MAT(COSINES, n, k, BINS), MAT(SINES, n, k, BINS));\n"
                "            odd += MAT(FRAMES, t, n + 1, N)\n"
                "                 * vec2(MAT(COSINES, n + 1, k, BINS), MAT(SINES, n + 1, k, BINS));\n"
                "        }\n"
                "        s += odd;\n",
            ),
        ),
    ),
    Healthy(
        "decibels by logarithms to the base two",
        "melbank",
        (
            Swap(
                "decibel.frag",
                "(10.0 / log(10.0) * log(max(v, FLOOR)))",
                "(3.01029996 * log2(max(v, FLOOR)))",
            ),
        ),
    ),
)
