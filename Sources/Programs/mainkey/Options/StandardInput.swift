import BasicFoundation

/// Standard input, to its end.
enum StandardInput {
    /// The most bytes that are read. Values are short; a file is for `mainkey encrypt`.
    static let limit = 16 << 20

    static func read() throws -> [UInt8] {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65536)
        while true {
            let count = BasicFoundation.read(STDIN_FILENO, &piece, piece.count)
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else {
                throw Failure.unreadable(path: "standard input", reason: String(cString: strerror(errno)))
            }
            guard count > 0 else { return bytes }
            bytes += piece[..<count]
            guard bytes.count <= limit else {
                throw Failure.usage("Standard input has more than \(limit >> 20) MiB. Use 'mainkey encrypt' for files.")
            }
        }
    }

    /// Reads a text, without white space around it.
    static func readWord() throws -> String {
        String(decoding: try read(), as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
