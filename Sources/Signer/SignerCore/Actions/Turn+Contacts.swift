import Navigator
import Signer
import Substrate
import TextForms

/// The address book, and key sets for other vaults.
extension Turn {
    func contactIsKnown() -> Bool {
        succeeds { _ = try namedContact() }
    }

    func chooseContact() { state.contact = Hex.decode(data) }

    private func namedContact() throws -> [UInt8] {
        guard let account = Hex.decode(data),
            try vault().contactViews().contains(where: { $0.account == Hex.encode(account) })
        else { throw CoreError.keyUnknown(key: data) }
        return account
    }

    /// Keeps the contact in the data: a new one, or the one that is shown.
    func contactIsGood() -> Bool {
        let changed = state.position.screen == .contactDetails ? state.contact : nil
        return succeeds { state.contact = try vault().saveContact(data, replacing: changed) }
    }

    func removeContact() throws {
        guard let contact = state.contact else { throw CoreError.notPending }
        try vault().removeContactRow(contact)
    }

    // MARK: Key sets

    /// Whether the names in the data, with commas between, are those of seeds; their export is made.
    func keySetsAreKnown() -> Bool {
        guard !data.isEmpty else { return false }
        let names = data.split(separator: ",").map(String.init)
        return succeeds { state.keySets = try KeySetExportData(names: names, code: vault().keySetsCode(of: names)) }
    }
}
