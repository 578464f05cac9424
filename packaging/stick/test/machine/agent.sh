# Runs what comes on the serial line: a number and a script in base64 on each line.
PATH=/bin
busybox --install -s /bin
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
