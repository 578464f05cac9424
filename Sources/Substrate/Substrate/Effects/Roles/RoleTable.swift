import CTexts

/// What the arguments of calls mean: data, a line for each call. `roles.txt` begins with what a line says.
struct RoleTable: Sendable {
    static let shared = RoleTable(text)
    static var text: String {
        let text = casemate_roles()
        return String(decoding: UnsafeRawBufferPointer(start: text.bytes, count: text.count), as: UTF8.self)
    }

    /// Lines by method, in the order in which they stand.
    private var lines: [String: [Line]] = [:]

    private struct Line: Sendable {
        let pallets: [PalletPattern]
        let roles: CallRoles
    }

    init(_ text: String) {
        for line in Self.lines(of: text) {
            let parts = line.parts(separatedBy: " ", maxSplits: 2)
            guard parts.count >= 2 else { continue }
            let pallets = parts[0].parts(separatedBy: "|").map(PalletPattern.init)
            let entry = Line(pallets: pallets, roles: Self.parse(parts.count > 2 ? parts[2] : ""))
            for method in parts[1].parts(separatedBy: "|") { lines[String(method), default: []].append(entry) }
        }
    }

    /// The lines of a text, without those that begin with `#`.
    private static func lines(of text: String) -> [Substring] {
        text[...].parts(separatedBy: "\n").filter { !$0.hasPrefix("#") }
    }

    /// - Returns: nil for a call that the table does not know.
    func roles(pallet: String, method: String) -> CallRoles? {
        find(pallet: pallet, method: method) ?? find(pallet: pallet, method: "*")
    }

    /// A pallet's own line comes before one for several.
    private func find(pallet: String, method: String) -> CallRoles? {
        guard let lines = lines[method] else { return nil }
        let line =
            lines.first { $0.pallets.contains { $0.isExact && $0.matches(pallet) } }
            ?? lines.first { $0.pallets.contains { $0.matches(pallet) } }
        return line?.roles
    }

    private static func parse(_ text: Substring) -> CallRoles {
        var roles = CallRoles()
        for token in text.parts(separatedBy: " ") {
            if token.hasPrefix("!") {
                if let mark = CallMarks.byName[String(token.dropFirst())] { roles.marks.insert(mark) }
            } else if let equals = token.utf8.firstIndex(of: UInt8(ascii: "=")) {
                if let role = ArgumentRole(token[token.utf8.index(after: equals)...]) {
                    roles.entries.append((String(token[..<equals]), role))
                }
            } else {
                roles.rest = ArgumentRole(token)
            }
        }
        // What only the chain may call is shown, whatever its arguments are.
        if roles.marks.contains(.chain), roles.rest == nil { roles.rest = .shown(.chain) }
        return roles
    }

    // MARK: Checks

    /// Tokens that are neither mark nor role, for tests.
    static func misspelt(in text: String) -> [Substring] {
        lines(of: text).flatMap { line in
            line.parts(separatedBy: " ").dropFirst(2).filter { token in
                if token.hasPrefix("!") { return CallMarks.byName[String(token.dropFirst())] == nil }
                return ArgumentRole(token.firstIndex(of: "=").map { token[token.index(after: $0)...] } ?? token) == nil
            }
        }
    }
}

extension Substring {
    /// Splits ASCII text. Bytes are compared: the whole table is read before the first call is shown, and finding where
    /// characters end took most of that.
    fileprivate func parts(separatedBy separator: Unicode.Scalar, maxSplits: Int = .max) -> [Substring] {
        utf8.split(separator: UInt8(ascii: separator), maxSplits: maxSplits).map { Substring($0) }
    }
}

/// A pallet's name, or an end or a part of it.
private struct PalletPattern: Sendable {
    private let text: String
    private let isOpenInFront: Bool
    private let isOpenBehind: Bool

    init(_ text: Substring) {
        isOpenInFront = text.hasPrefix("*")
        isOpenBehind = text.hasSuffix("*")
        let name = text.utf8.drop { $0 == UInt8(ascii: "*") }.dropLast(isOpenBehind ? 1 : 0)
        self.text = String(Substring(name))
    }

    var isExact: Bool { !isOpenInFront && !isOpenBehind }

    func matches(_ pallet: String) -> Bool {
        switch (isOpenInFront, isOpenBehind) {
        case (false, false): pallet == text
        case (true, false): pallet.hasSuffix(text)
        case (false, true): pallet.hasPrefix(text)
        case (true, true): pallet.contains(text)
        }
    }
}

extension ArgumentRole {
    /// A role as the table writes it.
    fileprivate init?(_ text: Substring) {
        switch text {
        case "to": self = .party(.receiver)
        case "from": self = .party(.source)
        case "rights": self = .party(.rights)
        case "owner": self = .party(.owner)
        case "loses": self = .party(.loses)
        case "asset": self = .asset
        case "opaque", "remote": self = .opaqueCall
        case "hash": self = .callHash
        case "text": self = .text
        case "times": self = .times
        case "program": self = .structured(.program)
        case "vote": self = .structured(.vote)
        case "path": self = .structured(.path)
        case "assets:sent": self = .structured(.assets(areSent: true))
        case "assets:shown": self = .structured(.assets(areSent: false))
        default:
            if text.hasPrefix("!") {
                guard let mark = CallMarks.byName[String(text.dropFirst())] else { return nil }
                self = .flag(mark)
            } else if text.hasPrefix("~") {
                guard let reason = ShownReason(rawValue: String(text.dropFirst())) else { return nil }
                self = .shown(reason)
            } else if text.hasPrefix("location:") {
                guard let use = StructuredRole.LocationUse(rawValue: String(text.dropFirst(9))) else { return nil }
                self = .structured(.location(use))
            } else {
                self.init(amount: text)
            }
        }
    }

    private init?(amount text: Substring) {
        let parts = text.split(separator: "/", maxSplits: 1)
        guard let first = parts.first else { return nil }
        let countsNumbers = first.hasSuffix("#")
        guard let use = AmountUse(rawValue: String(countsNumbers ? first.dropLast() : first)) else { return nil }
        self = .amount(use, of: parts.count > 1 ? AssetReference(parts[1]) : .ofCall, countsNumbers: countsNumbers)
    }
}

extension AssetReference {
    fileprivate init(_ text: Substring) {
        switch text {
        case "self": self = .pallet
        case "?": self = .unknown
        case _ where text.hasPrefix("="):
            let parts = text.dropFirst().split(separator: ":", maxSplits: 1)
            let arguments = parts.dropFirst().first?.split(separator: ",") ?? []
            self = .named(String(parts.first ?? ""), of: arguments.map { String($0) })
        case _ where text.hasSuffix(".first"): self = .firstItem(of: String(text.dropLast(6)))
        case _ where text.hasSuffix(".last"): self = .lastItem(of: String(text.dropLast(5)))
        default: self = .argument(String(text))
        }
    }
}
