/// Asks one reader, and another where the first finds nothing or gives up.
///
/// A picture that the first one keeps from others is no second reader's.
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
        if let first = first as? any DecisiveQRReader {
            let attempt = try? first.attempt(image)
            if let attempt, !attempt.readings.isEmpty || !attempt.isForOthers { return attempt.readings }
        } else if let found = try? first.read(image), !found.isEmpty {
            return found
        }
        return try second.read(image)
    }
}
