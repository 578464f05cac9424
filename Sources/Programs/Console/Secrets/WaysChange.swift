import SecretMemory

/// A change of what opens a vault. Where it fails, it is said what opens the vault now: the change may have become
/// final all the same, and whoever goes on with the old PIN or destroys the new code would lose the vault.
///
///     let change = WaysChange("The new PIN") { try vault.status().ways.map(\.id) }
///     try change.make { try vault.changePIN(to: new, authenticatedBy: credential) }
package final class WaysChange {
    private let title: String
    private let next: String
    private let ways: () throws -> [UInt32]
    /// Nil where they could not be read.
    private let before: Set<UInt32>?
    private var isCodeShown = false

    /// - Parameters:
    ///   - title: what is valid once the change is made, as the beginning of a sentence.
    ///   - next: a sentence that says how to go on where the change was made and something behind it failed.
    ///   - ways: the numbers of the ways to open the vault, as they are on the disk; empty without a vault.
    package init(_ title: String, next: String = "", ways: @escaping () throws -> [UInt32]) {
        self.title = title
        self.next = next
        self.ways = ways
        before = (try? ways()).map { Set($0) }
    }

    /// Shows a new recovery code, before it becomes valid.
    package func show(_ code: SecretBytes, at place: RecoveryOutput) throws {
        try place.show(code)
        isCodeShown = true
    }

    /// Makes the change.
    package func make<R>(_ change: () throws -> R) throws -> R {
        do { return try change() } catch {
            if let warning { Warning.show(warning) }
            throw error
        }
    }

    /// What opens the vault after the change has failed; nil where nothing is new to its person.
    private var warning: String? {
        guard let before, let now = try? ways() else {
            return
                "It is not known whether the change was made. \(title) may be valid, or what opened the vault before: "
                + "keep both until one of them has opened it."
        }
        guard Set(now) == before else {
            let sentence = "\(title) is valid all the same. What it replaces opens nothing any more."
            return next.isEmpty ? sentence : "\(sentence) \(next)"
        }
        guard isCodeShown else { return nil }
        return "The recovery code that was shown opens nothing. "
            + (before.isEmpty ? "No vault was made." : "What opened the vault before still does.")
    }
}
