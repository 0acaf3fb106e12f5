# Sourced by the scripts beside this: a Python that is new enough, a virtual environment with what a lock file pins, and
# what the service needs that isn't committed.

venv=".venv"

# Print the first Python of at least 3.11, or end with a sentence.
find_python() {
    found=""
    for candidate in ${PYTHON:-} python3 python3.14 python3.13 python3.12 python3.11 python; do
        command -v "$candidate" >/dev/null 2>&1 || continue
        if "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            echo "$candidate"
            return 0
        fi
        found="$found $("$candidate" --version 2>&1 | head -n 1),"
    done
    if [ -n "$found" ]; then
        echo "Tendone needs Python 3.11 or newer; found:${found%,}. Install a newer one (https://www.python.org/downloads/)." >&2
    else
        echo "Tendone needs Python 3.11 or newer, and there is none here (https://www.python.org/downloads/)." >&2
    fi
    return 1
}

# Make the virtual environment unless there is one that works. Debian leaves ensurepip out of its python3: then the
# system's pip installs into the environment, and without one a sentence says what to install.
make_venv() {
    if "$venv/bin/python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
        return 0
    fi
    python=$(find_python) || return 1
    echo "Making the virtual environment $venv with $("$python" --version)"
    rm -rf "$venv"
    if "$python" -c 'import ensurepip' 2>/dev/null; then
        "$python" -m venv "$venv" || return 1
    elif "$python" -m pip --version >/dev/null 2>&1; then
        "$python" -m venv --without-pip "$venv" || return 1
    else
        version=$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
        echo "This Python can't make virtual environments; on Debian and Ubuntu: sudo apt install python$version-venv" >&2
        return 1
    fi
}

# Install what the lock file $1 pins, unless that was done before and the file is the same.
install_lock() {
    make_venv || return 1
    stamp="$venv/.installed-$1"
    sum=$(cksum <"$1")
    if [ "$(cat "$stamp" 2>/dev/null)" = "$sum" ]; then
        return 0
    fi
    echo "Installing what $1 names (the first time only; it needs the internet)"
    if "$venv/bin/python" -m pip --version >/dev/null 2>&1; then
        set -- "$1" "$venv/bin/python" -m pip
    else
        set -- "$1" "$(find_python)" -m pip --python "$venv/bin/python"
    fi
    lock=$1
    shift
    if ! "$@" install --quiet --disable-pip-version-check --require-hashes --no-deps --requirement "$lock"; then
        echo "Installing failed: see above; is there an internet connection?" >&2
        return 1
    fi
    echo "$sum" >"$stamp"
}

# Install what the lock file $1 pins, and compile the translations, unless that was done before.
prepare() {
    install_lock "$1" && "$venv/bin/python" config/catalogues.py
}
