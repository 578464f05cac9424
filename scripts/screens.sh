#!/usr/bin/env bash
# Draws all pages of the window on a virtual screen, and writes their pictures; says what on them is cut, pale or too wide.
# usage: screens.sh HOST FOLDER [LOOKS] [WIDTHS] [seen]     (HOST is AdwaitaTestHost; light,dark 360,1000; only what is seen of each page)
set -euo pipefail
[ $# -ge 2 ] || { sed -n '2,3s/^# //p' "$0" >&2; exit 64; }
host=$1 folder=$2
mkdir -p "$folder"
work=$(mktemp -d)
trap 'kill "$server" 2>/dev/null || true; rm -rf "$work"' EXIT
mkfifo "$work/display"
Xvfb -displayfd 3 -screen 0 1100x2700x24 -noreset -nolisten tcp 3>"$work/display" 2>/dev/null &
server=$!
read -r display <"$work/display"
env -i DISPLAY=":$display" HOME="$work" XDG_RUNTIME_DIR="$work" XDG_CONFIG_HOME="$work/none" PATH="$PATH" LANG=C.UTF-8 GDK_BACKEND=x11 \
    GSK_RENDERER=cairo GTK_A11Y=none GSETTINGS_BACKEND=memory DBUS_SESSION_BUS_ADDRESS=unix:path=/nonexistent \
    "$host" exhibition "${3:-light,dark}" "${4:-360,1000}" "$folder" ${5:+"$5"} | { grep -v '^drawn ' || true; }
echo "$(find "$folder" -name '*.png' | wc -l) pictures are in $folder."
