#!/usr/bin/env bash
# Runs a command in a virtual machine with Debian's kernel and control groups of version 2, on this machine's files: for what a machine
# under version 1 cannot show. The files are read from here and written to memory; nothing here changes. The machine has no network.
#
# usage: cgroup2-machine.sh COMMAND [ARGUMENT...]     (exit status: that of the command; 125 where the machine did not come up)
#
# What it needs is installed first (QEMU, busybox, cpio, kmod), but the kernel's package: that is unpacked into .build-machine alone.
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/deps.sh qemu-system-x86 busybox-static cpio kmod
place=.build-machine
minutes="${MACHINE_MINUTES:-20}"
memory="${MACHINE_MEMORY:-4096}"
mkdir -p "$place"

if [ ! -e "$place/kernel" ]; then
    package=$(apt-cache depends linux-image-amd64 | awk '/Depends: linux-image/ && !found++ { print $2 }')
    (cd "$place" && apt-get download "$package" >/dev/null 2>&1) || {
        echo "Debian's kernel cannot be fetched (apt-get download linux-image-amd64)." >&2
        exit 125
    }
    dpkg-deb -x "$place"/linux-image-*.deb "$place/kernel.new"
    rm "$place"/linux-image-*.deb
    mv "$place/kernel.new" "$place/kernel"
fi
version=$(basename "$place"/kernel/lib/modules/*)

# The first files in memory: busybox, and the modules that reach this machine's files.
root="$place/root"
rm -rf "$root"
mkdir -p "$root"/{bin,proc,sys,host,layer,new} "$root/lib/modules/$version"
cp /bin/busybox "$root/bin/"
depmod -b "$place/kernel" "$version"
PATH="$PATH:/usr/sbin" modprobe -d "$place/kernel" -S "$version" --show-depends -a virtio_pci 9pnet_virtio 9p overlay |
    awk '$1 == "insmod" && !seen[$2]++ { print $2 }' >"$place/modules"
while read -r module; do
    cp "$module" "$root/lib/modules/$version/"
    echo "insmod /lib/modules/$version/$(basename "$module")"
done <"$place/modules" >"$root/load"
{
    printf 'export PATH=%q HOME=/root LANG=C.UTF-8 TMPDIR=/tmp IN_CGROUP2_MACHINE=1\n' "$PATH"
    # A group of its own, in which nobody else is, as a service manager with Delegate=yes makes it.
    echo 'mkdir /sys/fs/cgroup/handed && echo "+memory +pids" >/sys/fs/cgroup/cgroup.subtree_control'
    printf '(echo $BASHPID >/sys/fs/cgroup/handed/cgroup.procs; cd %q && exec' "$PWD"
    printf ' %q' "$@"
    echo ')'
    echo 'echo "machine: ended with $?"; echo o >/proc/sysrq-trigger; sleep 60'
} >"$root/command"
cat >"$root/init" <<'INIT'
#!/bin/busybox sh
/bin/busybox --install -s /bin
export PATH=/bin
mount -t proc proc /proc
mount -t sysfs sys /sys
mkdir -p /dev && mount -t devtmpfs dev /dev
. /load
mount -t 9p -o trans=virtio,version=9p2000.L,msize=262144,cache=loose,ro root /host &&
    mount -t tmpfs -o size=75% layer /layer && mkdir /layer/upper /layer/scratch &&
    mount -t overlay -o lowerdir=/host,upperdir=/layer/upper,workdir=/layer/scratch root /new || { echo "machine: no files"; poweroff -f; }
mount -t proc proc /new/proc
mount -t sysfs sys /new/sys
mount -t devtmpfs dev /new/dev
umount /dev
mkdir -p /new/dev/pts /new/dev/shm
mount -t devpts pts /new/dev/pts
mount -t tmpfs shm /new/dev/shm
mount -t tmpfs -o mode=1777 tmp /new/tmp
mount -t tmpfs run /new/run
mount -t cgroup2 cgroup /new/sys/fs/cgroup
cp /command /new/run/command
ip link set lo up
echo "machine: begins"
# The root itself and no chroot, in which no user namespace could be made.
exec switch_root /new /bin/bash /run/command </new/dev/null
INIT
chmod +x "$root/init"
(cd "$root" && find . | cpio -o -H newc --quiet | gzip -1) >"$place/initrd"

acceleration=tcg
if [ -w /dev/kvm ] && timeout 5 qemu-system-x86_64 -accel kvm -M none -display none -monitor stdio </dev/null >/dev/null 2>&1; then acceleration=kvm; fi
processor=$([ "$acceleration" = kvm ] && echo host || echo max)
log="$place/log"
timeout "$((minutes * 60))" qemu-system-x86_64 -accel "$acceleration" -cpu "$processor" -smp "$(nproc)" -m "$memory" \
    -nodefaults -no-reboot -display none -serial stdio \
    -kernel "$place"/kernel/boot/vmlinuz-* -initrd "$place/initrd" -append "console=ttyS0 quiet panic=-1" \
    -virtfs "local,path=/,mount_tag=root,security_model=none,readonly=on,multidevs=remap" </dev/null |
    tr -d '\r' | tee "$log" | sed -n '/^machine: begins/,$p' || true
status=$(sed -n 's/^machine: ended with \([0-9]*\)$/\1/p' "$log" | tail -n 1)
[ -n "$status" ] || { tail -n 20 "$log" >&2; echo "The machine did not end its command (acceleration: $acceleration)." >&2; exit 125; }
exit "$status"
