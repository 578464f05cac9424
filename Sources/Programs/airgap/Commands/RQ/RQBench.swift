import ArgumentParser
import Console
import RaptorQ

struct RQBench: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench",
        abstract: "How fast the code is here: megabytes a second of the object, one thread, the best of several.")

    @Argument(help: ArgumentHelp("Symbols of a block (K).", valueName: "K"))
    var counts: [Int] = [10, 100, 1000, 10000]

    @Option(help: ArgumentHelp("Bytes of a symbol (T).", valueName: "bytes"))
    var symbolSize = 1280

    @Option(help: ArgumentHelp("Source symbols that are lost, in percent.", valueName: "percent"))
    var loss = 10

    @OptionGroup var output: OutputOptions

    func validate() throws {
        let most = BlockParameters.maximumSourceSymbolCount
        guard counts.allSatisfy({ (1...most).contains($0) }) else { throw ValidationError("K is 1 to \(most).") }
        guard (0...100).contains(loss) else { throw ValidationError("--loss is 0 to 100.") }
        guard (1...65535).contains(symbolSize) else { throw ValidationError("--symbol-size is 1 to 65535.") }
    }

    func run() throws {
        var rows: [Row] = []
        for count in counts {
            rows.append(try measure(count))
        }
        try output.show(
            rows,
            text: rows.map { row in
                "K \(row.symbols)  encode \(row.encode) MB/s  decode at \(loss) % loss \(row.decode) MB/s  (\(row.kernel))"
            }.joined(separator: "\n"))
    }

    private func measure(_ count: Int) throws -> Row {
        var state: UInt64 = 1
        let object = (0..<count * symbolSize).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1
            return UInt8(truncatingIfNeeded: state >> 56)
        }
        let parameters = try ObjectParameters(objectSize: object.count, symbolSize: symbolSize)
        let encoder = try RaptorQEncoder(object, parameters: parameters)
        let lost = count * loss / 100
        var packets: [(id: PayloadID, symbol: [UInt8])] = []
        for id in UInt32(lost)..<UInt32(count + lost + 3) {
            let id = try PayloadID(block: 0, symbol: id)
            packets.append((id, try encoder.symbol(id)))
        }
        let encode = try best {
            let encoder = try RaptorQEncoder(object, parameters: parameters)
            _ = try encoder.symbol(PayloadID(block: 0, symbol: UInt32(count)))
        }
        let decode = try best {
            let decoder = RaptorQDecoder(parameters: parameters)
            for packet in packets where !decoder.isComplete { try decoder.receive(packet.symbol, id: packet.id) }
            _ = try decoder.object()
        }
        func rate(_ seconds: Double) -> Int { Int(Double(object.count) / 1e6 / seconds) }
        return Row(symbols: count, encode: rate(encode), decode: rate(decode), kernel: "\(GaloisKernels.selected)")
    }

    /// Seconds of the fastest of many runs, within about a second.
    private func best(_ work: () throws -> Void) rethrows -> Double {
        let clock = ContinuousClock()
        let end = clock.now + .seconds(1)
        var best = Double.infinity
        repeat {
            let start = clock.now
            try work()
            best = min(best, start.duration(to: clock.now) / .seconds(1))
        } while clock.now < end
        return best
    }

    private struct Row: Encodable {
        let symbols: Int
        /// Megabytes a second.
        let encode: Int
        let decode: Int
        let kernel: String
    }
}
