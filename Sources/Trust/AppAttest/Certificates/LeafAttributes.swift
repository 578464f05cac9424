import SwiftASN1

/// What Apple says in the leaf of an attestation about the key and its device.
///
/// Source: `appattest-gate` section 1.5.
struct LeafAttributes: Sendable {
    /// The nonce extension in its only form: SEQUENCE { [1] { OCTET STRING (32 bytes) } }.
    private static let noncePrefix: [UInt8] = [0x30, 0x24, 0xa1, 0x22, 0x04, 0x20]
    private static let nonceByteCount = 38

    private let certificate: ChainCertificate

    init(_ certificate: ChainCertificate) { self.certificate = certificate }

    /// The content of the nonce extension, whatever its form.
    var nonceExtension: ArraySlice<UInt8>? { certificate.value(of: ExtensionID.nonce) }

    /// The 32 bytes in a nonce extension; nil if it has another form.
    static func nonce(in content: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard content.count == nonceByteCount, content.starts(with: noncePrefix) else { return nil }
        return content.dropFirst(noncePrefix.count)
    }

    enum NamedApp: Equatable {
        case none
        case app(ArraySlice<UInt8>)
        case unreadable
    }

    /// The App ID that the key was made for: element [1204] of the key attributes.
    var namedApp: NamedApp {
        guard let content = certificate.value(of: ExtensionID.keyAttributes) else { return .none }
        do {
            guard let element = try Self.element(1204, in: content) else { return .none }
            return .app(try Self.octets(element))
        } catch {
            return .unreadable
        }
    }

    /// The rules by which the key may be used, as the device encodes them.
    var accessControl: ArraySlice<UInt8>? {
        guard let content = certificate.value(of: ExtensionID.accessControl) else { return nil }
        do {
            var outer = BERReader(content, rules: .distinguished)
            var inner = BERReader(try outer.required(.sequence).content, rules: .distinguished)
            let element = try inner.required(.explicit(3))
            try inner.end()
            try outer.end()
            return try Self.octets(element)
        } catch {
            return nil
        }
    }

    /// A text of the device attributes, which nothing depends on: nil too where it cannot be read.
    func deviceText(_ number: UInt32) -> String? {
        guard let content = certificate.value(of: ExtensionID.deviceAttributes),
            let element = try? Self.element(number, in: content), let octets = try? Self.octets(element)
        else { return nil }
        return String(validating: octets, as: UTF8.self)
    }

    /// The first element with this tag in a sequence of tagged ones.
    private static func element(_ number: UInt32, in content: ArraySlice<UInt8>) throws(BERError) -> BERElement? {
        var outer = BERReader(content, rules: .distinguished)
        var elements = BERReader(try outer.required(.sequence).content, rules: .distinguished)
        try outer.end()
        var found: BERElement?
        while let element = try elements.next() {
            if found == nil, element.tag == .explicit(number) { found = element }
        }
        return found
    }

    /// The octet string that a tag stands around.
    private static func octets(_ element: BERElement) throws(BERError) -> ArraySlice<UInt8> {
        var reader = BERReader(element.content, rules: .distinguished)
        let string = try reader.required(.octetString)
        try reader.end()
        return string.content
    }
}
