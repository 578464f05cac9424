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

/// Bytes that the process has in memory beyond what it shares, at the most so far.
func peakMemory() -> Int {
    var usage = rusage()
    getrusage(RUSAGE_SELF, &usage)
    return usage.ru_maxrss << 10
}
