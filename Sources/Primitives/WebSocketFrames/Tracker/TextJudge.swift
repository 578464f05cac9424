import TextForms

/// Judges the text of masked or plain frames where they lie.
struct TextJudge: Hashable, Sendable {
    private var text = UTF8Check()
    /// Whether the message is one that is judged.
    private var isText = false
    private var key: MaskingKey?
    /// Bytes of the frame's payload that are behind.
    private var position = 0

    mutating func begin(_ start: FrameStart) {
        if start.first & 0x0f != 0 {
            isText = start.first & 0x0f == 1 && !start.isCompressed
            text = UTF8Check()
        }
        key = start.isMasked ? start.key : nil
        position = 0
    }

    /// - Parameter isEnd: whether the message ends with these bytes.
    mutating func accept(_ bytes: UnsafeRawBufferPointer, isEnd: Bool) -> Bool {
        guard isText else { return true }
        defer { position += bytes.count }
        guard let key else { return text.firstError(in: bytes) == nil && (!isEnd || text.isComplete) }
        // Unmasked a page at a time, beside the bytes that go on.
        return withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 8) { page in
            var done = 0
            while done < bytes.count {
                let part = bytes[done..<min(bytes.count, done + page.count)]
                let plain = UnsafeMutableRawBufferPointer(rebasing: page[..<part.count])
                plain.copyMemory(from: UnsafeRawBufferPointer(rebasing: part))
                key.apply(to: plain, from: position + done)
                guard text.firstError(in: UnsafeRawBufferPointer(plain)) == nil else { return false }
                done += part.count
            }
            return !isEnd || text.isComplete
        }
    }
}
