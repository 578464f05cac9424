import TextForms

/// Votes, and what else pallets of governance and staking ask for.
extension ArgumentReader {
    /// `AccountVote` of democracy and of OpenGov. The names of its fields tell its variants apart, also where metadata
    /// 12 and 13 leave the name of the variant out.
    func readVote(_ cursor: inout CardCursor) -> ArgumentReading? {
        _ = cursor.variant()
        if cursor.field("vote") {
            guard let (side, conviction) = standardVote(&cursor), cursor.field("balance"), let amount = cursor.number()
            else { return nil }
            return ArgumentReading(lines: [[.words("\(side), \(conviction.words), "), native(amount)]])
        }
        var line: [ValuePiece] = []
        for (name, words) in [("aye", "aye with "), ("nay", ", nay with "), ("abstain", ", abstain with ")] {
            guard cursor.field(name) else {
                if name == "abstain" { break }
                return nil
            }
            guard let amount = cursor.number() else { return nil }
            line += [.words(words), native(amount)]
        }
        return ArgumentReading(lines: [line])
    }

    /// One byte: the highest bit says aye, the others are the conviction.
    private func standardVote(_ cursor: inout CardCursor) -> (side: String, conviction: Conviction)? {
        guard let byte = cursor.number().flatMap({ UInt8(exactly: $0) }),
            let conviction = Conviction(rawValue: byte & 0x7f)
        else { return nil }
        return (byte & 0x80 == 0 ? "nay" : "aye", conviction)
    }

    private func native(_ value: UInt128) -> ValuePiece { .amount(AssetAmount(asset: .native, value: value)) }

    func readConviction(_ cursor: inout CardCursor) -> ArgumentReading? {
        // An enum of two variants that are called so would be an option; this one has seven.
        guard let conviction = cursor.variant().flatMap(Conviction.init(variant:)) else { return nil }
        return ArgumentReading(lines: [[.words(conviction.words)]])
    }

    func readApproval(_ cursor: inout CardCursor) -> ArgumentReading? {
        cursor.bool().map { ArgumentReading(lines: [[.words($0 ? "aye" : "nay")]]) }
    }

    func readPayee(_ cursor: inout CardCursor) -> ArgumentReading? {
        switch cursor.variant() {
        case "Staked": return ArgumentReading(lines: [[.words("to the stash, and staked at once")]])
        case "Stash": return ArgumentReading(lines: [[.words("to the stash")]])
        case "Controller": return ArgumentReading(lines: [[.words("to the controller")]])
        case "None": return ArgumentReading(lines: [[.words("to nobody")]])
        case "Account":
            guard let account = cursor.account() else { return nil }
            return ArgumentReading(
                lines: [[.words("to the account "), .account(account)]],
                accounts: [ArgumentReading.Place(account: account, words: "on this chain")])
        default: return nil
        }
    }

    /// `system.Root`, `Origins.BigSpender`, `system.Signed` with an account, a collective with how many of it agree.
    func readOrigin(_ cursor: inout CardCursor) -> ArgumentReading? {
        var names: [String] = []
        while let name = cursor.variant() { names.append(name) }
        guard !names.isEmpty else { return nil }
        var line: [ValuePiece] = [.words(names.joined(separator: "."))]
        var accounts: [ArgumentReading.Place] = []
        while let kind = cursor.kind {
            if cursor.fieldName == "parents" {
                guard let seen = cursor.location()?.simplified(on: chain) else { return nil }
                line += [.words(" ")] + words.pieces(seen)
                accounts.append(words.recipient(seen))
                continue
            }
            if let piece = ValuePiece(card: kind) { line += [.words(" "), piece] }
            if case .id(let account) = kind {
                accounts.append(ArgumentReading.Place(account: account, words: "on this chain"))
            }
            cursor.advance()
        }
        return ArgumentReading(lines: [line], accounts: accounts)
    }

    func readMoment(_ cursor: inout CardCursor) -> ArgumentReading? {
        switch cursor.variant() {
        case "At": cursor.number().map { ArgumentReading(lines: [[.words("at block "), .number("\($0)")]]) }
        case "After":
            cursor.number().map { ArgumentReading(lines: [[.words("after "), .number("\($0)"), .words(" blocks")]]) }
        default: nil
        }
    }

    /// `Bounded` of the pallet that keeps preimages: only what is inline, and was decoded, is seen by who signs.
    func readCallReference(_ cursor: inout CardCursor) -> ArgumentReading? {
        guard let indent = cursor.indent else { return nil }
        switch cursor.variant() {
        case "Inline": return readInlineCall(&cursor)
        case "Lookup", "Legacy":
            guard cursor.field("hash"), let hash = cursor.bytes() else { return nil }
            cursor.skip(inside: indent)
            return ArgumentReading(lines: [[.words("the call with the hash "), .bytes(hash)]], hidesCall: true)
        default: return nil
        }
    }

    /// The bytes of a call, which stands decoded under them where they could be decoded.
    func readInlineCall(_ cursor: inout CardCursor) -> ArgumentReading? {
        guard let indent = cursor.indent, let bytes = cursor.bytes() else { return nil }
        let name = cursor.isInside(indent) ? callName(&cursor) : nil
        cursor.skip(inside: indent)
        if let name { return ArgumentReading(lines: [[.words("the call \(name), shown by itself")]]) }
        return ArgumentReading(
            lines: [[.words("a call that cannot be shown, \(bytes.count) bytes: "), .bytes(bytes)]], hidesCall: true)
    }

    /// `Balances.transfer_keep_alive`, where a call comes next.
    private func callName(_ cursor: inout CardCursor) -> String? {
        guard case .pallet(let pallet) = cursor.kind else { return nil }
        cursor.advance()
        guard case .method(let method, _) = cursor.kind else { return pallet }
        return "\(pallet).\(method)"
    }
}
