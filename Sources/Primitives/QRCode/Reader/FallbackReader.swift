/// Asks one reader, and another where the first finds nothing or gives up.
///
/// A picture with more finder patterns than ``SwiftQRReader`` looks at is no second reader's: a reader that tries all
/// combinations of three of them, as zxing-cpp does, would be busy with one picture for half a minute.
public struct FallbackReader<First: QRReader, Second: QRReader>: QRReader {
    private let first: First
    private let second: Second

    /// Reads with the first, and with the second what the first does not read.
    public init(_ first: First, _ second: Second) {
        self.first = first
        self.second = second
    }

    /// What the first reads; if that is nothing, what the second does.
    public func read(_ image: LumaImage) throws(QRReaderError) -> [QRReading] {
        if let first = first as? SwiftQRReader {
            let outcome = first.search(image)
            if !outcome.located.isEmpty || outcome.isCrowded { return outcome.located.map(QRReading.init) }
        } else if let found = try? first.read(image), !found.isEmpty {
            return found
        }
        return try second.read(image)
    }
}
