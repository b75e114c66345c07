# Sourced by the scripts beside: finds Python, and keeps .venv in step with pyproject.toml.
#   need GROUP ...   sets up what is missing; afterwards $python is the environment's Python

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
python=$root/.venv/bin/python

find_python() {
    for candidate in python3 python3.14 python3.13 python3.12 python3.11 python; do
        if command -v "$candidate" >/dev/null 2>&1 &&
            "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            echo "$candidate"
            return
        fi
    done
    echo "Python 3.11 or newer is needed, and none was found" >&2
    exit 2
}

need() {
    stamp=$root/.venv/.installed-$(echo "run $*" | tr ' ' '-')
    wanted="$(cksum <"$root/pyproject.toml") $root"
    if [ -x "$python" ] && [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$wanted" ]; then
        return
    fi
    base=$(find_python) || exit 2
    echo "setting up $root/.venv (the first time only, a minute or so) ..." >&2
    (cd "$root" && "$base" scripts/setup-venv "$@") || exit 2
    echo "$wanted" >"$stamp"
}
