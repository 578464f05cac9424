/// Splits UTF-8 at Unicode white space without making strings of it.
enum WhiteSpace {
    static func forEachWord(of bytes: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Void) {
        var start: Int?
        var position = 0
        while position < bytes.count {
            let length = whiteSpaceLength(bytes, at: position)
            if length == 0 {
                start = start ?? position
                position += 1
            } else {
                if let start { body(UnsafeRawBufferPointer(rebasing: bytes[start..<position])) }
                start = nil
                position += length
            }
        }
        if let start { body(UnsafeRawBufferPointer(rebasing: bytes[start...])) }
    }

    /// Bytes of the white-space scalar at `position`; 0 if there is none.
    private static func whiteSpaceLength(_ bytes: UnsafeRawBufferPointer, at position: Int) -> Int {
        func byte(_ offset: Int) -> UInt8 { position + offset < bytes.count ? bytes[position + offset] : 0 }
        switch (bytes[position], byte(1), byte(2)) {
        case (0x09...0x0d, _, _), (0x20, _, _): return 1
        // U+0085, U+00A0
        case (0xc2, 0x85, _), (0xc2, 0xa0, _): return 2
        // U+1680; U+2000–200A, 2028, 2029, 202F; U+205F; U+3000
        case (0xe1, 0x9a, 0x80): return 3
        case (0xe2, 0x80, 0x80...0x8a), (0xe2, 0x80, 0xa8), (0xe2, 0x80, 0xa9), (0xe2, 0x80, 0xaf): return 3
        case (0xe2, 0x81, 0x9f), (0xe3, 0x80, 0x80): return 3
        default: return 0
        }
    }
}
