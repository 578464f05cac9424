@_spi(Fuzzing) import Airgap
import RaptorQ

extension FuzzTarget {
    /// Contents of QR codes, each behind its length in two bytes: no order of frames, of whatever sessions, traps or
    /// gives a payload that is longer than it may be.
    static let transfer = FuzzTarget(
        name: "transfer", seeds: [lengths(fountain), lengths(legacy), lengths(fountain + legacy)]
    ) { bytes in
        let reader = TransferReader(limit: 1 << 16)
        var sessions = TransferSessions(limit: 1 << 16)
        var rest = bytes[...]
        while rest.count > 2 {
            let length = Int(rest.removeFirst()) << 8 | Int(rest.removeFirst())
            let content = Array(rest.prefix(length))
            rest = rest.dropFirst(length)
            if case .payload(let payload)? = try? reader.read(content) { precondition(payload.count <= 1 << 16) }
            _ = try? sessions.read(content)
        }
        let contents = reader.contents
        _ = try? reader.finish()
        _ = try? sessions.finish()
        precondition(contents.allSatisfy { !$0.isEmpty } || contents == [[]])
    }

    /// The twelve bytes that say how an object is cut: what is taken reads back as it is, and its blocks have codes.
    static let objectParameters = FuzzTarget(
        name: "object-parameters", seeds: [[0, 0, 0, 0x4e, 0x20, 0, 4, 0x30, 1, 0, 1, 8]]
    ) { bytes in
        guard let parameters = try? ObjectParameters(serialized: bytes) else { return }
        precondition((try? ObjectParameters(serialized: parameters.serialized)) == parameters)
        precondition((try? parameters.block(parameters.sourceBlockCount - 1)) != nil)
    }

    /// A payload in a file or typed: its bytes, or those of its hex, and the same with either case of its digits.
    static let payloadText = FuzzTarget(
        name: "payload-text", seeds: [Array("0x5301ff\n".utf8), Array(" 5301FF".utf8), [0x53, 0x01, 0xff]]
    ) { bytes in
        let read = OutsidePayloadText.payload(inFile: bytes)
        precondition(read == nil || read == bytes || (read?.count ?? 0) <= bytes.count / 2)
        let typed = String(decoding: bytes, as: UTF8.self)
        let upper = typed.uppercased().replacing("0X", with: "0x")
        if let payload = OutsidePayloadText.payload(typed: typed) {
            precondition(OutsidePayloadText.payload(typed: upper) == payload)
        }
    }

    private static let sample: [UInt8] = (0..<300).map { UInt8(truncatingIfNeeded: $0) }

    private static var fountain: [[UInt8]] {
        guard let sender = try? TransferSender(sample, framing: .fountain, dialect: .vault, symbolSize: 64) else {
            return []
        }
        return (0..<8).map { sender.content($0 + 2) }
    }

    private static var legacy: [[UInt8]] { (try? LegacyFrames.frames(of: sample, pieceSize: 100)) ?? [] }

    private static func lengths(_ contents: [[UInt8]]) -> [UInt8] {
        contents.flatMap { [UInt8($0.count >> 8), UInt8($0.count & 0xff)] + $0 }
    }
}
