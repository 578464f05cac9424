/// A byte string that is a call, by the place where it stands.
struct OpaquePlace {
    let string: ByteString
    let use: OpaqueCall.Use

    /// All such places in a call, in the order of their cards.
    static func all(in call: DecodedCall) -> [OpaquePlace] {
        guard call.byteStrings.contains(where: { mayHoldCall(call.cards, $0.card) }) else { return [] }
        return find(in: call)
    }

    /// Whether the card before the bytes allows that they are a call: most byte strings are ruled out by it, without a
    /// look at what is around them.
    private static func mayHoldCall(_ cards: [Card], _ card: Int) -> Bool {
        guard card > 0 else { return false }
        return switch cards[card - 1].kind {
        case .enumVariantName(let name, _): name == "Inline"
        case .fieldName(let field): argumentNames.contains(field.name)
        case .varname(let name): argumentNames.contains(name)
        default: false
        }
    }

    /// Names of arguments, and of the field of XCM's `DoubleEncoded`, whose bytes are or may be a call.
    private static let argumentNames: Set<String> = [
        "call", "encoded", "bytes", "encoded_proposal", "inner_call", "encoded_call", "runtime_call", "message",
    ]

    private static func find(in call: DecodedCall) -> [OpaquePlace] {
        var places: [OpaquePlace] = []
        var strings = call.byteStrings[...]
        call.cards.withUnsafeBufferPointer { cards in
            /// Positions of the cards that the next one stands under, the outermost first.
            var around: [Int] = []
            for index in cards.indices {
                guard let string = strings.first else { return }
                while let last = around.last, cards[last].indent >= cards[index].indent { around.removeLast() }
                if string.card == index {
                    strings.removeFirst()
                    if let use = use(CardPath(cards: cards, positions: around[...])) {
                        places.append(OpaquePlace(string: string, use: use))
                    }
                }
                around.append(index)
            }
        }
        return places
    }

    /// What bytes under these cards are used for; nil where they are no call.
    private static func use(_ path: CardPath) -> OpaqueCall.Use? {
        var path = path
        if path.takeVariant("Inline") {
            return path.fieldTypePath?.hasSuffix("preimages >> Bounded") == true ? .inline : nil
        }
        guard let name = path.takeField() else { return nil }
        if name == "encoded", path.lastField == "call" {
            _ = path.takeField()
            return path.takeVariant("Transact") && isExecutedHere(path) ? .execution : .elsewhere
        }
        guard let method = path.lastMethod else { return nil }
        switch name {
        case "bytes", "encoded_proposal": return preimageMethods.contains(method) ? .preimage : nil
        case "encoded": return nil
        case "message": return method == "sudo_send_upward_message" ? .elsewhere : nil
        case "call" where method == "as_multi": return .multisig
        default: return .elsewhere
        }
    }

    private static let preimageMethods: Set<String> = [
        "note_preimage", "note_preimage_operational", "note_imminent_preimage", "note_imminent_preimage_operational",
    ]

    /// Whether an XCM instruction under these cards runs on this chain: in a program that is executed, not sent, and
    /// there not in a part that is sent on.
    private static func isExecutedHere(_ path: CardPath) -> Bool {
        var path = path
        while true {
            if path.takeVariant("SetAppendix") || path.takeVariant("SetErrorHandler") { continue }
            if path.lastField == "xcm" {
                _ = path.takeField()
                guard path.takeVariant("ExecuteWithOrigin") else { return false }
                continue
            }
            for version in ["V0", "V1", "V2", "V3", "V4", "V5"] where path.takeVariant(version) { break }
            return path.takeField() == "message" && path.lastMethod == "execute"
        }
    }
}

/// The cards around another one, the innermost last.
private struct CardPath {
    let cards: UnsafeBufferPointer<Card>
    var positions: ArraySlice<Int>

    private var last: CardKind? { positions.last.map { cards[$0].kind } }

    /// The name of the innermost card, if it is a field's or an argument's.
    var lastField: String? { last?.argument }

    var lastMethod: String? { if case .method(let name, _) = last { name } else { nil } }

    var fieldTypePath: String? { if case .fieldName(let field) = last { field.type.path } else { nil } }

    mutating func takeField() -> String? {
        guard let name = lastField else { return nil }
        positions.removeLast()
        return name
    }

    mutating func takeVariant(_ name: String) -> Bool {
        guard case .enumVariantName(name, _) = last else { return false }
        positions.removeLast()
        return true
    }
}
