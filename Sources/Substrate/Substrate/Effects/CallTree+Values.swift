import TextForms

/// What stands among the cards of an argument.
extension CallTree {
    /// Whether a card is an account.
    func isAccount(_ index: Int) -> Bool { if case .id = cards[index].kind { true } else { false } }

    func holdsBytes(_ range: Range<Int>) -> Bool {
        range.contains { if case .bytes = cards[$0].kind { true } else { false } }
    }

    func holdsVariant(in range: Range<Int>, _ names: Set<String>) -> Bool {
        range.contains { index in
            if case .enumVariantName(let name, _) = cards[index].kind { names.contains(name) } else { false }
        }
    }

    /// The amount on a card, or the number where metadata do not say that it is one.
    func amount(at index: Int) -> UInt128? {
        switch cards[index].kind {
        case .balance(let amount): amount.value
        case .default(let text): UInt128(text)
        default: nil
        }
    }

    /// Whether a card shows an amount, not a plain number.
    func showsAmount(at index: Int) -> Bool { if case .balance = cards[index].kind { true } else { false } }

    /// Whether a value is an account in one of the forms that calls take one in, and no place on some chain.
    func isPlainAccount(_ range: Range<Int>) -> Bool {
        guard let first = range.first else { return false }
        switch cards[first].kind {
        case .id: return true
        case .enumVariantName(let name, _): return name == "Id" || AddressForm(name) != nil
        default: return false
        }
    }

    /// The path of an argument's type; nil where metadata do not tell.
    func typePath(of value: Range<Int>) -> String? {
        guard value.lowerBound > 0, case .fieldName(let field) = cards[value.lowerBound - 1].kind else { return nil }
        return field.type.path
    }

    /// The number of 256 bits that a value is, as amounts of Ethereum's machine are.
    func wideNumber(in value: Range<Int>) -> WideNumber? {
        guard value.count == 4, typePath(of: value).flatMap({ StructuredKind(typePath: $0) }) == .wideNumber else {
            return nil
        }
        var cursor = CardCursor(cards, value)
        return WideNumber(&cursor)
    }

    /// Whether a call stands in a value.
    func holdsCall(_ range: Range<Int>) -> Bool {
        range.contains { if case .pallet = cards[$0].kind { true } else { false } }
    }

    /// The single values in an argument, each with the names of the fields that lead to it, the argument's first; the
    /// parts of a tuple have numbers.
    func parts(of range: Range<Int>, in argument: String) -> [(path: [String], value: Range<Int>)] {
        var found: [(path: [String], value: Range<Int>)] = []
        var around: [(name: String, indent: Int, isNumber: Bool)] = []
        var index = range.lowerBound
        while index < range.upperBound {
            let indent = cards[index].indent
            around.removeAll { $0.indent >= indent }
            var end = index + 1
            if let number = cards[index].number {
                // What it numbers stands beside it, not below it.
                around.removeAll { $0.isNumber && $0.indent == indent - 1 }
                around.append((number, indent - 1, true))
            } else if let name = cards[index].argument {
                around.append((name, indent, false))
            } else {
                // An address keeps its form.
                if case .enumVariantName = cards[index].kind, end < range.upperBound, cards[end].indent > indent,
                    cards[end].argument == nil
                {
                    end += 1
                }
                found.append(([argument] + around.map(\.name), index..<end))
            }
            index = end
        }
        return found
    }

    /// A value in one line, as an asset's number or the cards of its location.
    func line(of range: Range<Int>) -> String? {
        let texts = cards[range].compactMap { card -> String? in
            switch card.kind {
            case .default(let text), .text(let text): text
            case .enumVariantName(let name, _): name
            case .id(let address): address.text
            case .bytes(let bytes, let text): text ?? "0x" + Hex.encode(bytes)
            default: nil
            }
        }
        return texts.isEmpty ? nil : texts.joined(separator: " ")
    }
}

/// The forms of an address that name no account of the chain by themselves.
enum AddressForm: String {
    case index = "Index"
    case raw = "Raw"
    case address32 = "Address32"
    case address20 = "Address20"

    /// The first letter rules out most names before any text is compared.
    init?(_ name: String) {
        switch name.utf8.first {
        case UInt8(ascii: "I"), UInt8(ascii: "R"), UInt8(ascii: "A"): self.init(rawValue: name)
        default: return nil
        }
    }
}
