import Substrate
import Testing
import TextForms

@Suite("SS58 addresses")
struct SS58Tests {
    static let alice = "5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY"

    @Test("one account in three published forms")
    func published() throws {
        let (prefix, account) = try SS58.decode(Self.alice)
        #expect(prefix == 42)
        #expect(Hex.encode(account) == "d43593c715fdd31c61141abd04a99fd6822c8558854ccde39a5684e7a56da27d")
        #expect(try SS58.encode(account, prefix: 0) == "15oF4uVJwmo4TdGW7VfQxNLavjCXviqxT9S1MgbjMNHr6Sp5")
        #expect(try SS58.encode(account, prefix: 2) == "HNZata7iMYWmk5RvZRTiAsSDhV8366zq2YGb3tLH5Upf74F")
    }

    @Test("every prefix is encoded and decoded to itself; the reserved two are not read")
    func allPrefixes() throws {
        let account = (0..<32).map { UInt8($0) }
        for prefix in UInt16(0)..<16384 where prefix != 46 && prefix != 47 {
            let decoded = try SS58.decode(SS58.encode(account, prefix: prefix))
            #expect(decoded.prefix == prefix && decoded.payload == account)
        }
        // The same account with these two, by the document's rule.
        for (prefix, text) in [
            (46, "5bDMC15QAJ1Pj1Dn5K51LN6M9tU8xnTHJEZYtyrjJPnrhvXR"),
            (47, "5h11SzcoYat7t4dEyqx2iGMmoNcS1y5oVB7gWfW2mFPLzFo7"),
        ] as [(UInt16, String)] {
            #expect(throws: SS58Error.formatNotAllowed) { try SS58.decode(text) }
            #expect(try SS58.encode(account, prefix: prefix) == text)
        }
        #expect(throws: SS58Error.prefixOutOfRange(16384)) { try SS58.encode(account, prefix: 16384) }
    }

    @Test(
        "each refusal by its reason",
        arguments: [
            ("", SS58Error.badLength), ("1", .badLength), ("5GrwvaEF0", .badBase58), (" " + alice, .badBase58),
            (String(alice.dropLast()) + "Z", .invalidChecksum), ("F7NZ", .badLength),
            ("Zp5gmBrGm4kbjHBSNe5KP7PZ6SAXRHwdsnsMD2pJpW9gijSsg", .nonCanonicalPrefix),
            (String(repeating: "z", count: 65), .badBase58), ("é", .badBase58),
        ])
    func refusals(text: String, error: SS58Error) {
        #expect(throws: error) { try SS58.decode(text) }
    }

    @Test("no change of one character is accepted")
    func mauled() {
        let characters = Array("123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz")
        for index in Self.alice.indices {
            for character in characters where character != Self.alice[index] {
                var mauled = Self.alice
                mauled.replaceSubrange(index...index, with: [character])
                #expect(throws: SS58Error.self) { try SS58.decode(mauled) }
            }
        }
    }
}
