/// Why bytes are not CBOR of the profile. `offset` counts from the first of them.
enum CBORError: Error, Equatable, Sendable {
    /// The bytes end inside an item, or a length or count says more than the bytes left can hold.
    case truncated(offset: Int)
    /// A tag, a float, an indefinite length, or a simple value other than false, true and null.
    case unsupported(offset: Int, head: UInt8)
    /// A head that has a shorter form.
    case notShortest(offset: Int)
    case badUTF8(offset: Int)
    /// A key that is no integer, text or byte string.
    case badKey(offset: Int)
    case duplicateKey(offset: Int)
    case tooDeep(offset: Int)
    case trailingBytes(offset: Int)
}

extension CBORError: CustomStringConvertible {
    var description: String {
        switch self {
        case .truncated(let offset): "at byte \(offset): the bytes end inside an item"
        case .unsupported(let offset, let head):
            "at byte \(offset): no item of the profile begins with the byte \(head)"
        case .notShortest(let offset): "at byte \(offset): the head of an item has a shorter form"
        case .badUTF8(let offset): "at byte \(offset): the text is not UTF-8"
        case .badKey(let offset): "at byte \(offset): the key of a map is neither an integer, nor text, nor bytes"
        case .duplicateKey(let offset): "at byte \(offset): a key of a map is there twice"
        case .tooDeep(let offset): "at byte \(offset): more than \(CBORDecoder.depthLimit) items within each other"
        case .trailingBytes(let offset): "at byte \(offset): bytes are left over behind the item"
        }
    }
}
