import BigEndian

/// What a sealed value is, and where it belongs: a value sealed for one place does not open in another
/// (`mainkey` section 7).
public enum SealedPurpose: Hashable, Sendable {
    /// An attribute of a database.
    case column(table: String, column: String)
    /// An access or refresh token.
    case token(String)
    /// A key item.
    case item(String)
    /// Anything else of the application; 1 to 64 of `a-z`, `0-9`, `.`, `_` and `-`.
    case app(String)

    /// Names are compared byte by byte, as they go into keys: two spellings of `é` are two names.
    public static func == (left: SealedPurpose, right: SealedPurpose) -> Bool {
        switch (left, right) {
        case (.column(let table, let column), .column(let otherTable, let otherColumn)):
            table.isSpelled(like: otherTable) && column.isSpelled(like: otherColumn)
        case (.token(let name), .token(let other)), (.item(let name), .item(let other)),
            (.app(let name), .app(let other)):
            name.isSpelled(like: other)
        default: false
        }
    }

    /// The byte in the sealed value.
    var code: UInt8 {
        switch self {
        case .column: 1
        case .token: 2
        case .item: 3
        case .app: 4
        }
    }

    var label: KeyLabel {
        switch self {
        case .column: .subkey("db-attr")
        case .token: .subkey("token")
        case .item: .subkey("item")
        case .app: .subkey("app")
        }
    }

    /// The names, each behind its length as two bytes.
    package func context() throws(MainKeyError) -> [UInt8] {
        switch self {
        case .column(let table, let column): try lengthPrefixed(table) + lengthPrefixed(column)
        case .token(let name), .item(let name): try lengthPrefixed(name)
        case .app(let name):
            if Self.isAppName(name) {
                try lengthPrefixed(name)
            } else {
                throw .configError(reason: "'\(name)' is not 1 to 64 of a-z, 0-9, '.', '_' and '-'")
            }
        }
    }

    private static func isAppName(_ name: String) -> Bool {
        (1...64).contains(name.utf8.count)
            && name.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
                case UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"): true
                default: false
                }
            }
    }
}

extension String {
    /// Whether the bytes are the same, not only what is read.
    func isSpelled(like other: String) -> Bool {
        var (left, right) = (self, other)
        return left.withUTF8 { left in
            right.withUTF8 { left.count == $0.count && left.elementsEqual($0) }
        }
    }

    /// What follows a prefix, byte by byte: a mark behind it belongs to what follows, though it is read with the
    /// prefix's last character.
    ///
    /// - Returns: nil where it does not begin so.
    func spelling(behind prefix: String) -> String? {
        guard utf8.starts(with: prefix.utf8) else { return nil }
        return String(self[utf8.index(startIndex, offsetBy: prefix.utf8.count)...])
    }
}

/// BE16 length ‖ UTF-8. Names are compared byte by byte; nothing is normalised.
func lengthPrefixed(_ name: String) throws(MainKeyError) -> [UInt8] {
    let bytes = Array(name.utf8)
    guard bytes.count <= UInt16.max else { throw .configError(reason: "a name has more than 65535 bytes") }
    return [UInt8](bigEndian: UInt16(bytes.count)) + bytes
}
