import BasicFoundation
import MainKey

/// What opening a vault with a long log costs, for measuring.
@_spi(Benchmarks)
public enum OpeningBenchmark {
    private static let unlocking = Unlocking { _ in throw SignerError.vaultKey(.locked) }

    /// Makes a vault that asks for nothing, with so many entries behind the first.
    public static func make(in folder: URL, entryCount: Int) throws {
        try Vault.create(in: folder, protections: [.none], options: VaultOptions(), bundle: .shipped())
        let vault = try Vault.open(folder, unlocking: unlocking)
        try vault.database.write { trees in
            for number in 0..<entryCount {
                try HistoryLog.append([.userEntry("entry \(number)")], at: vault.now(), to: trees)
            }
        }
    }

    /// Opens the vault that was made.
    public static func open(_ folder: URL) throws { _ = try Vault.open(folder, for: .read, unlocking: unlocking) }

    /// Opens it and walks its log.
    public static func verify(_ folder: URL) throws {
        _ = try Vault.open(folder, for: .read, unlocking: unlocking).verifyLog()
    }
}
