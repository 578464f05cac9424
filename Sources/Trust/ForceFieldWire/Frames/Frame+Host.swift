/// The frames that a host sends.
///
/// Source: `forcefield` section 11.
extension Frame {
    package static func welcome(_ welcome: Welcome) -> Frame {
        Frame(
            FrameHeader(.welcome, aux: FrameVersion.current), fixed: welcome.fixed, body: welcome.configuration)
    }

    /// - Parameters:
    ///   - descriptors: that ride on the frame's first byte.
    ///   - timeLeft: until the reply has to be there; nil for no such time. The frame carries whole milliseconds, at
    ///     least 1.
    package static func request(
        _ id: UInt64, _ method: MethodID, body: [UInt8], descriptors: UInt16 = 0, timeLeft: Duration? = nil
    ) -> Frame {
        let milliseconds = timeLeft.map { max(1, UInt32(clamping: $0.wholeMilliseconds)) } ?? 0
        return Frame(
            FrameHeader(.request, descriptors: descriptors, id: id, aux: milliseconds), fixed: prefix(method),
            body: body)
    }

    package static func cancel(_ id: UInt64) -> Frame { Frame(FrameHeader(.cancel, id: id)) }

    /// - Parameter items: 1…65,535 more that the stream may send.
    package static func credit(_ id: UInt64, items: UInt16) -> Frame {
        Frame(FrameHeader(.credit, id: id, aux: UInt32(items)))
    }

    /// - Parameter descriptors: that ride on the frame's first byte.
    package static func hostReply(_ id: HostCallID, body: [UInt8], descriptors: UInt16 = 0) -> Frame {
        Frame(FrameHeader(.hostReply, descriptors: descriptors, id: id.rawValue), body: body)
    }

    /// - Parameter text: cut at 1,024 bytes.
    package static func hostError(_ id: HostCallID, _ code: WorkerErrorCode, text: String) -> Frame {
        Frame(FrameHeader(.hostError, id: id.rawValue, aux: code.rawValue), fixed: WireText.bytes(text))
    }

    package static let shutdown = Frame(FrameHeader(.shutdown))
}
