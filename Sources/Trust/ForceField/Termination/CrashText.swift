import TextForms

/// What a worker wrote on standard error, which is an outside text.
enum CrashText {
    /// Bytes of a message, before it is made safe to show.
    private static let messageLimit = 512
    private static let mark = Array("Fatal error".utf8)

    /// The first line that names a fatal error, else the first that is not empty.
    static func message(of tail: [UInt8]) -> String? {
        let lines = lines(of: tail)
        guard let line = lines.first(where: { $0.contains(mark) }) ?? lines.first else { return nil }
        return shown(line.prefix(messageLimit))
    }

    static func lines(of tail: [UInt8]) -> [ArraySlice<UInt8>] { tail.split(separator: UInt8(ascii: "\n")) }

    /// Safe to show: what is not UTF-8 is replaced, what hides or reorders text is escaped.
    static func shown(_ bytes: some Collection<UInt8>, keepingNewlines: Bool = false) -> String {
        ScreenText.escape(String(decoding: bytes, as: UTF8.self), keepingNewlines: keepingNewlines)
    }
}
