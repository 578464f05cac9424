import SecretMemory
import Signer
import Substrate

/// What the core asks of a vault and the vault does not do yet: each call says so, and the person sees it.
extension Vault {
    func contactViews() throws -> [ContactView] { [] }

    func saveContact(_ text: String, replacing: [UInt8]?) throws -> [UInt8] {
        throw CoreError.notAvailable(what: "The address book")
    }

    func removeContactRow(_ account: [UInt8]) throws { throw CoreError.notAvailable(what: "The address book") }
}
