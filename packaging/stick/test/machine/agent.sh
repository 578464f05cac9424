# Runs scripts that the tests send, as root. Where there is a serial line: what comes on it, a number and a script in base64 on each line.
# A kernel of its own has none: there a disk that both sides read and write has a place for each number, of requests and of answers.
PATH=/bin
busybox --install -s /bin
if [ -c /dev/ttyS0 ]; then
    stty -F /dev/ttyS0 raw -echo
    exec </dev/ttyS0 >/dev/ttyS0 2>&1
    echo "@agent"
    while read -r number script; do
        echo "$script" | base64 -d >/script
        echo "@begin $number"
        sh /script
        status=$?
        echo
        echo "@end $number $status"
    done
fi

place() { dd if="$1" bs=64k skip="$2" count=1 iflag=direct 2>/dev/null | tr -d '\0'; }
mailbox() {
    for disk in /dev/sd?; do
        [ "$(place "$disk" 0)" != "@mailbox" ] || { echo "$disk"; return; }
    done
    return 1
}
answer() { dd of="$disk" bs=64k seek=$((64 + number)) count=1 conv=sync iflag=fullblock oflag=direct 2>/dev/null; }
until disk=$(mailbox); do usleep 300000; done
number=0
echo "@end 0 0" | answer
while :; do
    until place "$disk" $((number + 1)) >/script && grep -q '^#end$' /script; do usleep 300000; done
    number=$((number + 1))
    sh /script >/output 2>&1
    { echo "@end $number $?"; tail -c 60000 /output; } | answer
done
