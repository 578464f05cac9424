import BasicFoundation

/// What was seen of the network, in a file beside the database that needs no key: what is noted there counts at once
/// and is moved into the sealed log when the vault is next opened for changes, before anything secret is.
///
/// Whoever writes the vault's files can add to it, which only makes the vault refuse more, and can remove it, as he can
/// the whole folder. What cannot be read counts as a detector that failed.
///
/// Source: `signer-product` section 5.
struct NetworkNote: Equatable {
    static let fileName = "network"
    private static let head = "casemate network 1"
    private static let longest = 64 << 10
    /// So many encounters wait at the most; the oldest stay.
    static let most = 256

    struct Line: Equatable {
        /// Seconds since 1970.
        var time: Int64
        var encounter: Vault.Encounter

        var date: Date { Date(timeIntervalSince1970: TimeInterval(time)) }
    }

    /// What the last look found; nil if nothing was up.
    var last: Vault.Encounter?
    /// What the log does not hold yet, oldest first.
    var lines: [Line] = []

    static func file(in folder: URL) -> VaultFile { VaultFile(folder.appending(path: fileName).path) }

    /// - Parameter now: when it was found that the file cannot be read.
    static func read(in folder: URL, at now: Date) throws -> NetworkNote {
        let bytes: [UInt8]?
        do { bytes = try file(in: folder).content(limit: longest) } catch SignerError.databaseDamaged { bytes = [0] }
        guard let bytes, !bytes.isEmpty else { return NetworkNote() }
        if let note = NetworkNote(text: String(decoding: bytes, as: UTF8.self)) { return note }
        return NetworkNote(lines: [Line(time: seconds(now), encounter: .detectorFailed)])
    }

    func write(in folder: URL) throws { try Self.file(in: folder).replace(with: Array(text.utf8)) }

    static func seconds(_ date: Date) -> Int64 { Int64(date.timeIntervalSince1970) }

    private init?(text: String) {
        var rows = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard rows.popLast() == "", rows.first == Self.head[...], rows.count > 1, rows.count <= 2 + Self.most else {
            return nil
        }
        let state = String(rows[1])
        last = Vault.Encounter(rawValue: state)
        guard last != nil || state == "quiet" else { return nil }
        for row in rows.dropFirst(2) {
            let parts = row.split(separator: " ", maxSplits: 1)
            guard parts.count == 2, let time = Int64(parts[0]), (0...253_402_300_799).contains(time),
                let encounter = Vault.Encounter(rawValue: String(parts[1]))
            else { return nil }
            lines.append(Line(time: time, encounter: encounter))
        }
    }

    init(last: Vault.Encounter? = nil, lines: [Line] = []) {
        self.last = last
        self.lines = lines
    }

    private var text: String {
        ([Self.head, last?.rawValue ?? "quiet"] + lines.map { "\($0.time) \($0.encounter.rawValue)" })
            .map { $0 + "\n" }.joined()
    }
}
