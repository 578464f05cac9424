import KnownAnswers

/// What a client sends to a server that echoes messages, and what must come back: a row of `ws/ws-conformance.json`.
package struct WebSocketCase: Sendable {
    package enum Move: Hashable, Sendable {
        /// Bytes to be written at once.
        case send([UInt8])
        /// Reads until all that is expected has come, before the client closes.
        case settle
        /// Reads until the server closes, or says nothing more.
        case giveUp
        /// Reads for a while; with a tag, notes whether the connection is open then.
        case pause(tag: String?)
    }

    /// What a server may send.
    package enum Item: Hashable, Sendable {
        case message([UInt8], isBinary: Bool)
        case pong([UInt8])
        case stillOpen(tag: String)
    }

    package let id: String
    package let moves: [Move]
    package let strict: [Item]
    package let tolerated: [[Item]]
    /// Codes that the server's close frame may have, should there be one; 1005 stands for a frame without a code.
    package let closeCodes: Set<Int>
    /// Whether only the messages count.
    package let isInformational: Bool
    package let doesClientCloseFirst: Bool

    package init(_ row: JSON) throws {
        guard let id = row["id"].string else { throw RowError.missing("id") }
        self.id = id
        var frames: [ClientFrame] = []
        var moves: [Move] = []
        for step in row["send"].array {
            // How long a pause is, is up to the player.
            step.leave("seconds")
            switch step["op"].string {
            case "frame":
                let frame = try ClientFrame(step)
                frames.append(frame)
                if frame.opcode == 8 { moves.append(.settle) }
                moves += frame.pieces.map { .send($0) }
            case "wait": moves.append(.pause(tag: step["tag"].string))
            case "give-up-after": moves.append(.giveUp)
            default: throw RowError.missing("op")
            }
        }
        self.moves = moves
        let echo = Echo(of: frames)
        strict = try echo.items(row["expect_strict"])
        tolerated = try row["expect_tolerated"].array.map { try echo.items($0) }
        closeCodes = Set(row["close_codes"].ints)
        isInformational = row["informational"].bool ?? false
        doesClientCloseFirst = row["client_closes_first"].bool ?? false
    }

    /// All that the client sends.
    package var stream: [UInt8] {
        moves.flatMap { if case .send(let bytes) = $0 { bytes } else { [UInt8]() } }
    }
}

/// A frame as a case describes it, right or wrong.
private struct ClientFrame {
    let opcode: Int
    let isFinal: Bool
    let payload: [UInt8]
    let pieces: [[UInt8]]

    init(_ row: JSON) throws {
        guard let opcode = row["opcode"].int, 0...15 ~= opcode else { throw RowError.missing("opcode") }
        guard let key = row["mask_hex"].hex, key.count == 4 else { throw RowError.missing("mask_hex") }
        let (reserved, count) = (row["rsv"].int ?? 0, row["count"].int ?? 1)
        guard 0...7 ~= reserved, 0...(1 << 26) ~= count else { throw RowError.missing("rsv or count") }
        guard let part = row["hex"].hex ?? row["repeat_hex"].hex else { throw RowError.missing("hex") }
        self.opcode = opcode
        isFinal = row["fin"].bool ?? true
        let payload = Array([[UInt8]](repeating: part, count: count).joined())
        self.payload = payload
        var bytes = [UInt8(isFinal ? 0x80 : 0) | UInt8(reserved << 4 | opcode)]
        switch payload.count {
        case ...125: bytes.append(0x80 | UInt8(payload.count))
        case ...0xffff: bytes += [0xfe, UInt8(payload.count >> 8), UInt8(payload.count & 0xff)]
        default:
            bytes.append(0xff)
            bytes += (0..<8).reversed().map { UInt8(truncatingIfNeeded: payload.count >> (8 * $0)) }
        }
        bytes += key
        bytes += payload.enumerated().map { $1 ^ key[$0 & 3] }
        let size = max(1, row["chop"].int ?? bytes.count)
        pieces = stride(from: 0, to: bytes.count, by: size).map { Array(bytes[$0..<min(bytes.count, $0 + size)]) }
    }
}

/// What echoes of frames are.
private struct Echo {
    private var messages: [[UInt8]] = []
    private var pings: [[UInt8]] = []

    init(of frames: [ClientFrame]) {
        var message: [UInt8] = []
        for frame in frames {
            if frame.opcode == 9 { pings.append(frame.payload) }
            guard frame.opcode < 8 else { continue }
            message += frame.payload
            guard frame.isFinal else { continue }
            messages.append(message)
            message = []
        }
    }

    /// A list of what is expected.
    func items(_ rows: JSON) throws -> [WebSocketCase.Item] {
        var (messages, pings) = (messages[...], pings[...])
        return try rows.array.map { row in
            if let tag = row["still-open-at"].string { return .stillOpen(tag: tag) }
            if let isBinary = row["binary"].bool {
                return .message(try bytes("message", of: row, or: messages.popFirst()), isBinary: isBinary)
            }
            return .pong(try bytes("pong", of: row, or: pings.popFirst()))
        }
    }

    /// Bytes as they stand in the row, or those that the client sent.
    private func bytes(_ key: String, of row: JSON, or echo: [UInt8]?) throws -> [UInt8] {
        let isEcho = row["\(key)_hex"].isNull && row[key].string == "echo-of-sent"
        guard let bytes = isEcho ? echo : row["\(key)_hex"].hex else { throw RowError.missing(key) }
        return bytes
    }
}
