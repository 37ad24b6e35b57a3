#!/bin/sh
# types.sh MYPY: static types of the whole tree.
#
# mypy does not run `texelscope/__init__.py`, which adds the checkout to the package's path. So it reads a folder of links
# in which `pipeline`, `layouts` and `viewer` lie inside `texelscope`, as they do in a wheel.
set -eu

case $1 in
    /*) mypy=$1 ;;
    *) mypy=$(pwd)/$1 ;;
esac
linked=.mypy_cache/tree

rm -rf "$linked"
mkdir -p "$linked/texelscope"
root=$(pwd)
for entry in texelscope/*.py texelscope/assistant texelscope/checking texelscope/commands texelscope/language_server layouts pipeline viewer; do
    ln -s "$root/$entry" "$linked/texelscope/$(basename "$entry")"
done
for entry in app.py benchmarks examples tools tests; do
    ln -s "$root/$entry" "$linked/$entry"
done
cd "$linked"
exec "$mypy" --config-file "$root/pyproject.toml" --cache-dir "$root/.mypy_cache"
