import SecretMemory
import Signer
import Substrate

/// What the core asks of a vault and the vault does not do yet: each call says so, and the person sees it.
extension Vault {
    func removeKeys(_ keys: [MultiSigner], from network: NetworkKey) throws {
        throw CoreError.notAvailable(what: "Removing keys")
    }

    func increment(_ key: MultiSigner, in network: NetworkKey, count: UInt32) throws {
        throw CoreError.notAvailable(what: "Making further keys")
    }

    func exportedSecret(
        of key: MultiSigner, in network: NetworkKey, password: SecretBytes?
    ) throws -> ExportSecretData {
        throw CoreError.notAvailable(what: "Exporting a secret")
    }

    func freePath(ofSeed seed: String, in network: NetworkSpecs) throws -> String { network.pathID }

    static func checkPath(_ path: String) throws {
        do throws(SURIError) { _ = try DerivationPath(parsing: path) } catch {
            throw SignerError.invalidDerivation(reason: "\(error)")
        }
    }

    func keySetsCode(of names: [String]) throws -> CodeData { throw CoreError.notAvailable(what: "Exporting key sets") }

    func signContent(_ content: CoreState.Content, by key: MultiSigner, password: SecretBytes?) throws -> [UInt8] {
        throw CoreError.notAvailable(what: "Signing for other vaults")
    }

    func acknowledgeDanger() throws { throw CoreError.notAvailable(what: "Acknowledging") }

    // MARK: The log

    func clearLog() throws { throw CoreError.notAvailable(what: "Clearing the log") }

    func addComment(_ text: String) throws { throw CoreError.notAvailable(what: "A comment") }

    func shownEntry(_ order: Int) throws -> LogDetailsData {
        let (_, entries) = try newestEntries(logCount() - order)
        guard let entry = entries.last, entry.order == order else { throw CoreError.entryUnknown(order: "\(order)") }
        return LogDetailsData(entry: LogRow(entry), cards: [])
    }

    // MARK: Contacts

    func contactViews() throws -> [ContactView] { [] }

    func saveContact(_ text: String, replacing: [UInt8]?) throws -> [UInt8] {
        throw CoreError.notAvailable(what: "The address book")
    }

    func removeContactRow(_ account: [UInt8]) throws { throw CoreError.notAvailable(what: "The address book") }
}
