import Identicons
import Navigator
import Signer
import Substrate
import Testing
import TextForms
import Tours

import enum TestSupport.WestendPayload

@testable import Screens
@testable import SignerCore

/// What a transaction's page shows, in which order.
@Suite("The page of a transaction")
struct TransactionPageTests {
    private func window() throws -> Window {
        let window = try Window()
        try window.recoverAlice()
        try window.press("Scan")
        return window
    }

    private func index(of block: (Block) -> Bool, in page: Page) throws -> Int {
        let index = page.body.firstIndex(where: block)
        return try #require(index)
    }

    private func rows(_ page: Page) -> [Row] { page.body.flatMap(\.rows) }

    @Test("a transfer shows its amount on top, then risks, who signs, the call, totals, conditions, metadata, hashes")
    func transfer() throws {
        let window = try window()
        let page = try window.scan(
            WestendPayload.transaction(WestendPayload.transfer(1_500_000_000_000)))
        #expect(page.title == "Transaction" && page.mustBeRead)
        #expect(page.body.first == .headline(Text(own: "1.500000000000 WND"), caption: "1 call on Westend"))
        let order = try [
            index(of: { if case .card(_, "An unknown destination", _) = $0 { true } else { false } }, in: page),
            index(of: { $0.title == "Who signs" }, in: page),
            index(of: { $0.title?.plain == "Call 1: Balances.transfer_keep_alive" }, in: page),
            index(of: { $0.title == "Together" }, in: page),
            index(of: { $0.title == "Under these conditions" }, in: page),
            index(of: { $0.title == "Read by these metadata" }, in: page),
            index(of: { $0.title == "To compare" }, in: page),
            index(of: { if case .fold("All of it, decoded", _) = $0 { true } else { false } }, in: page),
            index(of: { $0 == .heading("Before you sign") }, in: page),
        ]
        #expect(order == order.sorted())
        // Directly above the bar: risks and totals once more.
        let last = page.body[(order.last ?? 0)...]
        #expect(last.contains { if case .card(.notice, "An unknown destination", _) = $0 { true } else { false } })
        #expect(last.contains { $0.title == "Together" })
        #expect(page.bar.map(\.id) == ["refuse", "approve"])
        #expect(page.bar.last?.press == .hold(typed: "SIGN"))
        #expect(page.bar.last?.message == .send(.goForward, .field("comment")))
    }

    @Test("who signs is the whole address in groups of four, with key set, path, network and picture")
    func signer() throws {
        let page = try window().scan(WestendPayload.transaction(WestendPayload.transfer(7)))
        let row = try #require(rows(page).first { $0.id == "signer" })
        #expect(row.value?.plain == SS58Text.grouped(WestendPayload.authorAddress))
        #expect(row.detail?.plain == "key set Alice, path //westend")
        #expect(
            row.picture == .identicon(Identicon(.polkadot, of: Hex.decode(WestendPayload.author) ?? [])))
        #expect(rows(page).first { $0.id == "network" }?.value == "Westend")
        let metadata = try #require(rows(page).first { $0.id == "metadata" })
        #expect(metadata.value == "westend 9122")
        let voucher = try #require(rows(page).first { $0.id == "voucher" })
        #expect(voucher.title == "Vouched for by the general verifier")
        #expect(voucher.value?.plain == "0xc46a22b9da19540a77cbde23197e5fd90485c72b4ecf3c599ecca6998f39bd57")
        #expect(rows(page).contains { $0.title == "Nonce" && $0.value == "46" })
        #expect(rows(page).contains { $0.title == "Tip" })
        #expect(rows(page).contains { $0.title == "Era" && $0.value?.plain.hasPrefix("Mortal") == true })
        let call = Hex.decode(WestendPayload.transfer(7)) ?? []
        #expect(rows(page).contains { $0.title == "Call hash" && $0.value == Text(hex: CallHash.of(call).hex) })
    }

    @Test("whose a destination is stands beside its whole address: unknown, a contact, or a key of this vault")
    func destinations() throws {
        let window = try window()
        func destination(_ account: String) throws -> Row {
            let page = try window.scan(WestendPayload.transaction(WestendPayload.transfer(7, to: account)))
            let row = try #require(rows(page).first { $0.id == "call-1-dest" })
            #expect(row.value?.plain == SS58Text.grouped(SS58Text.of(account)))
            #expect(row.picture == .identicon(Identicon(.polkadot, of: Hex.decode(account) ?? [])))
            try window.press("refuse")
            return row
        }
        #expect(try destination(WestendPayload.bob).detail == "unknown")
        #expect(try destination(WestendPayload.author).detail == "yours: Alice//westend")
        try window.press("Settings")
        try window.press("address-book")
        try window.press("new")
        try window.press("keep", ["name": "Bob", "address": WestendPayload.bobAddress])
        try window.press("back")
        try window.press("Scan")
        #expect(try destination(WestendPayload.bob).detail == "contact: Bob")
    }

    @Test("of a batch of a thousand calls every one is there, with its number, its amount and its whole destination")
    func thousand() throws {
        let accounts = (0..<1_000).map { Hex.encode(Blake2b.hash256([UInt8($0 & 0xff), UInt8($0 >> 8)]).bytes) }
        let calls = accounts.enumerated().map { WestendPayload.transfer(UInt64($0 + 1), to: $1) }
        let page = try window().scan(WestendPayload.transaction(WestendPayload.batch(calls)))
        let groups = page.body.filter { $0.title?.plain.hasPrefix("Call ") == true }
        #expect(groups.count == 1_000)
        for (index, group) in groups.enumerated() {
            let name = "Call \(index + 1) of 1000: Balances.transfer_keep_alive"
            guard group.title?.plain == name,
                group.rows.contains(where: { $0.value?.plain == SS58Text.grouped(SS58Text.of(accounts[index])) })
            else {
                Issue.record("call \(index + 1)")
                return
            }
        }
        #expect(page.body.first == .headline(Text(own: "500.500 nWND"), caption: "1000 calls on Westend"))
        #expect(rows(page).contains { $0.title == "Calls" && $0.value == "1000" })
        #expect(page.mustBeRead)
    }

    @Test("a danger is a card with icon and word above everything, and is confirmed by its own text before a signature")
    func danger() throws {
        let window = try window()
        let page = try window.scan(WestendPayload.proxy)
        let cards = page.body.compactMap {
            if case .card(let severity, let title, _) = $0 { (severity, title) } else { nil }
        }
        #expect(cards.contains { $0 == (.danger, "Somebody else may act for you") })
        #expect(cards.filter { $0.1 == "Somebody else may act for you" }.count == 2)
        let asked = try window.press("approve")
        #expect(asked.position.modal == .confirmRisk && asked.sheet?.title == "1 danger to confirm")
        #expect(asked.plain.contains("Type the last 5 characters of the address that call 1 is about."))
        #expect(try window.press("confirm", ["typed": "wrong"]).alert?.severity == .refusal)
        try window.press("dismiss")
        try window.press("confirm", ["typed": String(WestendPayload.bobAddress.suffix(5))])
        let ready = try window.press("approve", ["comment": "seen"])
        #expect(ready.position.modal == .signatureReady)
        #expect(ready.sheet?.body.flatMap(\.rows).first?.title == "Proxy.add_proxy")
        #expect(ready.plain.contains("Call hash"))
        try window.press("done")
        try window.press(try window.id("entry-"))
        #expect(window.page.plain.contains("TransactionSigned") && window.page.plain.contains("Proxy.add_proxy"))
    }

    @Test("members of a bulk stand one behind the other, each with who signs it, and totals and risks over all")
    func bulk() throws {
        let members = [7, 8].map { WestendPayload.transaction(WestendPayload.transfer($0)) }
        let page = try window().scan(WestendPayload.bulk(members))
        #expect(page.body.first == .headline(Text(own: "15 pWND"), caption: "2 calls in 2 transactions on Westend"))
        #expect(
            page.body.contains(.heading("Transaction 1 of 2")) && page.body.contains(.heading("Transaction 2 of 2")))
        #expect(rows(page).filter { $0.title == "Signed by" }.count == 2)
        #expect(page.plain.contains("Transaction 2: The destination is neither a key of this vault nor a contact."))
        #expect(page.bar.last?.label == "Sign all 2")
    }

    @Test("a message is shown on lines of its own")
    func message() throws {
        let page = try window().scan(WestendPayload.message("hello\nworld"))
        #expect(page.title == "Message")
        #expect(page.body.first == .headline("A message", caption: "for Westend"))
        let blocks = page.body.compactMap { if case .foreign(let block) = $0 { block } else { nil } }
        #expect(blocks.map(\.lines) == [["│ \"hello\\n", "│ world\""]])
    }

    @Test("tips of a bulk that are large together are one card above all, and a row of the totals")
    func tips() throws {
        // 100 WND each, of which a hundredth is one.
        let members = [100_000_000_000_000, 100_000_000_000_001].map {
            WestendPayload.transaction(WestendPayload.transfer($0), tip: 600_000_000_000)
        }
        let page = try window().scan(WestendPayload.bulk(members))
        #expect(page.plain.contains("Tips of 1.200000000000 WND in all, on Westend, go to whoever makes the blocks."))
        #expect(rows(page).contains { $0.title == "Tips" && $0.value?.plain == "1.200000000000 WND" })
    }

    @Test("what is refused as a whole says why, with its code, and cannot be approved")
    func refusals() throws {
        let page = try window().scan("5301")
        #expect(page.body.first == .card(.refusal, title: "Refused", text: try #require(page.body.first?.texts.last)))
        #expect(page.plain.contains("[TooShort]"))
        #expect(page.bar.map(\.id) == ["refuse"])
    }

    @Test("a transaction of an author that is not here is shown, says so, and cannot be approved")
    func strangers() throws {
        let stranger = WestendPayload.transaction(WestendPayload.transfer(7))
            .replacing("530102" + WestendPayload.author, with: "530102" + WestendPayload.bob)
        let page = try window().scan(stranger)
        #expect(page.plain.contains("The author's key is not in this vault."))
        #expect(
            rows(page).contains {
                $0.title == "Author" && $0.value?.plain == SS58Text.grouped(WestendPayload.bobAddress)
            })
        #expect(page.bar.map(\.id) == ["refuse"])
    }
}

extension Block {
    /// The title of a group.
    fileprivate var title: Text? { if case .group(let title, _) = self { title } else { nil } }
}
