import Foundation
import WebAssembly

// usage: bench-webassembly MODULE
// Prints JSON lines {"op", "file", "ms", "result", "steps"}: the best of many runs of the module's functions in
// milliseconds of processor time. MODULE is webassembly.c, compiled.

guard CommandLine.arguments.count == 2 else {
    print("usage: bench-webassembly MODULE")
    exit(64)
}
let bytes = [UInt8](try Data(contentsOf: URL(filePath: CommandLine.arguments[1])))

/// Milliseconds of processor time.
func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
}

/// The best of as many runs as fit in a second, at least three.
func best(_ work: () throws -> Void) rethrows -> Double {
    var (best, runs, spent) = (Double.infinity, 0, 0.0)
    while runs < 3 || spent < 1_000 {
        let start = now()
        try work()
        best = min(best, now() - start)
        spent += now() - start
        runs += 1
    }
    return best
}

var limits = ExecutionLimits()
limits.fuel = .max
let instance = try Instance(of: try Module(bytes), host: NoHost(), limits: limits)
for (name, argument) in [("hash", 20_000), ("fibonacci", 30), ("sort", 100_000), ("collatz", 50_000)]
    as [(String, UInt64)]
{
    var result: UInt64 = 0
    var steps: Int64 = 0
    let time = try best {
        let before = instance.fuel
        result = try instance.call(name, [argument])[0]
        steps = before - instance.fuel
    }
    print(
        "{\"op\": \"\(name)\", \"file\": \"\(argument)\", \"ms\": \(time), \"result\": \(result), \"steps\": \(steps)}")
}
