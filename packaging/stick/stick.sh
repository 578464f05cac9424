#!/usr/bin/env bash
# Builds, renews or tests the stick (docs/stick.md): installs what the builder needs, builds Casemate's programs unless they are named, goes on
# in Python. Of what is installed nothing gets into the image: packages of the lock are run from where they are unpacked.
#
# usage: stick.sh build | lock | manifest | test
set -euo pipefail
cd "$(dirname "$0")/../.."

packages=(python3 dpkg apt debian-archive-keyring)
[ "${KERNEL:-debian}" != own ] || packages+=(gcc make flex bison bc libelf-dev libssl-dev tar xz-utils)
[ "$1" != test ] || packages+=(gcc libc6-dev python3-venv qemu-system-x86 qemu-utils ovmf sbsigntool openssl zbar-tools tesseract-ocr imagemagick)
scripts/deps.sh "${packages[@]}"

programs="${STICK_PROGRAMS:-}"
if [ -z "$programs" ]; then
    scripts/deps.sh --window
    swift="${SWIFT:-swift}"
    flags=(-c release --static-swift-stdlib -Xswiftc -Xfrontend -Xswiftc -function-sections -debug-info-format none)
    products=(casemate-window casemate-worker)
    [ "$1" != test ] || products+=(casemate airgap forcefield)
    for product in "${products[@]}"; do "$swift" build "${flags[@]}" --product "$product"; done
    programs="$("$swift" build "${flags[@]}" --show-bin-path)"
fi
options=(--programs "$programs")
[ -z "${STICK_SOURCES:-}" ] || options+=(--sources "$STICK_SOURCES")
case "$1" in
test)
    packaging/stick/test/lock_test.py --quiet
    exec packaging/stick/test/test_stick.py "${options[@]}" --kernel "${KERNEL:-debian}" ${STICK_CASES:+--only "$STICK_CASES"}
    ;;
*) exec packaging/stick/builder/build.py "$1" "${options[@]}" --kernel "${KERNEL:-debian}" --keyboard "${KEYBOARD:-us}" ;;
esac
