import Foundation
import MainKey
import SecretMemory
import Substrate
import Testing
import TextForms

@testable import Signer

@Suite("What lies on the disk")
struct AtRestTests {
    /// Everything private that a typical use leaves, in the forms that it could be found in.
    private func needles(_ vault: Vault, mnemonic: Mnemonic, phrase: SecretBytes) throws -> [(String, [UInt8])] {
        var needles: [(String, [UInt8])] = []
        func add(_ name: String, _ bytes: [UInt8]) {
            needles.append((name, bytes))
            needles.append((name + " in hex", Array(Hex.encode(bytes).utf8)))
            needles.append(
                (name + " in base64", Array(Data(bytes).base64EncodedString().utf8.prefix(bytes.count / 3 * 4))))
        }
        add("entropy", mnemonic.entropy.withUnsafeBytes { Array($0) })
        add("phrase", phrase.withUnsafeBytes { Array($0) })
        add("PIN", Array("passphrase".utf8))
        let networks = try vault.networks()
        for key in try vault.keys() {
            add("public key", key.signer.publicKey)
            for network in networks where key.details.networks.contains(network.key) {
                add("address", Array(key.address(in: network).text.utf8))
            }
        }
        for text in ["Savings of Anna", "//holidays//2026", "for the gardener"] { add(text, Array(text.utf8)) }
        return needles
    }

    @Test("no byte of the folder shows a seed, PIN, name, path, address or comment, while it is open and afterwards")
    func nothingInTheClear() throws {
        let code = try RecoveryCode.generate()
        let test = try TestVault(nil, [.recovery(code)], hasPIN: true)
        let vault = try test.open()
        var shown: Mnemonic?
        try vault.createSeed(named: "Savings of Anna", wordCount: 12) { shown = $0 }
        let mnemonic = try #require(shown)
        let westend = try vault.network(named: "westend")
        _ = try vault.deriveKey(seed: "Savings of Anna", path: "//holidays//2026", password: nil, network: westend)
        let key = try #require(vault.keys().first { $0.details.path == "//westend" })
        let payload = try TestVault.transfer(author: Hex.encode(key.signer.publicKey))
        var proposal = try vault.propose(payload)
        _ = try vault.sign(&proposal, comment: "for the gardener")
        try test.beginSession()
        _ = try vault.propose(payload)
        var needles = try needles(vault, mnemonic: mnemonic, phrase: mnemonic.phrase())
        needles.append(("recovery code", code.bytes.withUnsafeBytes { Array($0) }))
        needles.append(("transaction", payload))
        func scan(_ when: String) throws {
            let files = try test.files()
            #expect(files.keys.contains("vault.sqlite") && files.keys.contains("key/keyring.mk"))
            for (name, data) in files {
                for (needle, bytes) in needles where !bytes.isEmpty {
                    #expect(data.range(of: Data(bytes)) == nil, "\(needle) in \(name) \(when)")
                }
                let place = test.folder.appending(path: name).path
                let mode = try FileManager.default.attributesOfItem(atPath: place)[.posixPermissions] as? Int
                #expect(mode == 0o600, "\(name)")
            }
        }
        try scan("while it is open")
        try vault.dropPending()
        try vault.removeSeed(named: "Savings of Anna")
        try vault.key?.lock()
        try scan("afterwards")
        // The needles are right: what is public is found.
        #expect(try #require(test.files()["vault.sqlite"]).range(of: Data(westend.genesisHash.bytes)) != nil)
    }

    @Test("equal vaults have no row in common that is private")
    func blindKeys() throws {
        func rows(_ test: TestVault) throws -> Set<[UInt8]> {
            _ = try test.withSeed()
            let stored = try ColdDatabase(opening: test.folder.appending(path: "vault.sqlite").path, readOnly: true)
            return try Set(stored.read { trees in try trees.pairs(.addresses).flatMap { [$0.key, $0.value] } })
        }
        let (one, other) = try (TestVault(hasPIN: true), TestVault())
        #expect(try rows(one).isDisjoint(with: rows(other)))
    }

    @Test(
        "a row that is moved, copied from elsewhere or changed is damage", arguments: ["moved", "flipped", "foreign"])
    func movedRows(_ change: String) throws {
        let test = try TestVault(hasPIN: true)
        _ = try test.withSeed()
        let open = try test.open(.read)
        switch change {
        case "moved": try Tampering.swapped.apply(to: .addresses, in: test.folder)
        case "flipped": try Tampering.changed.apply(to: .addresses, in: test.folder)
        default: try Tampering.moved.apply(to: .addresses, in: test.folder)
        }
        // The rows were read when the vault was opened, and are kept: these are read anew.
        open.database.forgetKeys()
        let error = #expect(throws: SignerError.self) { try open.keys() }
        #expect(error?.code == "DatabaseDamaged")
        #expect(throws: SignerError.databaseDamaged(.tree("addresses"))) { try test.open(.read) }
    }
}
