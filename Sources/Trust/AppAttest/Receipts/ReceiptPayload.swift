import TextForms

/// The fields of a receipt, by their types: SET OF SEQUENCE { type, version 1, value }.
///
/// Source: `appattest-gate` sections 1.7 and 2.5, step R5.
struct ReceiptPayload: Sendable {
    /// Why a payload cannot be read.
    struct Malformed: Error, Equatable {
        let reason: String
    }

    private enum Field: Int {
        case appID = 2
        case attestedKey = 3
        case clientHash = 4
        case token = 5
        case kind = 6
        case environment = 7
        case creation = 12
        case riskMetric = 17
        case notBefore = 19
        case expiration = 21
    }

    let kind: Receipt.Kind
    let appID: String
    /// The leaf of the attestation, DER.
    let attestedKey: ArraySlice<UInt8>
    let clientHash: ArraySlice<UInt8>?
    let token: String?
    let environment: String?
    let creation: UTCTimestamp
    let riskMetric: Int?
    let notBefore: UTCTimestamp?
    let expiration: UTCTimestamp

    init(_ bytes: [UInt8]) throws(Malformed) {
        let fields: [Int: ArraySlice<UInt8>]
        do throws(BERError) { fields = try Self.fields(of: bytes[...]) } catch {
            throw Malformed(reason: "the payload, \(error)")
        }
        func value(_ field: Field) -> ArraySlice<UInt8>? { fields[field.rawValue] }
        func text(_ field: Field) throws(Malformed) -> String? {
            try Self.optional(field, value(field)) { String(validating: $0, as: UTF8.self) }
        }
        func time(_ field: Field) throws(Malformed) -> UTCTimestamp? {
            try Self.optional(field, value(field)) { try? UTCTimestamp(rfc3339: $0, .utc) }
        }
        appID = try Self.required(.appID, try text(.appID))
        attestedKey = try Self.required(.attestedKey, value(.attestedKey))
        clientHash = value(.clientHash)
        token = try text(.token)
        kind = try Self.required(.kind, try Self.optional(.kind, try text(.kind)) { Receipt.Kind(rawValue: $0) })
        environment = try text(.environment)
        creation = try Self.required(.creation, try time(.creation))
        riskMetric = try Self.optional(.riskMetric, value(.riskMetric)) { Self.decimal($0) }
        notBefore = try time(.notBefore)
        expiration = try Self.required(.expiration, try time(.expiration))
        if kind == .receipt {
            _ = try Self.required(.riskMetric, riskMetric)
            _ = try Self.required(.notBefore, notBefore)
        }
    }

    private static func optional<Content, Value>(
        _ field: Field, _ content: Content?, read: (Content) -> Value?
    ) throws(Malformed) -> Value? {
        guard let content else { return nil }
        guard let value = read(content) else { throw Malformed(reason: "field \(field.rawValue) cannot be read") }
        return value
    }

    private static func required<Value>(_ field: Field, _ value: Value?) throws(Malformed) -> Value {
        guard let value else { throw Malformed(reason: "field \(field.rawValue) is missing") }
        return value
    }

    /// Reads a number of 1 to 9 decimal digits.
    private static func decimal(_ text: ArraySlice<UInt8>) -> Int? {
        guard (1...9).contains(text.count), text.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return text.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }

    /// Types that have no meaning here are read and kept too, so that none comes twice.
    private static func fields(of bytes: ArraySlice<UInt8>) throws(BERError) -> [Int: ArraySlice<UInt8>] {
        let set = try BERReader.single(bytes, rules: .distinguished)
        guard set.tag == .set else { throw BERError(offset: 0, reason: "it is not a SET") }
        var fields: [Int: ArraySlice<UInt8>] = [:]
        var reader = BERReader(set.content, rules: .distinguished)
        while let element = try reader.optional(.sequence) {
            var parts = BERReader(element.content, rules: .distinguished)
            let type = try parts.required(.integer).content
            let version = try parts.required(.integer).content
            let value = try parts.required(.octetString).content
            try parts.end()
            guard version.elementsEqual([1]), let number = number(type),
                fields.updateValue(value, forKey: number) == nil
            else { throw BERError(offset: 0, reason: "a field has another version, or comes twice") }
        }
        try reader.end()
        return fields
    }

    /// Reads the number of a type: not negative, minimal, at most four bytes.
    private static func number(_ content: ArraySlice<UInt8>) -> Int? {
        guard let first = content.first, content.count <= 4, first < 0x80 else { return nil }
        guard first != 0 || content.count == 1 || content.dropFirst().first.map({ $0 >= 0x80 }) == true else {
            return nil
        }
        return content.reduce(0) { $0 << 8 | Int($1) }
    }
}
