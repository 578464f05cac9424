import BasicFoundation

/// A value that can be sealed: it has one form as bytes, the same on every machine.
///
/// Conforming types are those below; an application's own types go in as ``JSONSealed``.
public protocol SealableValue: Sendable {
    /// Calls `body` with the form.
    func withSealableForm<R>(_ body: (SealableForm, UnsafeRawBufferPointer) -> R) throws(MainKeyError) -> R

    /// - Throws: `malformed` if the form is one of another type.
    init(sealableForm form: SealableForm, _ payload: UnsafeRawBufferPointer) throws(MainKeyError)
}

/// The type of a sealed value's content, by its tag.
public enum SealableForm: UInt8, Sendable {
    case text = 1
    case bytes = 2
    case int = 3
    case double = 4
    case json = 5
    case bool = 6
    /// A date in milliseconds since 1970.
    case date = 7

    package func expect(_ wanted: SealableForm) throws(MainKeyError) {
        guard self == wanted else { throw PlaintextForm.malformed("it holds \(self), not \(wanted)") }
    }
}

extension String: SealableValue {
    public func withSealableForm<R>(_ body: (SealableForm, UnsafeRawBufferPointer) -> R) -> R {
        var copy = self
        return copy.withUTF8 { body(.text, UnsafeRawBufferPointer($0)) }
    }

    public init(sealableForm form: SealableForm, _ payload: UnsafeRawBufferPointer) throws(MainKeyError) {
        try form.expect(.text)
        self = String(decoding: payload, as: UTF8.self)
    }
}

extension Data: SealableValue {
    public func withSealableForm<R>(_ body: (SealableForm, UnsafeRawBufferPointer) -> R) -> R {
        withUnsafeBytes { body(.bytes, $0) }
    }

    public init(sealableForm form: SealableForm, _ payload: UnsafeRawBufferPointer) throws(MainKeyError) {
        try form.expect(.bytes)
        self = Data(payload)
    }
}

extension Int64: SealableValue {
    public func withSealableForm<R>(_ body: (SealableForm, UnsafeRawBufferPointer) -> R) -> R {
        withUnsafeBytes(of: bigEndian) { body(.int, $0) }
    }

    public init(sealableForm form: SealableForm, _ payload: UnsafeRawBufferPointer) throws(MainKeyError) {
        try form.expect(.int)
        self = Int64(bigEndian: payload.loadUnaligned(as: Int64.self))
    }
}

extension Int: SealableValue {
    public func withSealableForm<R>(_ body: (SealableForm, UnsafeRawBufferPointer) -> R) -> R {
        Int64(self).withSealableForm(body)
    }

    public init(sealableForm form: SealableForm, _ payload: UnsafeRawBufferPointer) throws(MainKeyError) {
        self = Int(try Int64(sealableForm: form, payload))
    }
}

extension Double: SealableValue {
    public func withSealableForm<R>(_ body: (SealableForm, UnsafeRawBufferPointer) -> R) -> R {
        withUnsafeBytes(of: bitPattern.bigEndian) { body(.double, $0) }
    }

    public init(sealableForm form: SealableForm, _ payload: UnsafeRawBufferPointer) throws(MainKeyError) {
        try form.expect(.double)
        self = Double(bitPattern: UInt64(bigEndian: payload.loadUnaligned(as: UInt64.self)))
    }
}

extension Bool: SealableValue {
    public func withSealableForm<R>(_ body: (SealableForm, UnsafeRawBufferPointer) -> R) -> R {
        withUnsafeBytes(of: self ? UInt8(1) : 0) { body(.bool, $0) }
    }

    public init(sealableForm form: SealableForm, _ payload: UnsafeRawBufferPointer) throws(MainKeyError) {
        try form.expect(.bool)
        self = payload[0] == 1
    }
}

/// A date is sealed to the millisecond.
extension Date: SealableValue {
    public func withSealableForm<R>(_ body: (SealableForm, UnsafeRawBufferPointer) -> R) throws(MainKeyError) -> R {
        guard let milliseconds = Int64(exactly: (timeIntervalSince1970 * 1000).rounded()) else {
            throw .configError(reason: "a date is too far away to be sealed")
        }
        return withUnsafeBytes(of: milliseconds.bigEndian) { body(.date, $0) }
    }

    public init(sealableForm form: SealableForm, _ payload: UnsafeRawBufferPointer) throws(MainKeyError) {
        try form.expect(.date)
        let milliseconds = Int64(bigEndian: payload.loadUnaligned(as: Int64.self))
        self = Date(timeIntervalSince1970: Double(milliseconds) / 1000)
    }
}

/// Any `Codable` value, sealed as JSON with sorted keys.
public struct JSONSealed<Value: Codable & Sendable>: SealableValue {
    /// What is sealed.
    public var value: Value

    /// Makes a value that is sealed as JSON.
    public init(_ value: Value) {
        self.value = value
    }

    public func withSealableForm<R>(_ body: (SealableForm, UnsafeRawBufferPointer) -> R) throws(MainKeyError) -> R {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let data: Data
        do { data = try encoder.encode(value) } catch {
            throw .configError(reason: "a \(Value.self) has no form as JSON")
        }
        return data.withUnsafeBytes { body(.json, $0) }
    }

    public init(sealableForm form: SealableForm, _ payload: UnsafeRawBufferPointer) throws(MainKeyError) {
        try form.expect(.json)
        do { value = try JSONDecoder().decode(Value.self, from: Data(payload)) } catch {
            throw PlaintextForm.malformed("its JSON is not a \(Value.self)")
        }
    }
}

extension JSONSealed: Equatable where Value: Equatable {}
extension JSONSealed: Hashable where Value: Hashable {}
