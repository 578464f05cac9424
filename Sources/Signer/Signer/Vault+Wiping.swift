import BasicFoundation
import MainKey

/// Beginning anew.
///
/// Source: `signer-product` section 1.3.
extension Vault {
    /// What a vault follows behind a wipe.
    package enum WipedVerifier: UInt8, Sendable {
        /// The general verifier of the release.
        case ofRelease
        /// None: the first one that signs an update is taken.
        case none
    }

    /// Removes all seeds, then everything else, and begins with what a release knows; the ways to open the vault stay.
    /// Every key that something of it was sealed under is forgotten at the end, so that no copy of the files opens any
    /// more.
    ///
    /// What is going to be done is written first, in one transaction: killed before it the vault is what it was, killed
    /// behind it the wipe is finished when the vault is opened next, before anything of it is read or written.
    ///
    /// - Parameters:
    ///   - bundle: what the vault begins with.
    ///   - verifier: whom it follows then.
    package func wipe(with bundle: NetworkBundle, following verifier: WipedVerifier) throws {
        try key?.confirm()
        try database.write { try WipeMark.write(verifier, to: $0) }
        CrashPoint.reach("wipe.begun")
        try finishWiping(with: bundle)
    }

    /// Finishes a wipe that was begun; does nothing where none was.
    ///
    /// - Parameter bundle: what the vault begins with; asked for only where there is something to finish.
    /// - Returns: whether there was.
    @discardableResult
    func finishWiping(with bundle: @autoclosure () throws -> NetworkBundle) throws -> Bool {
        guard let verifier = try database.readPublic({ try WipeMark.read($0) }) else { return false }
        var bundle = try bundle()
        if verifier == .none { bundle.generalVerifier = .none }
        for name in try seeds.names() { try seeds.remove(name) }
        CrashPoint.reach("wipe.seeds")
        try database.write { trees in
            let wasOnline = try trees.dangerousEncounter()
            for tree in Tree.allCases { try trees.removeAll(tree) }
            try trees.changeInventory { $0.log = HistoryLog.emptyDigest }
            try trees.initialise(bundle)
            // A connection that nobody acknowledged is not forgotten with the rest.
            if wasOnline { try trees.setDangerousEncounter(true) }
            try WipeMark.write(verifier, to: trees)
            try HistoryLog.append(
                [.databaseInitiated, .generalVerifierSet(bundle.generalVerifier)], at: now(), to: trees)
        }
        CrashPoint.reach("wipe.database")
        if let key {
            // One that is under way ends in the key that it began with, under which the seeds may have been sealed.
            if try key.status().isRotating { try rotate(key) { _ in } }
            try rotate(key) { _ in }
        }
        try database.write { try WipeMark.remove(from: $0) }
        return true
    }

    /// The same as can be told without the key of the vault.
    package static func isWiping(in folder: URL) throws -> Bool {
        let nobody = Unlocking { _ in throw SignerError.vaultKey(.locked) }
        return try open(folder, for: .publicData, unlocking: nobody).isWiping
    }

    /// Whether a wipe was begun and is not finished.
    var isWiping: Bool { get throws { try database.readPublic { try WipeMark.read($0) != nil } } }
}

/// A row of settings, which the sealed inventory vouches for: nobody without the key makes a vault forget whom it
/// follows.
private enum WipeMark {
    private static let key = Array("wiping".utf8)

    static func read(_ trees: some TreeReader) throws -> Vault.WipedVerifier? {
        guard let value = try trees.value(.settings, key) else { return nil }
        guard value.count == 1, let verifier = Vault.WipedVerifier(rawValue: value[0]) else {
            throw SignerError.databaseDamaged(.row(tree: Tree.settings.rawValue, key: hexText(key)))
        }
        return verifier
    }

    static func write(_ verifier: Vault.WipedVerifier, to trees: MutableTrees) throws {
        try trees.put(.settings, key: key, value: [verifier.rawValue])
    }

    static func remove(from trees: MutableTrees) throws { try trees.remove(.settings, key) }
}
