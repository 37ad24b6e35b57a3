"""Slips in distance fields and radiance fields whose weights stand in the shaders."""

from __future__ import annotations

from tests.faults.fresh.case import Healthy, Planted, Swap

FAULTS = (
    Planted(
        "z for y in the second half of a first layer",
        "bunny",
        "waves",
        (Swap("waves.frag", "+p.y*vec4(1.044", "+p.z*vec4(1.044"),),
        ("index_map", "channel_permutation", "wrong_partner"),
    ),
    Planted(
        "two digits of a weight exchanged",
        "bunny",
        "waves",
        (Swap("waves.frag", "-2.491", "-2.941"),),
        ("wrong_literal",),
    ),
    Planted(
        "an output that is picked the wrong way round",
        "bunny",
        "waves",
        (Swap("waves.frag", "O=u.x<7?f00:f01;", "O=u.x<7?f01:f00;"),),
        ("channel_permutation", "index_map", "filter_offset", "bias_offset", "wrong_partner"),
    ),
    Planted(
        "a block of weights from the other side",
        "bunny",
        "mixed",
        (
            Swap("mixed.frag", "f11=sin(mat4(.572", "f11=sin(f00*mat4(.572"),
            Swap("mixed.frag", ".608,.372,.536)*f00", ".608,.372,.536)"),
        ),
        ("filter_io_swap", "index_map", "wrong_partner", "wrong_layout"),
    ),
    Planted(
        "two halves of a layer's input exchanged",
        "bunny",
        "mixed",
        (
            Swap("mixed.frag", ".883,.609,-.398)*f00", ".883,.609,-.398)*f01"),
            Swap("mixed.frag", ".123,-.047,1.262)*f01", ".123,-.047,1.262)*f00"),
        ),
        ("wrong_partner", "channel_permutation", "index_map", "filter_offset"),
    ),
    Planted(
        "a cosine where a layer has a sine",
        "bunny",
        "mixed",
        (Swap("mixed.frag", "vec4 f10=sin(", "vec4 f10=cos("),),
        ("wrong_function",),
    ),
    Planted(
        "a half of a layer without its residual",
        "bunny",
        "dist",
        (Swap("dist.frag", "/1.4+f11;", "/1.4;"),),
        ("bias_missing",),
    ),
    Planted(
        "a layer's divisor left from the layer before",
        "bunny",
        "dist",
        (Swap("dist.frag", "/1.4+f10;", "/1.0+f10;"),),
        ("scale", "wrong_literal"),
    ),
    Planted(
        "differences around the world",
        "bunny",
        "slope",
        (Swap("slope.frag", "clamp(p,ivec2(0),R-1)", "(p+R)%R"),),
        ("padding_mode", "index_map"),
    ),
    Planted(
        "a forward difference along x",
        "bunny",
        "slope",
        (Swap("slope.frag", "d(p-e.xy)", "d(p)"),),
        ("index_map", "shift"),
    ),
    Planted(
        "a slope with y first",
        "bunny",
        "slope",
        (Swap("slope.frag", "ivec2 e=ivec2(1,0);", "ivec2 e=ivec2(0,1);"),),
        ("channel_permutation", "index_map", "kernel_transpose"),
    ),
    Planted(
        "inside painted as outside",
        "bunny",
        "ink",
        (Swap("ink.frag", "d>0.?", "d<0.?"),),
        ("wrong_function", "wrong_input", "wrong_partner"),
    ),
    Planted(
        "a glow that forgets how far away inside is",
        "bunny",
        "ink",
        (Swap("ink.frag", "exp(-6.*abs(d))", "exp(-6.*d)"),),
        ("activation_missing", "wrong_function"),
    ),
    Planted(
        "a length with its height outside the root",
        "bunny",
        "ink",
        (Swap("ink.frag", "/sqrt(dot(g,g)+.3)", "/(sqrt(dot(g,g))+.3)"),),
        ("epsilon", "wrong_function", "activation_before_bias"),
    ),
    Planted(
        "cosines an octave too high",
        "cloud",
        "encode",
        (Swap("encode.frag", "(j-1)/2", "j/2"),),
        ("scale", "wrong_function"),
    ),
    Planted(
        "codes dealt out coordinate by coordinate",
        "cloud",
        "encode",
        (Swap("encode.frag", "d=k%3,j=k/3", "d=k/7,j=k%7"),),
        ("channel_permutation", "index_map"),
    ),
    Planted(
        "literal weights read by columns",
        "cloud",
        "field",
        (Swap("field.frag", "W0[h*21+j]", "W0[j*6+h]"),),
        ("filter_io_swap", "index_map", "wrong_layout", "filter_offset", "wrong_partner"),
    ),
    Planted(
        "a hidden layer of five",
        "cloud",
        "field",
        (Swap("field.frag", "h<6", "h<5"),),
        ("missing_channels",),
    ),
    Planted(
        "a density that is squashed like a colour",
        "cloud",
        "field",
        (Swap("field.frag", "k<3?", "k<=3?"),),
        ("wrong_function",),
    ),
    Planted(
        "light that is dimmed by the sample that sends it",
        "cloud",
        "march",
        (
            Swap(
                "march.frag",
                "  s+=t*a*(k<3?f(k,n):z);\n  t*=1.-a;\n",
                "  t*=1.-a;\n  s+=t*a*(k<3?f(k,n):z);\n",
            ),
        ),
        ("wrong_partner", "index_map", "extra_channels", "shift"),
    ),
    Planted(
        "a ray that never meets the sky",
        "cloud",
        "march",
        (Swap("march.frag", " if(k<3)s+=t*sky[k];\n", ""),),
        ("bias_missing",),
    ),
    Planted(
        "a depth that stops short of its own step",
        "cloud",
        "march",
        (
            Swap(
                "march.frag",
                "  z+=g;\n  s+=t*a*(k<3?f(k,n):z);\n",
                "  s+=t*a*(k<3?f(k,n):z);\n  z+=g;\n",
            ),
        ),
        ("missing_channels", "wrong_partner", "index_map", "bias_missing", "shift"),
    ),
)

PAIRS = (
    Planted(
        "no residual for the first half, and a bias with the wrong sign",
        "bunny",
        "mixed",
        (
            Swap("mixed.frag", "/1.0+f00;", "/1.0;"),
            Swap("mixed.frag", "+vec4(.843,", "+vec4(-.843,"),
        ),
        ("bias_missing",),
        ("wrong_literal",),
    ),
    Planted(
        "no relu inside, and the bias of red for all",
        "cloud",
        "field",
        (
            Swap("field.frag", "max(s,0.)", "s"),
            Swap("field.frag", "float a=B1[k];", "float a=B1[0];"),
        ),
        ("activation_missing", "wrong_function"),
        ("bias_offset", "index_map"),
    ),
)

HEALTHY = (
    Healthy(
        "a residual layer by reciprocal and by components",
        "bunny",
        (
            Swap("dist.frag", "/1.4+f11;", "*(1./1.4)+f11;"),
            Swap("dist.frag", " float d=dot(f20,", " float d=.158+dot(vec4(1),f20*"),
            Swap("dist.frag", "\n  +.158;", ";"),
        ),
    ),
    Healthy(
        "a glow by powers of two",
        "bunny",
        (
            Swap("ink.frag", "exp(-6.*abs(d))", "exp2(-8.656170245333781*abs(d))"),
            Swap("ink.frag", "/sqrt(dot(g,g)+.3)", "*inversesqrt(g.x*g.x+(g.y*g.y+.3))"),
        ),
    ),
    Healthy(
        "a softplus that does not overflow, with an early return",
        "cloud",
        (
            Swap(
                "field.frag",
                " o=k<3?1./(1.+exp(-a)):log(1.+exp(a));",
                " if(k==3){o=max(a,0.)+log(1.+exp(-abs(a)));return;}\n o=.5+.5*tanh(.5*a);",
            ),
        ),
    ),
)
