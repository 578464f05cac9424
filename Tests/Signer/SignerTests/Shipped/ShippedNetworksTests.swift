import Testing

@testable import Signer

@Suite("Networks of a release, for one payload")
struct ShippedNetworksTests {
    @Test(
        "a transaction is shown by the metadata of its network alone as it is by those of all",
        arguments: ["polkadot", "kusama", "westend", "statemint"])
    func transaction(name: String) throws {
        let chain = try Chain(name)
        let payload = try chain.payload(chain.batch([chain.transfer(), chain.remark("a text")]))
        let (one, all) = try (NetworkBundle.shipped(for: payload), NetworkBundle.shipped())
        #expect(one.networks.map(\.specs) == all.networks.map(\.specs))
        #expect(one.networks.filter { !$0.metadata.isEmpty }.map(\.specs.name) == [name])
        let answers = try [one, all].map { try Vault.lookOnly($0).process(payload) }
        #expect(answers[0].callHash == answers[1].callHash && answers[0].callHash != nil)
        #expect(!answers[0].cards.method.isEmpty && answers[0].cards.error.isEmpty)
        #expect(String(reflecting: answers[0].cards) == String(reflecting: answers[1].cards))
    }

    @Test("what is not one transaction finds the metadata of all networks")
    func others() throws {
        let (westend, hub) = try (Chain("westend"), Chain("statemint"))
        let bulk = try Chain.bulk([westend.payload(westend.transfer()), hub.payload(hub.transfer())])
        for payload in [bulk, [], [0x53, 0x01], Array(try westend.payload(westend.transfer()).prefix(40))] {
            #expect(try NetworkBundle.shipped(for: payload).networks.allSatisfy { $0.metadata.count == 1 })
        }
    }

    @Test("a transaction for a network that is not shipped is refused as it is with the metadata of all")
    func unknownNetwork() throws {
        var payload = try Chain("westend").payload(Chain("westend").transfer())
        payload[payload.count - 1] ^= 1
        #expect(throws: RefusedPayload.self) { try Vault.lookOnly(.shipped(for: payload)).process(payload) }
        let refusals = try [NetworkBundle.shipped(for: payload), .shipped()].map { bundle in
            do {
                _ = try Vault.lookOnly(bundle).process(payload)
                return "not refused"
            } catch { return "\(error)" }
        }
        #expect(refusals[0] == refusals[1])
    }
}
