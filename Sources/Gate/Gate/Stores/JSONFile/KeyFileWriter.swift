internal import AppAttest
internal import Files
internal import StrictJSON
internal import TextForms

/// Writes the content of the JSON file, piece by piece: a receipt makes an entry of several kilobytes, and there may be
/// many.
enum KeyFileWriter {
    /// Writes keys in the order in which they were registered, and behind them banned accounts and what is no key.
    static func write(
        _ entries: some Collection<KeyTable.Entry>, bans: some Collection<AccountBan>, unreadable: [JSON.Member],
        to output: inout FileOutput
    ) throws(FileError) {
        let inOrder = entries.indices.map { (entries[$0].key.registeredAt, $0) }.sorted { one, other in
            one.0 != other.0
                ? one.0 < other.0
                : entries[one.1].key.id.bytes.lexicographicallyPrecedes(entries[other.1].key.id.bytes)
        }
        output.bytes.append(UInt8(ascii: "{"))
        var separator = "\n  "
        for (_, index) in inOrder {
            output.bytes += separator.utf8
            separator = ",\n  "
            append(entries[index], to: &output.bytes)
            try output.flushIfLarge()
        }
        if !bans.isEmpty {
            output.bytes += "\(separator)\"\(KeyFileContent.bansName)\": {".utf8
            separator = ",\n  "
            var between = "\n    "
            for ban in bans.sorted(by: { $0.account.hex < $1.account.hex }) {
                output.bytes += "\(between)\"\(ban.account.hex)\": {\"bannedAt\": \"".utf8
                between = ",\n    "
                ban.at.append(to: &output.bytes)
                output.bytes += "\", \"reason\": ".utf8
                JSON.write(quoted: ban.reason, to: &output.bytes)
                output.bytes.append(UInt8(ascii: "}"))
                try output.flushIfLarge()
            }
            output.bytes += "\n  }".utf8
        }
        for member in unreadable {
            output.bytes += separator.utf8
            separator = ",\n  "
            JSON.write(quoted: member.name, to: &output.bytes)
            output.bytes += ": ".utf8
            output.bytes += member.value.utf8()
            try output.flushIfLarge()
        }
        output.bytes += "\n}\n".utf8
    }

    private static func append(_ entry: KeyTable.Entry, to bytes: inout [UInt8]) {
        let key = entry.key
        var members = KeyFileMembers(bytes: consume bytes, hasOthers: !entry.others.isEmpty)
        members.begin(key.id)
        members.append("publicKey") { PublicKeyPEM.append(key.publicKey, lineEnd: "\\n", to: &$0) }
        members.append("signCount", number: key.signCount)
        members.append("registeredAt", time: key.registeredAt)
        members.append("appId") { $0 += key.appID.description.utf8 }
        members.append("environment") { $0 += key.environment.rawValue.utf8 }
        members.append("lastUsedAt", time: key.lastUsedAt)
        if let time = key.lastAssertedAt { members.append("lastAssertedAt", time: time) }
        if let category = key.facts.category { members.append("category", number: category) }
        if let version = key.facts.bundleVersion { members.append("bundleVersion", text: version) }
        if let receipt = key.receipt {
            members.append("receipt") { Base64.append(receipt.bytes, to: &$0) }
            if let metric = receipt.riskMetric { members.append("riskMetric", number: metric) }
            if let time = receipt.notBefore { members.append("receiptNotBefore", time: time) }
            if let time = receipt.expiresAt { members.append("receiptExpiresAt", time: time) }
        }
        if let revocation = key.revocation {
            members.append("revokedAt", time: revocation.at)
            members.append("revokedReason", text: revocation.reason)
        }
        if !key.accounts.isEmpty {
            members.append("accounts", list: key.accounts.map(\.hex))
        }
        if let ban = key.deviceBan { members.append("deviceBan") { $0 += ban.rawValue.utf8 } }
        members.end(with: entry.others)
        bytes = members.bytes
    }
}

/// The members of one entry.
private struct KeyFileMembers {
    var bytes: [UInt8]
    private let hasOthers: Bool
    private var isFirst = true
    /// The names of the members so far, kept only where others may have the same.
    private var names: [StaticString] = []

    init(bytes: consuming [UInt8], hasOthers: Bool) {
        self.bytes = bytes
        self.hasOthers = hasOthers
    }

    mutating func begin(_ id: KeyID) {
        bytes.append(UInt8(ascii: "\""))
        Base64.append(id.bytes, to: &bytes)
        bytes += "\": {".utf8
    }

    /// Appends text that may hold any character.
    mutating func append(_ name: StaticString, text: String) {
        begin(member: name)
        JSON.write(quoted: text, to: &bytes)
    }

    mutating func append(_ name: StaticString, number: some FixedWidthInteger) {
        begin(member: name)
        bytes += String(number).utf8
    }

    /// - Parameter list: texts that need no escape.
    mutating func append(_ name: StaticString, list: [String]) {
        begin(member: name)
        bytes += "[\"\(list.joined(separator: "\", \""))\"]".utf8
    }

    mutating func append(_ name: StaticString, time: Timestamp) {
        append(name) { time.append(to: &$0) }
    }

    /// - Parameter text: appends characters that need no escape.
    mutating func append(_ name: StaticString, _ text: (inout [UInt8]) -> Void) {
        begin(member: name)
        bytes.append(UInt8(ascii: "\""))
        text(&bytes)
        bytes.append(UInt8(ascii: "\""))
    }

    /// - Parameter others: as they were read; one whose name has been written since is replaced by that.
    mutating func end(with others: [JSON.Member]) {
        for member in others where !names.contains(where: { $0.isEqual(to: member.name) }) {
            bytes += ", ".utf8
            JSON.write(quoted: member.name, to: &bytes)
            bytes += ": ".utf8
            bytes += member.value.utf8()
        }
        bytes.append(UInt8(ascii: "}"))
    }

    private mutating func begin(member name: StaticString) {
        if !isFirst { bytes += ", ".utf8 }
        isFirst = false
        if hasOthers { names.append(name) }
        bytes.append(UInt8(ascii: "\""))
        name.withUTF8Buffer { bytes += $0 }
        bytes += "\": ".utf8
    }
}

extension StaticString {
    fileprivate func isEqual(to text: String) -> Bool { withUTF8Buffer { $0.elementsEqual(text.utf8) } }
}
