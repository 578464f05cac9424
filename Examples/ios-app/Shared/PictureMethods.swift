import ForceFieldWire

/// What the app asks of its decoder. Both are built with this one declaration, and refuse each other where it differs.
enum PictureMethods {
    /// Bytes of a picture from somebody else to its measures.
    static let measure = Method<Bytes, Measures>("picture.measure")

    static func interface() throws -> Interface { try Interface([measure.signature]) }

    struct Measures: Codable, Sendable {
        var width: Int
        var height: Int
    }
}
