#!/usr/bin/env bash
# Installs the system libraries that the build needs, and only those that are missing. Debian and Ubuntu; on other systems
# it names what to install. Extra packages may be given as arguments (make bench asks for python3-venv);
# with --window first, what the window needs too, with --tests first, what all programs and their tests need.
set -euo pipefail

command -v swift >/dev/null || {
    echo "Swift 6.2 or later is needed and 'swift' is not on the PATH. Get it from swift.org, then run this again." >&2
    exit 1
}

# The window's library, and fonts to draw with.
window=(libadwaita-1-dev fonts-dejavu-core)

# Tests run a TPM simulator, a message bus and PostgreSQL, connect by a Python client, look at a terminal's screen through tmux, kill
# programs by strace, compare with another interpreter of WebAssembly (wabt), drive the window on a virtual screen by keys and by the bus
# of assistive technology, read codes (zbar) and words (Tesseract) from its picture, and show a page in a real browser where there is
# one; Debian packages it, Ubuntu does not.
if [ "${1:-}" = --tests ]; then
    shift
    set -- "${window[@]}" xvfb at-spi2-core xdotool zbar-tools tesseract-ocr imagemagick swtpm tpm2-tools dbus postgresql python3-venv strace tmux wabt "$@"
    if [ "$(. /etc/os-release 2>/dev/null && echo "${ID:-}")" = debian ]; then set -- chromium "$@"; fi
fi

if [ "${1:-}" = --window ]; then
    shift
    set -- "${window[@]}" "$@"
fi

packages=(pkg-config libsodium-dev libsecp256k1-dev libsqlite3-dev libpq-dev libssl-dev libtss2-dev libsystemd-dev libzxing-dev libjpeg-dev zlib1g-dev libzstd-dev "$@")

if ! command -v dpkg-query >/dev/null; then
    echo "This is not a Debian system. The build needs pkg-config and the headers of: libsodium, libsecp256k1 (with recovery)," >&2
    echo "SQLite 3, libpq, libcrypto (OpenSSL 3), tpm2-tss, libsystemd, zxing-cpp, libjpeg, zlib, zstd; all programs together, and the window, need libadwaita." >&2
    exit 0
fi

missing=()
for package in "${packages[@]}"; do
    case "$(dpkg-query --show --showformat='${Status}\n' "$package" 2>/dev/null || true)" in
    *"install ok installed"*) ;;
    *) missing+=("$package") ;;
    esac
done
[ ${#missing[@]} -eq 0 ] && exit 0

echo "Installing: ${missing[*]}"
as_root=""
if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || { echo "Run as root: apt-get install ${missing[*]}" >&2; exit 1; }
    as_root=sudo
fi
$as_root apt-get update -qq
$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
