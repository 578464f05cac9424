/// The header fields of a request, in their order. Names know no case.
public struct HeaderFields: Sendable {
    public typealias Field = (name: String, value: String)

    public private(set) var fields: [Field]

    public init(_ fields: [Field] = []) { self.fields = fields }

    public mutating func append(_ name: String, _ value: String) { fields.append((name, value)) }

    public enum Single: Equatable, Sendable {
        case absent
        case one(String)
        case several
    }

    public func values(_ name: String) -> [String] {
        fields.filter { ASCIIText.areEqual($0.name, name) }.map(\.value)
    }

    public func contains(_ name: String) -> Bool { fields.contains { ASCIIText.areEqual($0.name, name) } }

    public func single(_ name: String) -> Single {
        var found = Single.absent
        for field in fields where ASCIIText.areEqual(field.name, name) {
            guard found == .absent else { return .several }
            found = .one(field.value)
        }
        return found
    }

    /// Which part of a field is none of HTTP: a name that is no token, or a value with a control character, which
    /// another reader may take for the end of a line. Nil where all are well.
    ///
    /// Source: RFC 9110, section 5.
    public var malformedPart: StaticString? {
        for field in fields {
            guard ASCIIText.isToken(field.name) else { return "name" }
            guard field.value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7f || $0 == 0x09 }) else { return "value" }
        }
        return nil
    }

    /// The members of a list that may be spread over several fields, in lower case.
    public func tokens(_ name: String) -> [String] {
        values(name).flatMap { ASCIIText.list($0) }.map { ASCIIText.lowercased($0) }
    }
}
