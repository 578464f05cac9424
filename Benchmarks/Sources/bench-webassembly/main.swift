import Foundation
import Measuring
import WebAssembly

// usage: bench-webassembly MODULE
// Prints JSON lines {"op", "file", "us", "kB", "result", "steps"}: the best of many runs of the module's functions in
// microseconds of processor time, and the memory that it took. MODULE is webassembly.c, compiled.

guard CommandLine.arguments.count == 2 else {
    print("usage: bench-webassembly MODULE")
    exit(64)
}
let bytes = [UInt8](try Data(contentsOf: URL(filePath: CommandLine.arguments[1])))

var limits = ExecutionLimits()
limits.fuel = .max
let instance = try Instance(of: try Module(bytes), host: NoHost(), limits: limits)
for (name, argument) in [("hash", 20_000), ("fibonacci", 30), ("sort", 100_000), ("collatz", 50_000)]
    as [(String, UInt64)]
{
    var result: UInt64 = 0
    var steps: Int64 = 0
    let cost = try best(budget: 1000) {
        let before = instance.fuel
        result = try instance.call(name, [argument])[0]
        steps = before - instance.fuel
    }
    report(name, "\(argument)", cost, "\"result\": \(result), \"steps\": \(steps)")
}
