extension JSON {
    package var strings: [String] { array.compactMap(\.string) }

    /// A number, also where it was written without a fraction.
    package var double: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .number(let value): value
        default: nil
        }
    }

    /// Whether this is an object with all of `keys`, or a list whose first member is one.
    package func has(_ keys: String...) -> Bool {
        let object = if case .array(let array) = self { array.first ?? .null } else { self }
        return keys.allSatisfy { object.object[$0] != nil }
    }
}
