/// The lines of a file, pipe or standard input, one after the other, in a time that grows with their bytes alone.
package struct InputLines {
    package enum Line: Equatable, Sendable {
        case line([UInt8])
        /// More bytes than the limit; what is left of that line is passed over by the next reading.
        case tooLong
    }

    /// The place of the line that was read last, from 1; too long ones and empty ones count.
    package private(set) var number = 0
    private let file: InputFile
    private let limit: Int
    private var buffer: [UInt8] = []
    private var start = 0
    /// Up to here the buffer has no end of the line.
    private var searched = 0
    private var passesOver = false
    private var isAtEnd = false

    private static let pieceSize = 1 << 16

    /// - Parameter limit: bytes of a line at the most, without its end.
    package init(_ file: InputFile, limit: Int) {
        self.file = file
        self.limit = limit
    }

    /// - Returns: nil behind the last line, which needs no line feed.
    package mutating func next() throws(FileError) -> Line? {
        guard let line = try nextLine() else { return nil }
        number += 1
        return line
    }

    private mutating func nextLine() throws(FileError) -> Line? {
        while true {
            if let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) {
                let line = buffer[start..<end]
                (start, searched) = (end + 1, end + 1)
                if !passesOver { return line.count > limit ? .tooLong : .line(Array(line)) }
                passesOver = false
                continue
            }
            searched = buffer.count
            if !passesOver, buffer.count - start > limit {
                passesOver = true
                return .tooLong
            }
            // What is kept is the beginning of a line; of a long one it stands in front already, and is not moved.
            if passesOver { start = buffer.count }
            buffer.removeFirst(start)
            (start, searched) = (0, buffer.count)
            let piece = isAtEnd ? [] : try file.read(upTo: Self.pieceSize)
            guard !piece.isEmpty else {
                isAtEnd = true
                defer { (buffer, searched) = ([], 0) }
                return buffer.isEmpty ? nil : .line(buffer)
            }
            buffer += piece
        }
    }
}
