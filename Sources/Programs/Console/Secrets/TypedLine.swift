/// A line while it is typed, kept in memory that the caller zeroises.
package struct TypedLine {
    private let memory: UnsafeMutableRawBufferPointer
    package private(set) var count = 0

    package init(in memory: UnsafeMutableRawBufferPointer) {
        self.memory = memory
    }

    /// The bytes typed so far. The next key invalidates them.
    package var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: memory[..<count]) }

    /// Takes a byte from a terminal without line editing: text, backspace, Ctrl-U for all of it. Other control bytes
    /// are passed over: nobody sees that they became part of what is typed.
    ///
    /// - Returns: whether it ends the line.
    /// - Throws: ``InteractionError/cancelled`` for Ctrl-C, and for Ctrl-D on an empty line;
    ///   ``InteractionError/secretTooLong(limit:)``.
    package mutating func type(_ byte: UInt8) throws(InteractionError) -> Bool {
        switch byte {
        case 0x0a, 0x0d: return true
        case 0x03: throw .cancelled
        case 0x04 where count == 0: throw .cancelled
        case 0x08, 0x7f: count = lastScalarStart
        case 0x15: count = 0
        case 0x00..<0x20: break
        default:
            guard count < memory.count else { throw .secretTooLong(limit: memory.count) }
            memory[count] = byte
            count += 1
        }
        return false
    }

    /// Where the last UTF-8 scalar begins: a backspace takes back a character, not a byte.
    private var lastScalarStart: Int {
        var start = count
        while start > 0 {
            start -= 1
            if memory[start] & 0xc0 != 0x80 { break }
        }
        return start
    }
}
