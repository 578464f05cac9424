import Identicons
import Navigator
import Signer
import SignerCore
import Substrate
import TextForms

/// Pictures of what pages name.
extension Identicon {
    init(_ source: IdenticonSource) {
        switch source {
        case .dots(let key): self.init(.polkadot, of: key)
        case .blockies(let address): self.init(.blockies, of: Hex.decode(String(address.dropFirst(2))) ?? [])
        }
    }

    /// - Parameter hex: a public key, an account, or BLAKE2b-256 of a blob.
    init(ofHex hex: String) { self.init(.polkadot, of: Hex.decode(hex) ?? []) }

    /// The picture of a key in its network: Ethereum's for an address of Ethereum's form.
    init(of card: KeyCard) {
        if card.address.hasPrefix("0x"), card.address.utf8.count == 42 {
            self.init(.blockies(card.address))
        } else {
            self.init(ofHex: card.account)
        }
    }
}

extension SelfCheckLine.Verdict {
    var severity: Severity {
        switch self {
        case .ok: .good
        case .warn: .warning
        case .fail: .danger
        }
    }
}

extension Row {
    /// A value with what it is called.
    static func fact(_ id: String, _ title: Text, is value: Text, advice: Text? = nil) -> Row {
        Row(id: id, title: title, value: value, detail: advice)
    }

    /// A row that leads somewhere.
    static func link(_ id: String, _ icon: Icon, title: Text, value: Text, does action: UserAction) -> Row {
        Row(
            id: id, picture: .icon(icon), title: title, value: value, press: .send(action), emphasis: .title)
    }

    /// A line of a check: its verdict as a word with an icon, its code, what was found.
    init(_ line: SelfCheckLine, number: Int) {
        let severity = line.verdict.severity
        self.init(
            id: "check-\(number)", title: Text(own: line.code), value: Text(own: line.text),
            marks: [Mark(severity: severity, icon: severity.icon, text: severity.word)])
    }

    /// A key that signs updates, by its whole public key; where there is none it says so.
    static func verifier(_ id: String, _ title: Text, of verifier: VerifierData?, press: Message? = nil) -> Row {
        guard let key = verifier?.publicKey else {
            return Row(
                id: id, picture: .icon(.verifier), title: title, value: "none",
                detail: "Nobody vouches.", press: press)
        }
        return Row(
            id: id, picture: .identicon(Identicon(ofHex: key)), title: title, value: Text(hex: key),
            detail: verifier?.scheme.map { Text(own: $0) }, press: press)
    }
}

extension Text {
    /// A path as people see it: the key of the seed itself has none.
    init(path: String) { self = path.isEmpty ? "(root)" : Text(name: path, as: .title, .monospaced) }

    init(_ count: Int, _ one: Text, plural: Text) { self = "\(count) \(count == 1 ? one : plural)" }
}

extension Block {
    /// The notice that a seed's phrase is known to everybody.
    static func publicPhrase(_ notice: String) -> Block {
        .card(.warning, title: "Public phrase", text: Text(own: notice))
    }
}

extension ForeignBlock {
    /// Columns of a block: they fit the narrowest window.
    static let width = 32

    /// Text from outside on lines of its own.
    init(_ text: String, limits: ForeignText.Limits = .usual) {
        let block = ForeignText(text).block(width: Self.width, limits: limits)
        self.init(lines: block.lines)
        if block.isCut {
            let bytes = Array(text.utf8)
            rest = SaidText.plain(SaidPart.whole(of: bytes))
        }
    }
}
