#!/bin/sh
# setup.sh PYTHON VENV: the system's GL libraries and tools, then VENV with the pinned Python packages.
# setup.sh PYTHON VENV oldest: the same with the lowest versions that pyproject.toml allows.
# setup.sh PYTHON VENV browser: the browser that `make browser` runs, and nothing else.
# setup.sh PYTHON VENV editors: Node.js and what the extension for VS Code needs of npm, and nothing else.
# setup.sh PYTHON VENV container: what `make container` builds with, and nothing else.
# setup.sh PYTHON VENV drivers: the drivers that `make drivers` tries, and what it fetches another with.
#
# On Debian (and its kin) as root, missing system packages are installed. Anywhere else this names them and how
# to get them, stops if the program cannot run without them, and goes on if only tests need them.
set -eu

python=$1
venv=$2
part=${3:-}

gl_packages="libegl1 libegl-mesa0 libgl1 libgl1-mesa-dri libgles2 libglx-mesa0"
# The window's own tests need the first two, modules of SPIR-V the third, native runs of WGSL the last.
test_packages="xvfb xdotool spirv-cross mesa-vulkan-drivers"
browser_packages="chromium"
editor_packages="nodejs npm"
container_packages="debootstrap"
driver_packages="mesa-vulkan-drivers debootstrap"

say() { printf 'setup: %s\n' "$*" >&2; }

is_debian() { [ -e /etc/debian_version ] && command -v dpkg >/dev/null 2>&1; }

without_package() {  # those of the given packages that dpkg does not hold installed
    for package in "$@"; do
        dpkg -s "$package" 2>/dev/null | grep -q '^Status: install ok installed' || printf '%s ' "$package"
    done
}

without_venv_module() {  # Debian keeps ensurepip in a package of its own
    "$python" -c 'import ensurepip' 2>/dev/null || printf 'python3-venv '
}

install() {  # the given packages, as root
    say "installing system packages: $*"
    export DEBIAN_FRONTEND=noninteractive
    { apt-get update -qq && apt-get install -y -qq --no-install-recommends "$@"; } >/dev/null
}

set_up_debian() {
    # shellcheck disable=SC2086  # the lists are words on purpose
    missing="$(without_venv_module)$(without_package $gl_packages $test_packages)"
    [ -n "$missing" ] || return 0
    if [ "$(id -u)" = 0 ]; then
        # shellcheck disable=SC2086
        install $missing
        return 0
    fi
    say "missing system packages: $missing"
    say "install them with: sudo apt-get install --no-install-recommends $missing"
    # shellcheck disable=SC2086
    [ -z "$(without_venv_module)$(without_package $gl_packages)" ] || exit 1
    say "going on: only the window's own tests, and modules of SPIR-V, need these."
}

without_library() {  # those of the given libraries that the loader does not find
    for library in "$@"; do
        "$python" -c "import ctypes.util, sys; sys.exit(not ctypes.util.find_library('$library'))" \
            || printf 'lib%s ' "$library"
    done
}

set_up_other_linux() {
    missing="$(without_library EGL GL)"
    if [ -n "$missing" ]; then
        say "missing libraries: $missing(OpenGL and EGL, with Mesa's software driver)"
        say "Fedora: dnf install mesa-libEGL mesa-libGL mesa-dri-drivers libglvnd-gles"
        say "Arch:   pacman -S mesa libglvnd"
        exit 1
    fi
    for tool in Xvfb xdotool; do
        command -v "$tool" >/dev/null 2>&1 \
            || say "$tool is missing: going on, only the window's own tests need it" \
                   "(Fedora: xorg-x11-server-Xvfb xdotool; Arch: xorg-server-xvfb xdotool)."
    done
}

set_up_browser() {
    for program in chromium chromium-browser google-chrome; do
        command -v "$program" >/dev/null 2>&1 && return 0
    done
    if is_debian && [ "$(id -u)" = 0 ]; then
        install $browser_packages
    else
        say "Chromium is missing: install it as your system does (Debian: sudo apt-get install $browser_packages)."
        exit 1
    fi
}

set_up_editors() {
    if ! { command -v node && command -v npm; } >/dev/null 2>&1; then
        if is_debian && [ "$(id -u)" = 0 ]; then
            # shellcheck disable=SC2086  # the list is words on purpose
            install $editor_packages
        else
            say "Node.js or npm is missing: install both as your system does (Debian: sudo apt-get install $editor_packages)."
            exit 1
        fi
    fi
    (cd editors/vscode && npm ci --silent --no-audit --no-fund)
}

set_up_container() {
    command -v debootstrap >/dev/null 2>&1 && return 0
    if is_debian && [ "$(id -u)" = 0 ]; then
        install $container_packages
    else
        say "debootstrap is missing, or this is not root: the tests of the container are skipped."
    fi
}

set_up_drivers() {
    if ! is_debian || [ "$(id -u)" != 0 ]; then
        say "going on: drivers that are not installed have no results (Debian: $driver_packages)."
        return 0
    fi
    # shellcheck disable=SC2086  # the list is words on purpose
    missing="$(without_package $driver_packages)$(command -v npm >/dev/null 2>&1 || printf 'npm ')"
    # shellcheck disable=SC2086
    [ -z "$missing" ] || install $missing
}

case "$part" in
    browser) set_up_browser; exit 0 ;;
    editors) set_up_editors; exit 0 ;;
    container) set_up_container; exit 0 ;;
    drivers) set_up_drivers; exit 0 ;;
esac

if ! "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then
    say "Python 3.11 or newer is needed, $python is $("$python" -V 2>&1). Try: make PYTHON=/path/to/python3.11"
    exit 1
fi

if is_debian; then
    set_up_debian
elif [ "$(uname -s)" = Linux ]; then
    set_up_other_linux
fi

# A broken environment (its Python was upgraded or removed) is made anew; a sound one is kept and brought up to date.
if ! "$venv/bin/python" -m pip --version >/dev/null 2>&1; then
    "$python" -m venv --clear "$venv"
fi
constraints=constraints.txt
[ "$part" != oldest ] || constraints=constraints-oldest.txt
say "bringing $venv up to date (the first time it takes about a minute)"
"$venv/bin/python" -m pip install -qq --disable-pip-version-check --editable '.[dev]' --constraint "$constraints"
