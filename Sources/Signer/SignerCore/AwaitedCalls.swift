import SecretMemory
import Signer
import Substrate

/// What the core asks of a vault and the vault does not do yet: each call says so, and the person sees it.
extension Vault {
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
