import KnownAnswers

extension JSON {
    var strings: [String] { array.compactMap(\.string) }

    /// Whether this is an object with all of `keys`, or a list whose first member is one.
    func has(_ keys: String...) -> Bool {
        let object = if case .array(let array) = self { array.first ?? .null } else { self }
        return keys.allSatisfy { object.object[$0] != nil }
    }
}
