import Substrate
import Testing

@testable import Signer

@Suite("Addresses that look like own ones")
struct OwnAccountsTests {
    private static let own = "15oF4uVJwmo4TdGW7VfQxNLavjCXviqxT9S1MgbjMNHr6Sp5"

    private func likeness(to text: String, of own: [String] = [own]) -> OwnAccounts.Likeness {
        OwnAccounts(own).likeness(to: AccountAddress(text: text, identicon: .dots([])))
    }

    private func isLookalike(_ text: String, of own: [String] = [own]) -> Bool {
        if case .lookalike(let twin) = likeness(to: text, of: own) { own.contains(twin) } else { false }
    }

    /// An own address with other characters in the middle.
    private func twin(front: String, back: String) -> String {
        front + String(repeating: "z", count: Self.own.count - front.count - back.count) + back
    }

    @Test(
        "eight characters at both ends together, however they are divided, make a twin",
        arguments: [
            ("15oF", "6Sp5", true), ("15oF4u", "Sp5", true), ("15oF4", "Sp5", true), ("15o", "r6Sp5", true),
            ("15oF4uVJ", "x", true), ("15oF", "Sp5", false), ("15", "Sp5", false), ("1", "5", false),
            // Letters in another case.
            ("15Of", "6sP5", true),
            // One other character at each end, and ten that agree.
            ("15oF4xVJ", "Nxr6Sp5", true), ("15ox4", "x6Sp5", false),
        ])
    func twins(front: String, back: String, holds: Bool) {
        #expect(isLookalike(twin(front: front, back: back)) == holds)
    }

    @Test("an own address is own, also an Ethereum one in capitals; an own one is never its neighbour's twin")
    func own() {
        if case .own = likeness(to: Self.own) {} else { Issue.record("not own") }
        let neighbour = twin(front: "15oF4u", back: "6Sp5")
        if case .own = likeness(to: neighbour, of: [Self.own, neighbour]) {} else { Issue.record("a twin of itself") }
        let hex = "0x00112233445566778899aabbccddeeff00112233"
        if case .own = likeness(to: hex.uppercased().replacing("0X", with: "0x"), of: [hex]) {
        } else {
            Issue.record("not own")
        }
        #expect(isLookalike("0x0011220000000000000000000000000000112233", of: [hex]))
    }

    @Test("a key of Ethereum networks is no own account of others, and the other way round")
    func kinds() throws {
        var network = try Chain("polkadot").specs
        let signer = try VaultUpdatesTests.pair(1, .ecdsa).multiSigner
        for networkScheme in [SignatureScheme.ecdsa, .ethereum] {
            network.scheme = networkScheme
            for scheme in [SignatureScheme.ecdsa, .ethereum] {
                let key = StoredKey(
                    signer: signer,
                    details: AddressDetails(
                        seedName: "demo", path: "", hasPassword: false, networks: [], scheme: scheme,
                        secretExposed: false))
                let likeness = OwnAccounts([key], in: network).likeness(to: key.address(in: network))
                let isOwn = if case .own = likeness { true } else { false }
                #expect(isOwn == (scheme == networkScheme), "\(scheme) in \(networkScheme)")
            }
        }
    }

    @Test("thousands of keys are looked through at once")
    func many() {
        let own = (0..<5000).map { number in "15\(number)" + String(repeating: "k", count: 38) + "\(number)x" }
        let accounts = OwnAccounts(own)
        for number in 0..<2000 {
            let stranger = AccountAddress(text: "13\(number)" + String(repeating: "y", count: 40), identicon: .dots([]))
            if case .unknown = accounts.likeness(to: stranger) {} else { Issue.record("\(stranger.text)") }
        }
    }
}
