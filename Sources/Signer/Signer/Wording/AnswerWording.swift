import Substrate
import TextForms

/// The words for what an answer says.
package struct AnswerWording: Sendable {
    package let answer: Answer

    package init(_ answer: Answer) { self.answer = answer }

    // MARK: Cards

    /// A card as a line for people, with text and names from outside marked as such.
    ///
    /// - Parameter asset: what an amount on it is of.
    package static func line(_ kind: CardKind, asset: Asset = .native) -> [SaidPart] {
        switch kind {
        case .warning(let warning): return [.words(explain(warning), .warning)]
        case .error(let error): return [.words("\(error.message) [\(error.code)]", .danger)]
        case .pallet(let name), .method(let name, _):
            return [.words("\(kind.name): \(ForeignName.shown(name))", .bold)]
        case .varname(let name), .enumVariantName(let name, _), .identityField(let name):
            return [.words("\(kind.name): \(ForeignName.shown(name))")]
        case .fieldName(let field): return [.words("\(kind.name): \(ForeignName.shown(field.name))")]
        case .text(let text), .bytes(_, let text?): return [.words("\(kind.name): "), .text(text)]
        case .bytes(let bytes, nil): return [.words("bytes: "), .bytes(bytes)]
        case .id(let address): return [.words("Id: "), .address(address)]
        case .balance(let amount), .tip(let amount):
            return [.words("\(kind.name): "), .amount(AssetAmount(asset: asset, value: amount.value))]
        case .bitvec(let bits): return [.words("bitvec: "), .bits(bits)]
        case .nameVersion(let name, let version): return [.words("network: \(ForeignName.shown(name + version))")]
        case .blockHash(let hash): return [.words("block_hash: "), .whole(hash.hex)]
        case .newSpecs(let specs): return [.words("new_specs: \(ForeignName.shown(specs.title, as: .title))")]
        case .networkInfo(let title, _, _): return [.words("network_info: \(ForeignName.shown(title, as: .title))")]
        default: return [.words(kind.line)]
        }
    }

    /// A warning in words that are fit for a screen.
    package static func explain(_ warning: CardWarning) -> String {
        switch warning {
        case .proofInfoMismatch(let field, let proof, let stored):
            "The metadata proof says \(field) \(ForeignName.shown(proof, as: .title)), this vault knows "
                + "\(ForeignName.shown(stored, as: .title)). What is shown follows the proof; if it lies, the chain will refuse "
                + "the signature."
        default: ScreenText.escape("\(warning)")
        }
    }

    /// The heading of a section of cards, by its name.
    package static func heading(ofSection name: String) -> String {
        switch name {
        case "error": "Cannot be signed"
        case "warning": "Warnings"
        case "message": "Message"
        case "method": "In full"
        case "extensions": "Under these conditions"
        case "new_specs": "Network"
        default: name
        }
    }

    // MARK: Calls

    /// A call's name, fit for a screen.
    package static func name(of leaf: CallLeaf) -> String {
        let method = leaf.method.isEmpty ? "" : "." + ForeignName.shown(leaf.method)
        return ForeignName.shown(leaf.pallet) + method
    }

    /// The account or origin that a call acts for; nil if that is the account that signs.
    package static func origin(_ origin: CallOrigin) -> [SaidPart]? {
        func account(_ address: AccountAddress?) -> SaidPart {
            address.map { .account($0, .warning) } ?? .words("whose address cannot be computed", .warning)
        }
        return switch origin {
        case .signer: nil
        case .account(let address): [account(address), .words(", which lets the signer act for it", .warning)]
        case .multisig(let address): [.words("the multisig ", .warning), account(address)]
        case .derivative(let address): [.words("the derived account ", .warning), account(address)]
        case .root: [.words("the chain itself (root)", .warning)]
        case .named(let name): [.words(ForeignName.shown(name, as: .phrase), .warning)]
        case .decided(let method): [.words("whom \(ForeignName.shown(method, as: .phrase)) decides", .warning)]
        }
    }

    /// The arguments of a call, of which nothing is left out.
    package func arguments(of leaf: CallLeaf) -> [CallArgument] {
        guard let effects = answer.effects, let network = answer.network else { return [] }
        return CallArguments(of: leaf, in: answer.callCards, effects: effects, network: network).all
    }

    // MARK: Amounts

    /// An amount in words that are fit for a screen, in parts: what must not be broken, and what may.
    package func amount(_ amount: AssetAmount) -> [SaidPart] {
        guard let network = answer.network else { return [.whole("\(amount.value)")] }
        let text = Self.text(of: amount, on: network)
        guard amount.asset == .native else { return [.words(text)] }
        if ForeignName.isPlainSymbol(network.unit) { return [.whole(text)] }
        let number = text.prefix { $0 != " " }
        return [.whole(String(number)), .words(String(text.dropFirst(number.count)))]
    }

    /// An amount, fit for a sentence of this program's.
    static func text(of amount: AssetAmount, on network: NetworkSpecs) -> String {
        guard amount.asset == .native else { return ForeignName.shown(amount.text(on: network), as: .sentence) }
        let shown = Amount(amount.value, decimals: network.decimals, unit: network.unit)
        guard !ForeignName.isPlainSymbol(network.unit) else { return "\(shown)" }
        return "\(shown.number) \(ForeignName.shown(shown.units))"
    }
}
