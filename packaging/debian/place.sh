#!/bin/bash
# Lays what each package brings into its folder below debian/.
set -euo pipefail

repository="$PWD"
programs="${PROGRAMS:?the folder of the built programs}"
. packaging/parts.sh

# page NAME and words NAME, into PACKAGE
package=""
shown() {
    manual "$1" "debian/$package/usr/share"
    completions "$1" "debian/$package/usr/share/bash-completion/completions" "debian/$package/usr/share/zsh/vendor-completions" \
        "debian/$package/usr/share/fish/vendor_completions.d"
}

# beside NAME [bin|sbin]: a program that lies with others in one folder, and where it is called from.
beside() {
    program "$1" "debian/$package/$libexec"
    [ $# -eq 1 ] || link "debian/$package/usr/$2/$1" "../libexec/casemate/bin/$1"
}

package=casemate
for name in casemate vigil-hash-tool; do beside "$name" bin && shown "$name"; done
beside vigil-validator sbin && shown vigil-validator
# Programs look for their configuration in the etc beside their bin.
link debian/casemate/usr/libexec/casemate/etc ../../../etc/casemate
install -d debian/casemate/etc/casemate/users debian/casemate/var/lib/casemate
install -D -m 755 packaging/vigil/casemate-vigil-user debian/casemate/usr/sbin/casemate-vigil-user
install -D -m 644 packaging/vigil/pairs.sh debian/casemate/usr/share/casemate/pairs.sh
install -D -m 644 packaging/vigil/casemate-vigil@.service debian/casemate/lib/systemd/system/casemate-vigil@.service
install -d debian/casemate/usr/share/man/man8
sed "s/@DATE@/$(manual_date)/; s/@VERSION@/$("$programs/casemate" --version)/" packaging/vigil/casemate-vigil-user.8 \
    >debian/casemate/usr/share/man/man8/casemate-vigil-user.8

package=casemate-window
beside casemate-window bin && shown casemate-window
id=io.github.casemate.Window
install -D -m 644 "packaging/window/$id.desktop" "debian/casemate-window/usr/share/applications/$id.desktop"
install -D -m 644 "packaging/window/$id.metainfo.xml" "debian/casemate-window/usr/share/metainfo/$id.metainfo.xml"
install -D -m 644 "packaging/window/$id.svg" "debian/casemate-window/usr/share/icons/hicolor/scalable/apps/$id.svg"

package=casemate-worker
beside casemate-worker

package=casemate-hot
beside generate-message bin && shown generate-message
beside runtime-worker

package=airgap
beside airgap bin && shown airgap

for package in mainkey forcefield gate; do
    program "$package" "debian/$package/usr/bin"
    shown "$package"
done

install -d debian/gate/etc/gate debian/gate/lib/systemd/system
sed -e '/^#   install /d' -e 's|/usr/local/bin/gate|/usr/bin/gate|; s|^Documentation=.*|Documentation=man:gate(1)|' \
    packaging/systemd/gate.service >debian/gate/lib/systemd/system/gate.service
install -D -m 644 packaging/gate/gate.conf debian/gate/usr/share/doc/gate/examples/gate.conf
