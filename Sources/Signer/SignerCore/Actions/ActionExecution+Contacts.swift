import BasicFoundation
import Navigator
import Signer
import Substrate
import TextForms

/// The address book, and key sets for other vaults.
extension ActionExecution {
    /// A contact as a page gives it.
    private struct ContactText: Decodable {
        var name: String
        var address: String
        var networks: [String]?
        var note: String?
        /// Whether the address was read from a picture.
        var isScanned: Bool?
    }

    func contactIsKnown() -> Bool {
        succeeds {
            let known = try vault().contacts()
            guard let account = Hex.decode(data), known.contains(where: { $0.accountID == account }) else {
                throw SignerError.contactNotFound(data)
            }
        }
    }

    func chooseContact() { state.contact = Hex.decode(data) }

    /// Keeps the contact in the data: a new one, or in the place of the one that is shown.
    func contactIsGood() -> Bool {
        succeeds {
            let shown = state.contact
            let old = try vault().contacts().first { $0.accountID == shown }
            let contact = try typedContact(replacing: old)
            state.contact = try vault().saveContact(contact, replacing: old).accountID
        }
    }

    private func typedContact(replacing old: Contact?) throws -> Contact {
        guard let text = try? JSONDecoder().decode(ContactText.self, from: Data(data.utf8)) else {
            throw CoreError.contactMalformed
        }
        let networks = try (text.networks ?? []).map { hex in
            guard let genesis = Hex.decode(hex).flatMap({ Hash256($0) }) else {
                throw CoreError.networkUnknown(key: hex)
            }
            return genesis
        }
        return Contact(
            accountID: try vault().accountID(ofAddress: text.address), name: text.name, networks: networks,
            note: text.note ?? "", origin: old?.origin ?? (text.isScanned == true ? .scanned : .typed))
    }

    func removeContact() throws {
        guard let contact = state.contact else { throw CoreError.notPending }
        try vault().removeContact(contact)
    }

    // MARK: Key sets

    /// Whether the names in the data, with commas between, are those of seeds; their export is made.
    func keySetsAreKnown() -> Bool {
        guard !data.isEmpty else { return false }
        // Bytes, as the rule for names goes by them: no name has a comma.
        let names = data.utf8.split(separator: UInt8(ascii: ",")).map { String(Substring($0)) }
        return succeeds { state.keySets = try KeySetExportData(names: names, code: vault().keySetsCode(of: names)) }
    }
}
