extension ValuePiece {
    /// A value as it stands on its card; nil for a card that is none.
    init?(card kind: CardKind) {
        switch kind {
        case .enumVariantName(let name, _), .identityField(let name), .pallet(let name), .method(let name, _):
            self = .words(name)
        case .default(let text): self.init(plain: text)
        case .text(let text): self = .text(text)
        case .bytes(let bytes, _): self = .bytes(bytes)
        case .id(let address): self = .account(address)
        case .none: self = .words("none")
        case .balance(let amount): self = .number("\(amount.value)")
        case .bitvec(let bits): self = .number(bits)
        default: return nil
        }
    }

    /// A number, a bool, the mark of an empty list; or a character, which may have been chosen outside.
    private init(plain text: String) {
        let isNumber = text.utf8.allSatisfy {
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: "-")
        }
        switch text {
        case "": self = .words("nothing")
        case "true", "false": self = .words(text)
        default: self = isNumber ? .number(text) : .text(text)
        }
    }
}
