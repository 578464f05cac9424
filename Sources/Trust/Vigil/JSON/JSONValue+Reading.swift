import StrictJSON

extension JSONValue {
    /// Reads JSON strictly: RFC 8259 to the letter, no name twice in an object, and within limits.
    package init(reading text: [UInt8], within limits: JSONLimits) throws(JSONError) {
        let reader = JSONReader(
            maximumDepth: limits.depth, maximumBytes: limits.bytes, maximumValues: limits.values)
        self.init(try reader.read(text))
    }

    private init(_ json: JSON) {
        switch json {
        case .null: self = .null
        case .bool(let flag): self = .bool(flag)
        case .number(let text): self = Int64(text).map(Self.integer) ?? .number(text)
        case .string(let text): self = .string(text)
        case .array(let elements): self = .array(elements.map(Self.init))
        case .object(let members):
            self = .object(
                Dictionary(members.map { ($0.name, Self($0.value)) }, uniquingKeysWith: { first, _ in first }))
        }
    }
}
