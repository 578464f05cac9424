/// The frames that a worker sends.
///
/// Source: `forcefield` section 11.
extension Frame {
    package static func hello(_ hello: Hello) -> Frame {
        Frame(FrameHeader(.hello, aux: FrameVersion.current), fixed: hello.payload)
    }

    package static func response(_ id: UInt64, _ body: [UInt8]) -> Frame {
        Frame(FrameHeader(.response, id: id), body: body)
    }

    /// - Parameter text: cut at 1,024 bytes.
    package static func error(_ id: UInt64, _ code: WorkerErrorCode, text: String) -> Frame {
        Frame(FrameHeader(.error, id: id, aux: code.rawValue), fixed: WireText.bytes(text))
    }

    /// - Parameter sequence: 0 for a stream's first item.
    package static func item(_ id: UInt64, sequence: UInt32, _ body: [UInt8], isLast: Bool) -> Frame {
        Frame(FrameHeader(.item, flags: isLast ? FrameHeader.end : 0, id: id, aux: sequence), body: body)
    }

    package static func progress(_ id: UInt64, done: UInt64, total: UInt64) -> Frame {
        var fixed: [UInt8] = []
        fixed.append(littleEndian: done)
        fixed.append(littleEndian: total)
        return Frame(FrameHeader(.progress, id: id), fixed: fixed)
    }

    package static func hostCall(_ id: HostCallID, _ capability: MethodID, body: [UInt8]) -> Frame {
        Frame(FrameHeader(.hostCall, id: id.rawValue), fixed: prefix(capability), body: body)
    }

    /// - Parameter text: cut at 1,024 bytes.
    package static func log(_ level: LogLevel, _ text: String) -> Frame {
        Frame(FrameHeader(.log, aux: level.rawValue), fixed: WireText.bytes(text))
    }

    package static let goodbye = Frame(FrameHeader(.goodbye))

    /// What stands before the body of a request or a host call.
    static func prefix(_ method: MethodID) -> [UInt8] {
        var prefix: [UInt8] = []
        prefix.append(littleEndian: method.rawValue)
        prefix.append(littleEndian: UInt32(0))
        return prefix
    }
}

/// How much a worker's log line matters.
public enum LogLevel: UInt32, CaseIterable, Sendable {
    case debug = 0
    case info = 1
    case notice = 2
    case warning = 3
    case error = 4
}

/// The id of a call from the worker into the host: its number with the high bit set.
package struct HostCallID: RawRepresentable, Hashable, Sendable {
    private static let mark: UInt64 = 1 << 63

    package let rawValue: UInt64

    /// - Returns: nil without the high bit, and for number 0.
    package init?(rawValue: UInt64) {
        guard rawValue > Self.mark else { return nil }
        self.rawValue = rawValue
    }

    /// - Parameter number: from 1, below 2^63.
    package init(number: UInt64) { rawValue = Self.mark | number }

    package var number: UInt64 { rawValue & ~Self.mark }
}
