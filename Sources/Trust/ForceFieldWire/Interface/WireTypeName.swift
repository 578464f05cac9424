/// The name of a type as it is declared: `[UInt8]`, `Reply?`, `[String: Int]`, `DecodeRequest`.
enum WireTypeName {
    static func of(_ type: any Any.Type) -> String {
        // Most of a worker's start is spent on what Swift does for the first time: the types of raw methods are not
        // looked up.
        if type == [UInt8].self { return "[UInt8]" }
        // What String(describing:) gives for a type, without the mirror that it makes of the type before.
        return (type as? any Sugared.Type)?.sugaredName ?? _typeName(type, qualified: false)
    }
}

/// A generic type of the standard library whose name people write in a short form.
private protocol Sugared {
    static var sugaredName: String { get }
}

extension Array: Sugared {
    fileprivate static var sugaredName: String { "[\(WireTypeName.of(Element.self))]" }
}

extension Dictionary: Sugared {
    fileprivate static var sugaredName: String { "[\(WireTypeName.of(Key.self)): \(WireTypeName.of(Value.self))]" }
}

extension Optional: Sugared {
    fileprivate static var sugaredName: String { "\(WireTypeName.of(Wrapped.self))?" }
}
