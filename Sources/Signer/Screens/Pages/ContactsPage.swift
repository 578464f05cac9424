import Identicons
import Navigator
import Signer
import SignerCore
import TextForms

/// Accounts under names.
extension Pages {
    func addressBook(_ data: AddressBookData) -> Content {
        let new = Control("new", label: "New contact", icon: .add, style: .suggested, does: .send(.newContact))
        let rows = data.contacts.map { contact in
            Row(
                id: "contact-\(contact.account)", picture: picture(of: contact), title: Text(name: contact.name),
                value: contact.addresses.first.map { Text(address: $0.address) },
                detail: contact.addresses.first.map { "\($0.network)" },
                press: .send(.selectContact, .text(contact.account)), emphasis: .title)
        }
        return Content(
            menu: menu("New contact", icon: .add, .newContact),
            body: [
                rows.isEmpty
                    ? .empty(
                        .contact, title: "No contacts", text: "A contact's name stands beside its address, never alone."
                    )
                    : .group(title: nil, rows)
            ], bar: [new])
    }

    private func picture(of contact: ContactView) -> Row.Picture {
        let bytes = Hex.decode(contact.account) ?? []
        return .identicon(Identicon(bytes.count == 20 ? .blockies : .polkadot, of: bytes))
    }

    func contactDetails(_ data: ContactView) -> Content {
        let addresses = data.addresses.enumerated().map { index, address in
            Row(
                id: "address-\(index + 1)", picture: picture(of: data), title: "\(address.network)",
                value: Text(address: address.address))
        }
        var body: [Block] = [
            .group(
                title: "\(data.name)",
                [
                    .fact("account", "Account", is: Text(hex: data.account)),
                    .fact("added", "Added", is: "\(own: data.added) UTC"),
                    .fact("origin", "How it came", is: Text(own: data.origin)),
                    .fact(
                        "networks", "It counts in",
                        is: data.networks.isEmpty
                            ? "any network" : places(of: data)),
                ]),
            .group(title: "Its address in each network", addresses),
        ]
        if !data.note.isEmpty {
            body.append(.heading("Note"))
            body.append(.foreign(ForeignBlock(data.note, limits: ForeignText.Limits(characters: 1_024, lines: 64))))
        }
        body.append(
            .buttons([
                destroying("remove", "Remove \(data.name)", typed: "REMOVE", does: .send(.removeContact))
            ]))
        return Content(
            title: "\(data.name)", menu: menu("Change this contact", icon: .document, .editContact), body: body)
    }

    /// The networks that it counts in, by their titles; by the genesis of those that are not in the vault.
    private func places(of contact: ContactView) -> Text {
        let titles = contact.networks.map { genesis in
            contact.networkTitles[genesis].map { Text(name: $0) } ?? "genesis " + Text(hex: genesis)
        }
        return titles.dropFirst().reduce(titles.first ?? "") { $0 + ", " + $1 }
    }

    func contactEdit(_ data: ContactEditData) -> Page.Sheet {
        let contact = data.contact
        let counts = contact?.networks ?? []
        let choices = data.networks.map { network in
            (
                title: Text(name: network.title),
                choice: CoreCall.Choice(Field.ID(stringLiteral: "network-\(network.genesis)"), value: network.genesis)
            )
        }
        // Where it counts already, and the vault knows the network no more, it goes on to count.
        let known = counts.filter { genesis in !data.networks.contains { $0.genesis == genesis } }
        let keep = Message.send(
            .goForward,
            .object(
                ["name": "name", "address": "address", "note": "note"], known: ["networks": known],
                chosen: ["networks": choices.map(\.choice)]))
        return Page.Sheet(
            title: contact.map { "Change \($0.name)" } ?? "New contact",
            body: [
                .field(
                    Field(
                        "name", label: "Name", kind: .text(contact?.name ?? ""),
                        hint: "No two names are the same or look alike.")),
                .field(
                    Field(
                        "address", label: "Address", kind: .text(contact?.addresses.first?.address ?? ""),
                        hint: "The whole address, of a network in this vault or with the prefix 42.")),
                .field(Field("note", label: "Note", kind: .text(contact?.note ?? ""), enter: keep)),
                .fold(
                    title: "In which networks it counts",
                    [.text("In any, where none of them is chosen.")]
                        + choices.map { title, choice in
                            .field(Field(choice.field, label: title, kind: .toggle(counts.contains(choice.value))))
                        }),
            ], bar: [Control("keep", label: "Keep it", icon: .check, style: .suggested, does: keep)], close: closing)
    }
}
