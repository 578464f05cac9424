/// What reads payloads that are no codes, for fuzzing.
@_spi(Fuzzing) public enum OutsidePayloadText {
    /// Reads hex as it is typed.
    ///
    /// - Returns: the payload; nil for what is no hex.
    public static func payload(typed text: String) -> [UInt8]? { PayloadText.bytes(ofHex: text) }

    /// Reads the content of a file.
    ///
    /// - Returns: the payload; nil for hex with a digit missing.
    public static func payload(inFile content: [UInt8]) -> [UInt8]? { PayloadText.bytes(ofContent: content) }
}
