import TextForms

/// A frame to be sent, in two parts, so that a large body is written from where it lies.
package struct Frame: Hashable, Sendable {
    /// The header and the fixed part of the payload.
    package let head: [UInt8]
    package let body: [UInt8]

    /// - Parameter fixed: what of the payload stands before the body.
    init(_ header: FrameHeader, fixed: [UInt8] = [], body: [UInt8] = []) {
        var header = header
        header.length = UInt32(fixed.count + body.count)
        head = header.bytes(capacity: FrameHeader.count + fixed.count) + fixed
        self.body = body
    }

    package var bytes: [UInt8] { head + body }
    package var count: Int { head.count + body.count }
}

/// Text in frames.
package enum WireText {
    /// The part of `text` that a frame may carry, cut between two characters of Unicode.
    package static func bytes(_ text: String) -> [UInt8] {
        let bytes = Array(text.utf8)
        guard bytes.count > FrameLimits.text else { return bytes }
        var end = FrameLimits.text
        while end > 0, bytes[end] & 0xc0 == 0x80 { end -= 1 }
        return Array(bytes[..<end])
    }

    package static func isValid(_ bytes: [UInt8]) -> Bool { bytes.withUnsafeBytes { UTF8Check.isValid($0) } }
}
