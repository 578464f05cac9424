/// The name of a type as it is declared: `[UInt8]`, `Reply?`, `[String: Int]`, `DecodeRequest`.
enum WireTypeName {
    static func of(_ type: any Any.Type) -> String {
        (type as? any Sugared.Type)?.sugaredName ?? String(describing: type)
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
