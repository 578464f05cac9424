/// What can be wrong with a transaction only where metadata writes types as text (`signer-wire` sections 5.4, 6.3).
public enum TypeTextError: Error, Hashable, Sendable {
    /// Calls are to be read and there is no types table to read them with.
    case noTypesTable
    /// The text is neither a form of the language nor a name in the types table; `text` is cut at 64 bytes.
    case unknownType(text: String)
    /// A type is made compact that cannot be.
    case unexpectedCompactInsides(text: String)
    /// The types table does not name the flag in this position.
    case idFields(position: Int)
    /// The pallet has no call of that index.
    case methodNotFound(pallet: String, index: UInt8)
    /// The extensions are not the seven values that stand behind every call.
    case extensionsOlder(offset: Int)

    var code: String {
        switch self {
        case .noTypesTable: "NoTypesTable"
        case .unknownType: "UnknownType"
        case .unexpectedCompactInsides: "UnexpectedCompactInsides"
        case .idFields: "IdFields"
        case .methodNotFound: "MethodNotFound"
        case .extensionsOlder: "ExtensionsOlder"
        }
    }
}

extension TypeTextError: CustomStringConvertible {
    /// What happened, in plain words.
    public var description: String {
        switch self {
        case .noTypesTable:
            "the network's metadata names the types of a call, and the table that says what the names mean is missing "
                + "here: scan or load a types update"
        case .unknownType(let text): "the types table does not tell what the type \(text) is"
        case .unexpectedCompactInsides(let text): "the type \(text) cannot be compact"
        case .idFields(let position): "the types table does not name identity field \(position)"
        case .methodNotFound(let pallet, let index): "the pallet \(pallet) has no call with index \(index)"
        case .extensionsOlder(let offset):
            "at byte \(offset): the end of the transaction is not made of era, nonce, tip, versions and two hashes"
        }
    }
}

extension DecodingLimits {
    /// Indentation of a call described by metadata 12 or 13: each call inside another stands three steps further in.
    static let callIndent = 384
    /// Bytes of the text of a type.
    static let typeTextByteCount = 1024
}
