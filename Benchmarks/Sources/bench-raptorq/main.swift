import Foundation
import Measuring
import RaptorQ

// usage: bench-raptorq [T [K,K,...]]
// Prints JSON lines {"op", "file", "us", "kB", "MBps", "kernel"}: the best of many runs in microseconds of processor time
// of this process, the memory that it took, and bytes of the object for that time. "file" names the size: K=1000.

let symbolSize = CommandLine.arguments.count > 1 ? Int(CommandLine.arguments[1]) ?? 0 : 1280
let counts = (CommandLine.arguments.count > 2 ? CommandLine.arguments[2] : "100,1000,10000").split(separator: ",")
    .compactMap { Int($0) }
guard (1...65535).contains(symbolSize), !counts.isEmpty else {
    print("usage: bench-raptorq [T [K,K,...]]")
    exit(64)
}

func report(_ op: String, _ size: String, _ cost: Cost, bytes: Int) {
    let pace = String(format: "%.1f", Double(bytes) / cost.microseconds)
    report(op, size, cost, "\"MBps\": \(pace), \"kernel\": \"\(GaloisKernels.selected)\"")
}

/// Bytes that do not compress and are the same in every run.
func content(_ count: Int) -> [UInt8] {
    var state: UInt64 = 6330
    return (0..<count).map { _ in
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return UInt8(truncatingIfNeeded: state >> 56)
    }
}

func measureFirstFrames() throws {
    // Cold: no plan has been made in this process yet.
    let payload = content(200_000)
    let parameters = try ObjectParameters.defaults(objectSize: payload.count, maximumPayloadSize: 1072)
    var encoder: RaptorQEncoder?
    let source = try best(rounds: 1) {
        let made = try RaptorQEncoder(payload, parameters: parameters, numbering: .vault)
        _ = try made.symbol(PayloadID(block: 0, symbol: 0))
        encoder = made
    }
    report("first_frame", "200 kB", source, bytes: payload.count)
    let repair = try best(rounds: 1) {
        guard let encoder else { return }
        _ = try encoder.symbols(block: 0, ids: encoder.repairIDs(block: 0, count: 1))
    }
    report("first_repair_frame_cold", "200 kB", repair, bytes: payload.count)
    let warm = try best(budget: 1000) {
        let encoder = try RaptorQEncoder(payload, parameters: parameters, numbering: .vault)
        _ = try encoder.symbols(block: 0, ids: encoder.repairIDs(block: 0, count: 1))
    }
    report("first_repair_frame_warm", "200 kB", warm, bytes: payload.count)
}

func measureEncoding(_ object: [UInt8], _ parameters: ObjectParameters, _ size: String) throws {
    let sources = 0..<UInt32(parameters.symbolCount)
    let encode = try best(budget: 1000) {
        let encoder = try RaptorQEncoder(object, parameters: parameters)
        _ = try encoder.symbols(block: 0, ids: encoder.repairIDs(block: 0, count: 1))
        _ = try encoder.symbols(block: 0, ids: sources)
    }
    report("encode", size, encode, bytes: object.count)
    let withRepair = try best(budget: 1000) {
        let encoder = try RaptorQEncoder(object, parameters: parameters)
        _ = try encoder.symbols(block: 0, ids: sources)
        _ = try encoder.symbols(block: 0, ids: encoder.repairIDs(block: 0, count: sources.count))
    }
    report("encode_and_K_repair", size, withRepair, bytes: object.count)
}

func measureDecoding(_ object: [UInt8], _ parameters: ObjectParameters, _ size: String) throws {
    let count = parameters.symbolCount
    let encoder = try RaptorQEncoder(object, parameters: parameters)
    let repairIDs = try encoder.repairIDs(block: 0, count: count + 8)
    let symbols = try encoder.symbols(block: 0, ids: 0..<UInt32(count)) + encoder.symbols(block: 0, ids: repairIDs)
    var generator = SystemRandomNumberGenerator()
    for percent in [0, 5, 10, 100] {
        let lost = Set((0..<count).shuffled(using: &generator).prefix(count * percent / 100))
        let order = (0..<2 * count + 8).filter { !lost.contains($0) }
        let decode = try best(budget: 1000) {
            let decoder = RaptorQDecoder(parameters: parameters)
            for index in order where !decoder.isComplete {
                let id = try PayloadID(block: 0, symbol: UInt32(index))
                try decoder.receive(symbols[index * symbolSize..<(index + 1) * symbolSize], id: id)
            }
            guard try decoder.object().count == object.count else { exit(1) }
        }
        report("decode_\(percent)%_lost", size, decode, bytes: object.count)
    }
}

try measureFirstFrames()
for count in counts {
    let object = content(count * symbolSize)
    let parameters = try ObjectParameters(objectSize: object.count, symbolSize: symbolSize)
    try measureEncoding(object, parameters, "K=\(count)")
    try measureDecoding(object, parameters, "K=\(count)")
}
