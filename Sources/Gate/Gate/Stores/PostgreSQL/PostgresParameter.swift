/// A value that goes with a statement, in PostgreSQL's binary form.
enum PostgresParameter: Sendable {
    case text(String)
    case bytes([UInt8])
    case number(Int64)
    case none

    static func text(_ text: String?) -> PostgresParameter { text.map { .text($0) } ?? .none }
    static func bytes(_ bytes: [UInt8]?) -> PostgresParameter { bytes.map { .bytes($0) } ?? .none }
    static func time(_ time: Timestamp?) -> PostgresParameter { number(time?.milliseconds) }
    static func number(_ number: Int64?) -> PostgresParameter { number.map { .number($0) } ?? .none }
}

/// The types that the statements use; the raw value is the server's number for it, which every compatible engine
/// shares.
enum PostgresType: UInt32, Sendable {
    case bytes = 17
    case number = 20
    case text = 25
}

/// The parameters of one call in one piece of memory, in the form that libpq wants.
struct PostgresArguments {
    private var storage: [UInt8] = []
    private var ranges: [Range<Int>?] = []

    /// - Throws: `StoreError.refused` for text with a NUL character, which PostgreSQL cannot keep.
    init(_ parameters: [PostgresParameter]) throws(StoreError) {
        ranges.reserveCapacity(parameters.count)
        for parameter in parameters {
            let start = storage.count
            switch parameter {
            case .text(let text):
                storage += text.utf8
                guard !storage[start...].contains(0) else { throw .refused("PostgreSQL keeps no text with a NUL") }
            case .bytes(let bytes): storage += bytes
            case .number(let number): withUnsafeBytes(of: number.bigEndian) { storage += $0 }
            case .none:
                ranges.append(nil)
                continue
            }
            ranges.append(start..<storage.count)
        }
        // An empty value is not NULL: its address must not be nil.
        storage.append(0)
    }

    func withPointers<Result>(
        _ body: (_ values: [UnsafePointer<CChar>?], _ lengths: [Int32], _ formats: [Int32]) -> Result
    ) -> Result {
        storage.withUnsafeBytes { bytes in
            let start = bytes.bindMemory(to: CChar.self).baseAddress
            return body(
                ranges.map { range in range.flatMap { start?.advanced(by: $0.lowerBound) } },
                ranges.map { Int32($0?.count ?? 0) },
                [Int32](repeating: 1, count: ranges.count))
        }
    }
}
