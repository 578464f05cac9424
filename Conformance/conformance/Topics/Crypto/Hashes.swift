import KnownAnswers
import Sr25519
import Substrate

extension CryptoTopic {
    static let hashes: [String: RowCheck] = [
        "keccak256": RowCheck { row in
            row.expect("digest", Keccak.hash256(try row.bytes("msg")), equals: try row.bytes("digest"))
        },
        "blake2b": RowCheck { row in
            let message = try row.bytes("msg")
            for (field, size) in [("b128", 16), ("b256", 32), ("b512", 64)] {
                row.expect(field, Blake2b.hash(message, size: size), equals: try row.bytes(field))
            }
        },
        "blake3": RowCheck { row in
            let input = (0..<(row["input_len"].int ?? 0)).map { UInt8($0 % 251) }
            row.expect("digest", Blake3.hash(input).bytes, equals: try row.bytes("digest"))
        },
        "keccak_f1600": RowCheck { row in
            func lanes(_ json: JSON) -> [UInt64] { json.array.compactMap { UInt64($0.string ?? "", radix: 16) } }
            let input = lanes(row["input"])
            guard input.count == 25 else { throw RowError.missing("input") }
            var state = Keccak.State(repeating: 0)
            for index in 0..<25 { state[index] = input[index] }
            Keccak.permute(&state)
            row.expect("output", (0..<25).map { state[$0] }, equals: lanes(row["output"]))
        },
    ]

    static let transcripts: [String: RowCheck] = [
        "transcripts": RowCheck { row in
            var transcript = Array(try row.text("label").utf8).withUnsafeBytes { Transcript(label: $0) }
            for (index, operation) in row["ops"].array.enumerated() {
                try run(operation, on: &transcript, named: "op \(index)", row: &row)
            }
        }
    ]

    private static func run(
        _ operation: JSON, on transcript: inout Transcript, named name: String, row: inout Row
    ) throws {
        let label = Array((operation["label"].string ?? "").utf8)
        var output = [UInt8](repeating: 0, count: operation["len"].int ?? 0)
        switch operation["op"].string {
        case "append":
            let message = operation["message"].hex ?? []
            label.withUnsafeBytes { label in message.withUnsafeBytes { transcript.append(label: label, message: $0) } }
        case "append_u64":
            guard
                let value = operation["value"].int.map(UInt64.init) ?? operation["value"].string.flatMap({ UInt64($0) })
            else { throw RowError.missing("value") }
            withUnsafeBytes(of: value.littleEndian) { value in
                label.withUnsafeBytes { transcript.append(label: $0, message: value) }
            }
        case "challenge":
            output.withUnsafeMutableBytes { output in label.withUnsafeBytes { transcript.challenge($0, into: output) } }
            row.expect(name, output, equals: operation["output"].hex ?? [])
        case "witness":
            witness(operation, label: label, of: &transcript, into: &output)
            row.expect(name, output, equals: operation["output"].hex ?? [])
        default:
            throw RowError.missing("an operation of transcripts, not \(operation["op"].string ?? "none"),")
        }
    }

    private static func witness(
        _ operation: JSON, label: [UInt8], of transcript: inout Transcript, into output: inout [UInt8]
    ) {
        let random = operation["rng"].hex ?? []
        output.withUnsafeMutableBytes { output in
            withBuffers(operation["seeds"].hexes) { seeds in
                random.withUnsafeBytes { random in
                    label.withUnsafeBytes { transcript.witness($0, seeds: seeds, random: random, into: output) }
                }
            }
        }
    }

    /// Lends the bytes of all arrays to `body` at the same time.
    private static func withBuffers(
        _ arrays: [[UInt8]], behind lent: [UnsafeRawBufferPointer] = [], _ body: ([UnsafeRawBufferPointer]) -> Void
    ) {
        guard let first = arrays.first else { return body(lent) }
        first.withUnsafeBytes { withBuffers(Array(arrays.dropFirst()), behind: lent + [$0], body) }
    }
}
