#!/usr/bin/env bash
# Runs each fuzz target for the given number of seconds (20). A crash or a hang ends with exit 1 and the input that caused it
# is kept in Fuzz/findings. The corpus grows in Fuzz/.build/corpus and is used again next time.
set -euo pipefail
cd "$(dirname "$0")"
seconds="${1:-20}"

# The cache does not see new files of the package next door.
swift build -c release -Xswiftc -sanitize=fuzzer --disable-build-manifest-caching
program="$(swift build -c release -Xswiftc -sanitize=fuzzer --show-bin-path)/fuzz"

failed=0
for target in $("$program" --list); do
    corpus=".build/corpus/$target"
    findings="findings/$target"
    mkdir -p "$corpus" "$findings"
    FUZZ_TARGET="$target" "$program" --seed "$corpus"
    echo "== $target, ${seconds} s"
    if FUZZ_TARGET="$target" "$program" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=1024 -max_len=65536 \
        -artifact_prefix="$findings/" -print_final_stats=1 "$corpus" 2>".build/$target.log"; then
        grep -E 'number_of_executed_units|peak_rss_mb' ".build/$target.log" | sed 's/^stat:://'
        rmdir --ignore-fail-on-non-empty "$findings"
    else
        tail -30 ".build/$target.log"
        echo "FINDING in $target: see Fuzz/$findings"
        failed=1
    fi
done
rmdir --ignore-fail-on-non-empty findings
exit "$failed"
