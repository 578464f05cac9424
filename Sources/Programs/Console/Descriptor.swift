import Files
import TextForms

/// Standard error, for what a command says beside its results.
package enum StandardError {
    /// Text of any origin, names of files and what a server said, as it is written: but for newlines, nothing in it
    /// steers a terminal.
    package static func shown(_ text: String) -> String { ScreenText.escape(text, keepingNewlines: true) }

    /// Writes all of it; where no reader is left, nothing is to be done about it.
    package static func write(_ text: String) {
        Descriptor.write(Array(text.utf8), to: FileDescriptor.standardError.rawValue)
    }
}

/// Standard output, for the results that a command was asked for, byte by byte.
package enum StandardOutput {
    private static let file = OpenFile(borrowing: .standardOutput, path: "standard output")

    /// Writes all of it.
    package static func write(_ bytes: UnsafeRawBufferPointer) throws(FileError) { try file.write(bytes) }

    /// Writes all of it.
    package static func write(_ bytes: [UInt8]) throws(FileError) { try file.write(bytes) }

    /// Writes a line at once. Of what is made until somebody ends it, a line that is lost is the last one; `print`
    /// would tell of it at the end alone.
    package static func write(line: String) throws(FileError) { try write(Array((line + "\n").utf8)) }
}

/// Writes bytes to a descriptor, whatever it stands for.
package enum Descriptor {
    /// Writes all of it; where no reader is left, nothing is to be done about it.
    package static func write(_ bytes: [UInt8], to descriptor: Int32) {
        try? OpenFile(borrowing: FileDescriptor(rawValue: descriptor), path: "").write(bytes)
    }
}
