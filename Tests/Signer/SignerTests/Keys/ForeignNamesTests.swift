import Airgap
import SecretMemory
import Substrate
import Testing

@testable import Signer

/// Names and paths, wherever they come in: what looks like something else is refused.
@Suite("Names and paths from outside")
struct ForeignNamesTests {
    @Test(
        "letters of one writing system are a name, with digits, marks and blanks of all",
        arguments: [
            "Sparbuch 2026", "Épargne", "Сбережения", "Αποταμιεύσεις", "חיסכון", "مدخرات", "เงินออม", "储蓄", "貯金 ちょきん",
            "カード Suica", "저축 Seoul", "µ", "a\u{301}", "१२३", "ﬁne", "№ 5", "São Paulo №2", "1234", "🦊 den",
        ])
    func single(_ name: String) throws {
        #expect(WritingSystem.isSingle(in: name))
        #expect(try SeedName.checked(name) == name)
    }

    @Test(
        "letters of several are none",
        arguments: [
            "d\u{435}mo", "\u{3b1}\u{430}", "pаypal", "Sаvings", "ԁemo", "ꓢavings", "Տavings", "ᎪLICE", "s\u{5d5}vings",
            "sav\u{0e20}", "ｄеmo", "ѕ\u{1d41a}", "か\u{431}",
        ])
    func mixed(_ name: String) {
        #expect(!WritingSystem.isSingle(in: name))
        #expect(throws: SignerError.seedNameMixesAlphabets) { try SeedName.checked(name) }
    }

    @Test(
        "of a title that is no name, what can be one is proposed",
        arguments: [
            ("Savings", "Savings"), ("Cellar, left", "Cellar left"), (" a\nb ", "ab"), ("so\u{200b}me", "some"),
            (String(repeating: "é", count: 70), String(repeating: "é", count: 64)), (", ,", nil), ("s\u{5d5}me", nil),
        ] as [(String, String?)])
    func proposed(_ title: String, _ name: String?) {
        #expect(SeedName.proposed(for: title) == name)
    }

    @Test(
        "names that are told apart in few faces are look-alikes",
        arguments: [
            ("Fund1", "Fundl"), ("FundI", "Fundl"), ("Fund0", "FundO"), ("С0РА", "СОРА"), ("ｆund", "fund"),
            ("ﬁsh", "fish"),
        ])
    func lookalikes(_ names: (String, String)) {
        #expect(throws: SignerError.seedNameLookalike(name: names.0, other: names.1)) {
            try SeedName.checked(names.0, besides: [names.1])
        }
    }

    @Test("seeds, renamed ones and contacts take neither mixed nor invisible letters")
    func everywhere() throws {
        let vault = try TestVault().withSeed()
        let phrase = try TestVault.secret("legal winner thank year wave sausage worth useful legal winner thank yellow")
        let address = "5FHneW46xGXgs5mUiveU4sbTyGBzmstUspZC92UhjJM694ty"
        for (name, code) in [("s\u{5d5}me", "SeedNameMixesAlphabets"), ("so\u{200b}me", "SeedNameInvalid")] {
            #expect(throws: SignerError.self) { try vault.recoverSeed(named: name, phrase: phrase) }
            let renamed = #expect(throws: SignerError.self) { try vault.renameSeed(named: "demo", to: name) }
            #expect(renamed?.code == code)
            let contact = #expect(throws: SignerError.self) {
                try vault.saveContact(
                    Contact(accountID: vault.accountID(ofAddress: address), name: name, origin: .typed))
            }
            #expect(contact?.code == "ContactNameInvalid")
        }
        #expect(try vault.seedNames() == ["demo"])
    }

    @Test("a network whose title or unit mixes alphabets, or whose path is not composed, is refused")
    func networks() throws {
        var bundle = try NetworkBundle.shipped()
        bundle.generalVerifier = .none
        let vault = try Vault.lookOnly(bundle)
        let specs = NetworkSpecs(
            base58Prefix: 42, color: "#000", decimals: 12, scheme: .sr25519,
            genesisHash: Hash256(unchecked: [UInt8](repeating: 7, count: 32)), logo: "", name: "orion",
            pathID: "//orion", secondaryColor: "", title: "Orion", unit: "ORI")
        let changes: [(inout NetworkSpecs) -> Void] = [
            { $0.title = "P\u{43e}lkadot" }, { $0.unit = "D\u{41e}T" }, { $0.pathID = "//e\u{301}" },
        ]
        for change in changes {
            var changed = specs
            change(&changed)
            let refused = #expect(throws: RefusedPayload.self) {
                try vault.propose(UpdatePayload.payload(.specs(changed)))
            }
            #expect(refused?.code == "SpecsMalformed")
        }
        _ = try vault.propose(UpdatePayload.payload(.specs(specs)))
    }

    @Test("a path that is not composed, or has more than 1,024 bytes, makes no key in any of the ways to one")
    func paths() throws {
        let vault = try TestVault().withSeed()
        let westend = try vault.network(named: "westend")
        let (decomposed, long) = ("//cafe\u{301}", "//" + String(repeating: "é", count: 512))
        for path in [decomposed, long] {
            let typed = #expect(throws: SignerError.self) {
                try vault.deriveKey(seed: "demo", path: path, password: nil, network: westend)
            }
            #expect(typed?.code == "InvalidDerivation")
            #expect(try vault.derivationCheck(path, ofSeed: "demo", in: westend).error?.code == "InvalidDerivation")
        }
        let before = try vault.state()
        let listed = #expect(throws: RefusedPayload.self) {
            try vault.propose(PathImport(network: westend.key, paths: [decomposed]).payload)
        }
        #expect(listed?.code == "InvalidDerivation")
        let asked = #expect(throws: RefusedPayload.self) {
            try vault.propose(DerivationsPayload.request([(decomposed, .sr25519, westend.genesisHash)]))
        }
        #expect(asked?.code == "InvalidDerivation")
        let exported = DerivationsPayload.export([
            .init(
                address: "5FHneW46xGXgs5mUiveU4sbTyGBzmstUspZC92UhjJM694ty", path: decomposed,
                network: westend.genesisHash)
        ])
        #expect(try vault.importDerivations(vault.propose(exported)).isEmpty)
        #expect(try vault.state() == before)
        let chain = try Chain("westend")
        let signed = #expect(throws: RefusedPayload.self) {
            try vault.process(
                chain.payload(chain.transfer(), derivedFrom: DerivationsPayload.root, path: decomposed))
        }
        #expect(signed?.code == "InvalidDerivation")
        _ = try vault.deriveKey(seed: "demo", path: "//caf\u{e9}", password: nil, network: westend)
    }
}
