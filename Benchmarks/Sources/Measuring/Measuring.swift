import CMeasuring
import Foundation

/// What an operation costs.
public struct Cost: Sendable {
    /// Microseconds of processor time of this process: the best of several runs.
    public var microseconds: Double
    /// Bytes of memory that the first run held beyond what was there before, at the most.
    public var bytes: Int

    public init(microseconds: Double, bytes: Int = 0) {
        self.microseconds = microseconds
        self.bytes = bytes
    }
}

/// Microseconds of processor time of this process.
public func processorTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e6 + Double(time.tv_nsec) / 1e3
}

/// The best of so many rounds, each of `repeats` runs in a row.
public func best(rounds: Int, repeats: Int = 1, _ work: () throws -> Void) rethrows -> Cost {
    var cost = Cost(microseconds: .infinity)
    cost.bytes = try peakMemory {
        for _ in 0..<max(1, rounds) {
            let start = processorTime()
            for _ in 0..<repeats { try work() }
            cost.microseconds = min(cost.microseconds, (processorTime() - start) / Double(repeats))
        }
    }
    return cost
}

/// The best of as many runs as fit in `budget` milliseconds, at least `least`.
public func best(budget: Double, least: Int = 3, _ work: () throws -> Void) rethrows -> Cost {
    var cost = try best(rounds: 1, work)
    var (runs, spent) = (1, cost.microseconds)
    while runs < least || spent < budget * 1e3 {
        let start = processorTime()
        try work()
        let time = processorTime() - start
        cost.microseconds = min(cost.microseconds, time)
        spent += time
        runs += 1
    }
    return cost
}

/// Prints a line of JSON.
///
/// - Parameter more: further fields, as they are written in JSON.
public func report(_ op: String, _ file: String, _ cost: Cost, _ more: String = "") {
    let figures = String(format: "\"us\": %.3f, \"kB\": %.0f", cost.microseconds, Double(cost.bytes) / 1e3)
    print("{\"op\": \"\(op)\", \"file\": \"\(file)\", \(figures)\(more.isEmpty ? "" : ", " + more)}")
}

/// The same of what works on no file.
public func report(_ op: String, _ cost: Cost, _ more: String = "") { report(op, "", cost, more) }

/// Bytes of memory that `work` made the process have beyond what it had before, at the most.
public func peakMemory(of work: () throws -> Void) rethrows -> Int {
    // What was freed before is not there to be used again unseen.
    _ = malloc_trim(0)
    // "5" makes the peak begin anew (proc(5)).
    try? "5".write(toFile: "/proc/self/clear_refs", atomically: false, encoding: .utf8)
    let before = memory("VmRSS:")
    try work()
    return max(0, memory("VmHWM:") - before)
}

private func memory(_ field: String) -> Int {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix(field) } ?? ""
    return (Int(line.filter(\.isNumber)) ?? 0) << 10
}
