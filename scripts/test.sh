#!/usr/bin/env bash
# Builds and runs all tests with the flags given. What failed is printed once more at the end, where one looks first: the tests run
# side by side, so that the lines of one that failed may be thousands of lines above.
#
# TEST_WIDTH tests run at once: if all were started together, each would wait for minutes between two of its steps. Those that measure
# how fast a program answers under load run afterwards, one at a time. A run that has not ended after TEST_MINUTES is ended, and says
# which tests it waited for.
set -uo pipefail

swift="${SWIFT:-swift}"
width="${TEST_WIDTH:-$(($(nproc) * 8))}"
minutes="${TEST_MINUTES:-60}"
# A file's name is that of its suite.
alone=$(grep -rl --include='*Tests.swift' 'TestsAlone\.areWanted' Tests | xargs -n 1 basename -s .swift | paste -sd '|')
"$swift" build "$@" --build-tests || exit 1
bundle=$(echo "$("$swift" build "$@" --show-bin-path)"/*PackageTests.xctest)

log=$(mktemp)
# Where Swift's runtime says of a program that crashes what its threads did: that of tests themselves is printed, and no other.
crashes=$(mktemp -d)
trap 'rm -rf "$log" "$crashes"' EXIT
backtrace="enable=yes,color=no,interactive=no,threads=crashed,registers=none,images=none,output-to=$crashes"
# Programs that hold Swift's libraries look for the backtracer beside themselves, and say where it is missing.
resources=$("$swift" -print-target-info | sed -n 's|.*"runtimeResourcePath": "\(.*\)/lib/swift".*|\1|p')
backtracer="$resources/libexec/swift/linux/swift-backtrace"
if [ -x "$backtracer" ]; then backtrace+=",swift-backtrace=$backtracer"; fi

watch() {
    sleep "$((minutes * 60))" >/dev/null 2>&1 &
    trap 'kill $!; exit' TERM
    wait $!
    printf '\nThe tests have not ended after %s minutes, and are ended now. Their threads:\n' "$minutes"
    for task in /proc/"$tests"/task/*; do echo "$(<"$task/comm"): $(<"$task/wchan")"; done | sort | uniq -c
    kill -KILL "$tests"
}

left() {
    for process in /proc/[0-9]*; do
        if [ "$process/fd/1" -ef "$log" ] || [ "$process/fd/2" -ef "$log" ]; then echo "${process#/proc/}"; fi
    done
}

# run_tests WIDTH [FILTER...]: prints what the tests print, and returns what they return.
run_tests() {
    local width="$1" result printing watching process
    shift
    # Into a file, and not through a pipe: that would not end before everything that a test left running.
    env -u SWIFT_DETERMINISTIC_HASHING SWIFT_BACKTRACE="$backtrace" "$bundle" --testing-library swift-testing \
        --experimental-maximum-parallelization-width "$width" "$@" </dev/null >"$log" 2>&1 &
    tests=$!
    tail --pid="$tests" --lines=+1 --follow "$log" &
    printing=$!
    watch >>"$log" &
    watching=$!

    wait "$tests"
    result=$?
    kill "$watching" 2>/dev/null
    wait "$watching" "$printing"

    # What belongs to the tests ends when they do, in its own time.
    for _ in {1..20}; do
        [ -n "$(left)" ] || break
        sleep 1
    done
    for process in $(left); do
        printf 'Left running by a test, and killed: %s\n' "$(tr '\0' ' ' <"/proc/$process/cmdline")"
        kill -KILL "$process"
    done

    if [ "$result" -ne 0 ]; then
        printf '\nWhat failed:\n'
        grep -E -A 3 'recorded an issue|^✘|Fatal error|^[^◇✔]*error: ' "$log" | tail -n 200
        printf '\nWhat began and did not end:\n'
        grep -oE '[◇✔✘] Test (".*"|[A-Za-z_]+\(\)) (started|passed|failed|with)' "$log" | awk '
            { ends = $1 != "◇"; $1 = ""; $NF = ""; open[$0] += ends ? -1 : 1 }
            END { for (test in open) if (open[test] > 0) print test }'
        find "$crashes" -name "*-$tests-*" -exec cat {} +
    fi
    return "$result"
}

run_tests "$width" || exit
[ -z "$alone" ] || TESTS_ALONE=1 run_tests 1 --filter "$alone"
