import BasicFoundation
import Files
import TextForms

/// What a program that nobody trusts writes, on its way to an output of this one. Files and pipes get its bytes; a
/// terminal gets text in which all that could steer it or hide other text is escaped.
struct OutsideOutput: ~Copyable {
    private let descriptor: Int32
    private let isTerminal: Bool
    /// A character whose end has not been written yet.
    private var begun: [UInt8] = []

    init(_ descriptor: Int32) {
        self.descriptor = descriptor
        isTerminal = isatty(descriptor) == 1
    }

    /// - Returns: why not all of it was taken; nil where it was.
    mutating func write(_ bytes: some Collection<UInt8>) -> Errno? {
        guard isTerminal else { return CommandFiles.write(bytes, to: descriptor) }
        begun += bytes
        let whole = begun.count - Self.lengthOfBegun(begun)
        defer { begun.removeFirst(whole) }
        return show(begun[..<whole])
    }

    /// Nothing more comes.
    ///
    /// - Returns: why the last of it was not taken; nil where it was.
    mutating func end() -> Errno? {
        defer { begun = [] }
        return show(begun[...])
    }

    private func show(_ bytes: ArraySlice<UInt8>) -> Errno? {
        let text = ScreenText.escape(String(decoding: bytes, as: UTF8.self), keepingNewlines: true)
        return CommandFiles.write(text.utf8, to: descriptor)
    }

    /// How many of the last bytes are a character that may go on.
    private static func lengthOfBegun(_ bytes: [UInt8]) -> Int {
        for (index, byte) in bytes.suffix(3).reversed().enumerated() where byte & 0xc0 != 0x80 {
            let length =
                switch byte {
                case 0xc2...0xdf: 2
                case 0xe0...0xef: 3
                case 0xf0...0xf4: 4
                default: 1
                }
            return length > index + 1 ? index + 1 : 0
        }
        return 0
    }
}
