# shellcheck shell=bash
# What packages and archives are made of. packaging/debian/rules and scripts/archives.sh read this; they set before:
#
#   programs        the folder of the built programs
#   repository      the folder of this repository
#   SOURCE_DATE_EPOCH

# Programs that look for others beside themselves, and so lie in one folder with them.
libexec=usr/libexec/casemate/bin

manual_date() { date --utc --date="@$SOURCE_DATE_EPOCH" +%Y-%m-%d; }

# program NAME FOLDER: without the path by which the build has programs look for libraries beside themselves.
program() {
    [ -x "$programs/$1" ] || { echo "$programs/$1 is missing: build it first (make build)." >&2 && return 1; }
    install -D -m 755 "$programs/$1" "$2/$1"
    chrpath --delete "$2/$1" >/dev/null
}

# link NAME TO: NAME in a folder of programs leads to the folder that it lives in.
link() {
    mkdir -p "$(dirname "$1")"
    ln -s "$2" "$1"
}

# manual NAME SHARE: the pages of a program, below SHARE/man.
manual() {
    local page pages
    pages="$(mktemp -d)"
    "$repository/packaging/manual/manual.py" "$programs/$1" "$pages" --date "$(manual_date)"
    for page in "$pages"/*; do install -D -m 644 "$page" "$2/man/man${page##*.}/$(basename "$page")"; done
    rm -r "$pages"
}

# completions NAME BASH ZSH FISH: what shells complete, each in its folder.
completions() {
    local HOME=/nonexistent
    mkdir -p "$2" "$3" "$4"
    # It is read by a shell that runs, and not run.
    "$programs/$1" --generate-completion-script bash | sed '1{/^#!/d}' >"$2/$1"
    "$programs/$1" --generate-completion-script zsh >"$3/_$1"
    "$programs/$1" --generate-completion-script fish >"$4/$1.fish"
}
