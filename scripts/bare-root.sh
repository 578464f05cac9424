# shellcheck shell=bash
# A bare Debian to try packages and archives in: the packages of priority "required" and apt, made once by mmdebstrap and kept as a tarball
# below .build. Scripts read this file; they set before:
#
#   repository   the folder of this repository
#
# What is mounted or made here is gone when the script that reads it ends. Needs root, and Debian's servers (or MIRROR) the first time.

suite="${SUITE:-bookworm}"
# Where packages come from; without MIRROR where mmdebstrap gets them by itself.
mirrors=()
if [ -n "${MIRROR:-}" ]; then
    mirrors=("deb $MIRROR $suite main" "deb $MIRROR $suite-updates main" "deb ${MIRROR/%\/debian/\/debian-security} $suite-security main")
fi
cache="$repository/.build/bare-root"
roots=""

# What every step of a test is: a line that says what was looked at, and an end where it is not so.
checks=0
ok() {
    checks=$((checks + 1))
    echo "ok   $1"
}
broken() {
    echo "FAIL $1" >&2
    exit 1
}

bare_root_end() {
    local mount
    [ -n "$roots" ] || return 0
    # The deepest first.
    for mount in $(findmnt --list --noheadings --output TARGET | grep "^$roots/" | sort --reverse); do umount --lazy "$mount" || true; done
    rm -rf --one-file-system "$roots"
}

# bare_root_begin: makes the tarball if it is missing, and unpacks it.
bare_root_begin() {
    [ "$(id -u)" -eq 0 ] || broken "a bare root is made and entered by root alone."
    mkdir -p "$cache/archives/partial"
    if [ ! -s "$cache/$suite.tar" ]; then
        echo "Making a bare Debian ($suite) ..."
        mmdebstrap --quiet --variant=minbase --format=tar "$suite" "$cache/$suite.new" "${mirrors[@]}"
        mv "$cache/$suite.new" "$cache/$suite.tar"
    fi
    trap bare_root_end EXIT
    roots="$(mktemp -d --tmpdir casemate-root.XXXXXX)"
    mkdir "$roots/bare"
    tar -xf "$cache/$suite.tar" -C "$roots/bare" --exclude='./dev/*'
    # Packages come from the folder that all roots share, once they were fetched.
    printf 'APT::Keep-Downloaded-Packages "true";\nAPT::Sandbox::User "root";\n' >"$roots/bare/etc/apt/apt.conf.d/90keep"
    cp /etc/resolv.conf "$roots/bare/etc/resolv.conf"
    echo "127.0.0.1 localhost" >"$roots/bare/etc/hosts"
}

# fresh_root NAME: a root that is as bare as the tarball; $roots/NAME. What is done in it leaves the tarball's alone.
fresh_root() {
    mkdir -p "$roots/$1" "$roots/.$1.upper" "$roots/.$1.work"
    mount -t overlay overlay -o "lowerdir=$roots/bare,upperdir=$roots/.$1.upper,workdir=$roots/.$1.work" "$roots/$1" 2>/dev/null ||
        cp -a "$roots/bare/." "$roots/$1/"
}

# in_root NAME [--offline] COMMAND...: runs it in the root, with processes and mounts of its own; --offline without a network too. It is
# entered by pivot_root and not by chroot: in a chroot the kernel gives nobody a user namespace, which sandboxes are made of.
in_root() {
    local name="$1" namespaces=(--mount --pid --ipc --uts) network=""
    shift
    if [ "$1" = --offline ]; then
        namespaces+=(--net)
        network="ip link set lo up"
        shift
    fi
    unshare "${namespaces[@]}" --fork --kill-child --propagation private bash -c '
        set -e
        root="$1" archives="$2" network="$3"
        shift 3
        # Services of the machine to itself are no network.
        $network
        mount --rbind "$root" "$root"
        mount -t proc proc "$root/proc"
        mount -t sysfs -o ro sysfs "$root/sys" 2>/dev/null || true
        mount -t tmpfs -o mode=755 tmpfs "$root/dev"
        for device in null zero full random urandom tty; do
            touch "$root/dev/$device"
            mount --bind "/dev/$device" "$root/dev/$device"
        done
        mkdir "$root/dev/pts" "$root/dev/shm"
        mount -t devpts -o newinstance,ptmxmode=0666,mode=620 devpts "$root/dev/pts"
        ln -s pts/ptmx "$root/dev/ptmx"
        ln -s /proc/self/fd "$root/dev/fd"
        mount -t tmpfs -o mode=1777 tmpfs "$root/dev/shm"
        mount -t tmpfs -o mode=755 tmpfs "$root/run"
        mount --bind "$archives" "$root/var/cache/apt/archives"
        mkdir -p "$root/.outside"
        cd "$root"
        pivot_root . .outside
        umount --lazy /.outside
        rmdir /.outside
        exec env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root TERM=dumb LANG=C.UTF-8 \
            DEBIAN_FRONTEND=noninteractive "$@"
    ' _ "$roots/$name" "$cache/archives" "$network" "$@"
}
