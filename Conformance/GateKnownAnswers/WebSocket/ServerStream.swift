/// Reads what a server sends, by a reader that shares nothing with the one that is judged.
struct ServerStream {
    var items: [WebSocketCase.Item] = []
    /// The code of the first close frame; 1005 if that has none, nil before there is one.
    private(set) var closeCode: Int?
    /// What no server may send.
    private(set) var fault: String?
    private var rest: [UInt8] = []
    private var message: (bytes: [UInt8], isBinary: Bool)?

    mutating func read(_ bytes: [UInt8]) {
        rest += bytes
        while closeCode == nil, fault == nil, let (start, payload, end) = frame() {
            take(start, Array(rest[payload]))
            rest.removeFirst(end)
        }
    }

    /// The first frame of what is left: its first byte, where its payload stands, where it ends.
    private func frame() -> (UInt8, Range<Int>, Int)? {
        guard rest.count >= 2 else { return nil }
        let form = Int(rest[1] & 0x7f)
        let begin = form < 126 ? 2 : form == 126 ? 4 : 10
        guard rest.count >= begin else { return nil }
        let length = form < 126 ? UInt64(form) : rest[2..<begin].reduce(0) { $0 << 8 | UInt64($1) }
        let count = Int(min(length, UInt64(rest.count - begin)))
        // A masked frame is wrong whatever is in it.
        guard count == length || rest[1] & 0x80 != 0 else { return nil }
        return (rest[0], begin..<begin + count, begin + count)
    }

    private mutating func take(_ start: UInt8, _ payload: [UInt8]) {
        guard rest[1] & 0x80 == 0 else {
            fault = "a masked frame"
            return
        }
        guard start & 0x70 == 0 else {
            fault = "reserved bits"
            return
        }
        switch (start & 0x0f, message) {
        case (0, let begun?): message = (begun.bytes + payload, begun.isBinary)
        case (1, nil): message = (payload, false)
        case (2, nil): message = (payload, true)
        case (8, _):
            closeCode = payload.count < 2 ? 1005 : Int(payload[0]) << 8 | Int(payload[1])
            return
        case (9, _): return
        case (10, _): return items.append(.pong(payload))
        default:
            fault = "a frame that does not fit"
            return
        }
        guard start & 0x80 != 0, let whole = message else { return }
        items.append(.message(whole.bytes, isBinary: whole.isBinary))
        message = nil
    }
}
