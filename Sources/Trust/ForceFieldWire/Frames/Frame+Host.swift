/// The frames that a host sends.
///
/// Source: `forcefield` section 11.
extension Frame {
    package static func welcome(_ welcome: Welcome) -> Frame {
        Frame(
            FrameHeader(.welcome, aux: FrameVersion.current), fixed: welcome.fixed, body: welcome.configuration)
    }

    /// - Parameters:
    ///   - deadlineMilliseconds: until the reply has to be there; 0 for none.
    ///   - descriptors: that ride on the frame's first byte.
    package static func request(
        _ id: UInt64, _ method: MethodID, deadlineMilliseconds: UInt32 = 0, descriptors: UInt16 = 0, _ body: [UInt8]
    ) -> Frame {
        Frame(
            FrameHeader(.request, descriptors: descriptors, id: id, aux: deadlineMilliseconds),
            fixed: prefix(method), body: body)
    }

    package static func cancel(_ id: UInt64) -> Frame { Frame(FrameHeader(.cancel, id: id)) }

    /// - Parameter items: 1…65,535 more that the stream may send.
    package static func credit(_ id: UInt64, items: UInt16) -> Frame {
        Frame(FrameHeader(.credit, id: id, aux: UInt32(items)))
    }

    /// - Parameter descriptors: that ride on the frame's first byte.
    package static func hostReply(_ id: HostCallID, descriptors: UInt16 = 0, _ body: [UInt8]) -> Frame {
        Frame(FrameHeader(.hostReply, descriptors: descriptors, id: id.rawValue), body: body)
    }

    /// - Parameter text: cut at 1,024 bytes.
    package static func hostError(_ id: HostCallID, _ code: WorkerErrorCode, _ text: String) -> Frame {
        Frame(FrameHeader(.hostError, id: id.rawValue, aux: code.rawValue), fixed: WireText.bytes(text))
    }

    package static let shutdown = Frame(FrameHeader(.shutdown))
}
