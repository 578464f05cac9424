import Foundation

/// Microseconds of processor time of this process.
func processorTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e6 + Double(time.tv_nsec) / 1e3
}

/// Microseconds of one of `repeats` runs, the best of `rounds`.
func best(rounds: Int, repeats: Int, _ work: () throws -> Void) rethrows -> Double {
    var best = Double.infinity
    for _ in 0..<rounds {
        let start = processorTime()
        for _ in 0..<repeats { try work() }
        best = min(best, (processorTime() - start) / Double(repeats))
    }
    return best
}

func report(_ op: String, microseconds: Double) {
    print("{\"op\": \"\(op)\", \"us\": \(String(format: "%.3f", microseconds))}")
}

/// Bytes of memory that `work` made the process have beyond what it had before, at the most.
func peakMemory(of work: () throws -> Void) rethrows -> Int {
    // "5" makes the peak begin anew (proc(5)).
    try? "5".write(toFile: "/proc/self/clear_refs", atomically: false, encoding: .utf8)
    let before = memory("VmRSS:")
    try work()
    return memory("VmHWM:") - before
}

private func memory(_ field: String) -> Int {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix(field) } ?? ""
    return (Int(line.filter(\.isNumber)) ?? 0) << 10
}
