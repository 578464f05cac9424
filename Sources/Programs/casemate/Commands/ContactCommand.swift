import ArgumentParser
import Console
import InstalledSigner
import Signer
import Substrate
import TextForms

/// Commands over the address book, whose names stand beside addresses.
struct ContactCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "contact",
        abstract: "People whose addresses you know.",
        discussion: """
            A destination that is a contact is shown with its name beside the full address, and an address that can be \
            mistaken for a contact's is a danger. Compare an address with its owner on another way than the one it \
            came by before you add it.
            """,
        subcommands: [List.self, Add.self, Change.self, Remove.self])

    struct ContactJSON: Encodable {
        struct AddressJSON: Encodable {
            var network: String
            var address: String
        }

        var name: String
        /// The account id in hex: what a contact is told by.
        var account: String
        /// In each network where it counts.
        var addresses: [AddressJSON]
        /// The genesis of each network that it is confined to; empty for any.
        var networks: [String]
        var note: String
        /// `scanned`, `typed` or `imported`.
        var origin: String
        var added: String

        init(_ contact: Contact, in vault: Vault) throws {
            name = contact.name
            account = Hex.encode(contact.accountID)
            addresses = try vault.networks().compactMap { network in
                contact.address(in: network).map { AddressJSON(network: network.title, address: $0.text) }
            }
            networks = contact.networks.map(\.hex)
            note = contact.note
            origin = "\(contact.origin)"
            added = contact.added
        }

        /// The name, and the full address in each network.
        var paragraphs: [Paragraph] {
            let note: [Paragraph.Piece] = self.note.isEmpty ? [] : [.words("  "), PieceText.title(self.note)]
            let shown =
                addresses.isEmpty
                ? [Paragraph(indent: 2, [.whole("0x" + account), .words("  in no network of this vault")])]
                : addresses.map { row in
                    Paragraph(
                        indent: 2, hanging: 4,
                        [.whole(row.address), .words("  " + ForeignName.shown(row.network, as: .title))])
                }
            return [Paragraph([.words(ForeignName.shown(name, as: .title), .bold)] + note)] + shown
        }
    }

    /// What commands take that write.
    struct ChangeOptions: ParsableArguments {
        @OptionGroup var output: OutputOptions
        @OptionGroup var vault: VaultFolderOptions
        @OptionGroup var unlock: UnlockOptions

        func show(_ contact: Contact, in opened: Vault) throws {
            let json = try ContactJSON(contact, in: opened)
            try output.show(json, text: json.paragraphs.text)
        }
    }

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List the contacts with their full addresses.")

        @OptionGroup var output: OutputOptions
        @OptionGroup var vault: VaultFolderOptions
        @OptionGroup var unlock: UnlockOptions

        func run() throws {
            let opened = try unlock.open(vault, for: .read)
            let rows = try opened.contacts().map { try ContactJSON($0, in: opened) }
            let text =
                rows.isEmpty ? "No contacts yet. Add one with: casemate contact add" : rows.flatMap(\.paragraphs).text
            try output.show(rows, text: text)
        }
    }

    struct Add: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add",
            abstract: "Add a contact.",
            discussion: "The log notes it with the account id.")

        @Argument(help: "What you call it; no two names are the same or look alike.")
        var name: String

        @Argument(help: "The address: of a network in this vault, or with the prefix 42.")
        var address: String

        @Option(
            help: ArgumentHelp(
                "A network that it counts in; may be repeated. Without it: in any.", valueName: "network"))
        var network: [String] = []

        @Option(help: "A note for yourself.")
        var note = ""

        @OptionGroup var options: ChangeOptions

        func run() throws {
            let opened = try options.unlock.open(options.vault)
            let contact = Contact(
                accountID: try opened.accountID(ofAddress: address), name: name,
                networks: try opened.genesisHashes(named: network), note: note, origin: .typed)
            try options.show(try opened.saveContact(contact), in: opened)
        }
    }

    struct Change: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "change",
            abstract: "Change name, networks or note of a contact.",
            discussion: "Another address is another contact: remove the old one, and add the new one.")

        @Argument(help: "Name or address of the contact.")
        var contact: String

        @Option(help: "The new name.")
        var name: String?

        @Option(help: ArgumentHelp("A network that it counts in from now on; may be repeated.", valueName: "network"))
        var network: [String] = []

        @Flag(help: "It counts in any network from now on.")
        var anyNetwork = false

        @Option(help: "The new note; an empty text removes it.")
        var note: String?

        @OptionGroup var options: ChangeOptions

        func validate() throws {
            if anyNetwork, !network.isEmpty { throw ValidationError("--any-network excludes --network") }
        }

        func run() throws {
            let opened = try options.unlock.open(options.vault)
            let old = try opened.contact(named: contact)
            var changed = old
            if let name { changed.name = name }
            if let note { changed.note = note }
            if anyNetwork { changed.networks = [] }
            if !network.isEmpty { changed.networks = try opened.genesisHashes(named: network) }
            try options.show(try opened.saveContact(changed, replacing: old), in: opened)
        }
    }

    struct Remove: ParsableCommand {
        static let configuration = CommandConfiguration(commandName: "remove", abstract: "Remove a contact.")

        @Argument(help: "Name or address of the contact.")
        var contact: String

        @OptionGroup var options: ChangeOptions

        func run() throws {
            let opened = try options.unlock.open(options.vault)
            let found = try opened.contact(named: contact)
            let json = try ContactJSON(found, in: opened)
            try opened.removeContact(found.accountID)
            try options.output.show(json, text: "Removed \(ForeignName.shown(found.name, as: .title)).")
        }
    }
}

extension Vault {
    fileprivate func genesisHashes(named networks: [String]) throws -> [Hash256] {
        try networks.map { try network(named: $0, forAnyScheme: true).genesisHash }
    }
}
