import Foundation
import MainKey
import SecretMemory
import Substrate
import Testing

@testable import Signer

@Suite("New keys for the data of a vault")
struct RotationTests {
    struct Interrupted: Error {}

    /// A vault with a seed, derived keys and a signature in its log.
    private static func filled(_ test: TestVault) throws {
        let vault = try test.withSeed()
        let westend = try vault.network(named: "westend")
        for path in ["//one", "//two", "//three"] {
            _ = try vault.deriveKey(seed: "demo", path: path, password: nil, network: westend)
        }
        _ = try test.sign(TestVault.transfer(), in: vault)
        test.person.reasons = []
    }

    /// What a vault holds, as its owner sees it.
    private struct Content: Equatable {
        var keys: [StoredKey]
        var log: [UInt8]
        var entries: Int
        var checksum: String
        var state: [UInt8]
        var entropy: SecretBytes

        init(_ vault: Vault) throws {
            keys = try vault.keys()
            let verdict = try vault.verifyLog()
            (log, entries, checksum) = (verdict.digest, verdict.count, verdict.checksum)
            state = try vault.database.read { try StateDigest.state($0) }
            entropy = try vault.seeds.mnemonic(named: "demo").entropy
        }
    }

    /// Epochs of all that lies sealed in the files, by table; seeds under their own name.
    private static func epochs(_ test: TestVault) throws -> [String: Set<UInt32>] {
        let stored = try ColdDatabase(opening: test.folder.appending(path: "vault.sqlite").path, readOnly: true)
        return try stored.read { trees in
            var epochs: [String: Set<UInt32>] = [:]
            for tree in [Tree.addresses, .history] {
                epochs[tree.rawValue] = Set(try trees.pairs(tree).map { try UnlockedVault.epoch(of: $0.value) })
            }
            let inventory = try trees.connection.rows("SELECT content FROM inventory").first?[0].bytes
            epochs["inventory"] = [try UnlockedVault.epoch(of: try #require(inventory))]
            epochs["seeds"] = [try UnlockedVault.epoch(of: Array(try #require(try test.files()["seeds.sealed"])))]
            return epochs
        }
    }

    private static func storedKeys(_ test: TestVault) throws -> Set<[UInt8]> {
        let stored = try ColdDatabase(opening: test.folder.appending(path: "vault.sqlite").path, readOnly: true)
        return Set(try stored.read { try $0.pairs(.addresses).map(\.key) })
    }

    /// Ends a rotation of rows behind the first batch of two, within an epoch that has just begun.
    private static func halfRotate(_ vault: Vault) throws {
        let engine = try #require(vault.key?.engine)
        try engine.beginRotation(by: VaultKey.owner)
        var sealed = 0
        #expect(throws: Interrupted.self) {
            try engine.withUnlocked { unlocked in
                // The inventory comes first.
                try RowRotation(database: vault.database, batchRowCount: 2).reseal(in: unlocked) { count in
                    sealed += count
                    if sealed == 3 { throw Interrupted() }
                }
            }
        }
    }

    private func put(_ files: [String: Data], _ name: String, in test: TestVault) throws {
        let place = test.folder.appending(path: name)
        try #require(files[name]).write(to: place)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: place.path)
    }

    /// Puts back what is sealed beside the key file, and the list of it.
    private func putItems(_ files: [String: Data], in test: TestVault) throws {
        for name in files.keys where name.hasPrefix("key/items") { try put(files, name, in: test) }
    }

    // MARK: Wipes

    @Test("a vault that is wiped in the middle of a rotation has no key that anything of before was sealed under")
    func wipedMeanwhile() throws {
        let test = try TestVault()
        try Self.filled(test)
        var held: Set<UInt32> = [1]
        do {
            let vault = try test.open()
            #expect(throws: Interrupted.self) {
                try vault.rotate(try #require(vault.key)) { if $0.place == "items and tokens" { throw Interrupted() } }
            }
            #expect(try vault.rotationStatus().isUnderWay)
        }
        for epochs in try Self.epochs(test).values { held.formUnion(epochs) }
        #expect(held == [1, 2])
        let vault = try test.open()
        try vault.wipe(with: .shipped(), following: .ofRelease)
        #expect(try vault.seedNames().isEmpty)
        let status = try #require(try vault.key?.status())
        #expect(!status.isRotating && held.isDisjoint(with: status.epochs.map(\.number)))
    }

    // MARK: Whole rotations

    @Test("everything is sealed under a new key, and says what it said before")
    func rotates() throws {
        let test = try TestVault(hasPIN: true)
        try Self.filled(test)
        let before = try Content(test.open(.read))
        let (files, rows) = (try test.files(), try Self.storedKeys(test))
        #expect(try Self.epochs(test).values.allSatisfy { $0 == [1] })
        test.person.reasons = []
        let rotation = try Vault.rotate(test.folder, unlocking: test.unlocking)
        #expect(test.person.reasons == [.protections])
        #expect(rotation.epoch == 2 && !rotation.isRekeyed)
        // Eight rows of addresses at the least, the log, the inventory; the seeds.
        #expect(rotation.sealed["addresses and log"] == before.keys.count + before.entries + 1)
        #expect(rotation.sealed["seeds"] == 1 && before.keys.count >= 8)
        #expect(try Self.epochs(test).values.allSatisfy { $0 == [2] })
        #expect(try Self.storedKeys(test).isDisjoint(with: rows))
        #expect(try Content(test.open(.read)) == before)
        let status = try test.open(.publicData).rotationStatus()
        #expect(!status.isUnderWay && status.epoch == 2 && status.places.allSatisfy { $0.old == 0 })
        // With the old key file the PIN opens nothing that there is now, and the other way round.
        try put(files, "key/keyring.mk", in: test)
        #expect(throws: SignerError.self) { try test.open(.read) }
        for name in ["vault.sqlite", "seeds.sealed"] { try put(files, name, in: test) }
        try putItems(files, in: test)
        #expect(try Content(test.open(.read)) == before)
    }

    @Test("it can be done again and again, and the vault is used in between")
    func repeated() throws {
        let test = try TestVault(hasPIN: true)
        try Self.filled(test)
        for epoch in 2...4 as ClosedRange<UInt32> {
            let before = try Content(test.open(.read))
            #expect(try Vault.rotate(test.folder, unlocking: test.unlocking).epoch == epoch)
            #expect(try Content(test.open(.read)) == before)
            _ = try test.sign(TestVault.transfer(), in: test.open())
        }
        #expect(try test.open(.read).verifyLog().count == 9)
    }

    @Test("within a session a person is asked all the same; without protection nobody is")
    func asked() throws {
        let test = try TestVault(hasPIN: true)
        try test.beginSession(withSeed: true)
        _ = try Vault.rotate(test.folder, unlocking: test.unlocking)
        #expect(test.person.reasons == [.protections])
        // The session opens what is there now.
        #expect(try test.open(.read).seedNames() == ["demo"])
        #expect(test.person.reasons == [.protections])
        let folder = try Folder()
        let place = folder.url.appending(path: "vault")
        let nobody = Unlocking { _ in throw SignerError.vaultKey(.locked) }
        try Vault.create(in: place, protections: [.none], options: VaultOptions(), bundle: .shipped())
        #expect(try Vault.rotate(place, unlocking: nobody).epoch == 2)
    }

    @Test("a new MainKey comes with a new PIN and a new recovery code; the old ones open nothing, copies nothing new")
    func rekeyed() throws {
        let old = (pin: try TestVault.secret("passphrase"), code: try RecoveryCode.generate())
        let test = try TestVault(nil, [.recovery(old.code)], hasPIN: true)
        try test.beginSession(withSeed: true)
        _ = try test.sign(TestVault.transfer(), in: test.open())
        let before = try Content(test.open(.read))
        let files = try test.files()
        let new = try TestVault.secret("another one")
        var shown: [RecoveryCode] = []
        let renewal = KeyRenewal(
            newPIN: { new },
            takeRecoveryCode: { code, commit in
                shown.append(code)
                try commit()
            })
        let rotation = try Vault.rotate(test.folder, unlocking: test.unlocking, renewal: renewal)
        #expect(rotation.isRekeyed && rotation.epoch == 2)
        #expect(try test.files()["key/session.mk"] == nil)
        #expect(throws: SignerError.vaultKey(.wrongCredential(attemptsLeft: 9))) { try test.open(.read) }
        test.person.takeOut(try old.code.grouped())
        #expect(throws: SignerError.self) { try test.open(.read) }
        test.person.takeOut(try #require(shown.first).grouped())
        #expect(try Content(test.open(.read)) == before && shown.count == 1)
        test.person.pin = new
        #expect(try Content(test.open(.read)) == before)
        // Somebody with the old folder and the old PIN has what was in it, and no more.
        test.person.pin = old.pin
        try put(files, "key/keyring.mk", in: test)
        try put(files, "key/attempts.mk", in: test)
        #expect(throws: SignerError.vigil(.bindingDiffers(.mark))) { try test.open(.read) }
        try putItems(files, in: test)
        #expect(throws: SignerError.databaseDamaged(.log)) {
            do { _ = try test.open(.read) } catch let error as SignerError {
                guard case .databaseDamaged = error else { throw error }
                throw SignerError.databaseDamaged(.log)
            }
        }
    }

    @Test("a weak new PIN is refused, and nothing is changed")
    func weakPIN() throws {
        let test = try TestVault(hasPIN: true)
        try Self.filled(test)
        let before = try test.files().filter { $0.key != "key/attempts.mk" }
        let renewal = KeyRenewal(
            newPIN: { try TestVault.secret("123456") }, takeRecoveryCode: { _, commit in try commit() })
        #expect(throws: SignerError.vaultKey(.weakPIN(.sequence))) {
            try Vault.rotate(test.folder, unlocking: test.unlocking, renewal: renewal)
        }
        #expect(try test.files().filter { $0.key != "key/attempts.mk" } == before)
    }

    @Test("costs that no reader takes are refused before a new PIN is asked for or a code is shown")
    func costsTogether() throws {
        let test = try TestVault(nil, [.recovery(RecoveryCode.generate())], hasPIN: true)
        var unlocking = test.unlocking
        unlocking.cost = Argon2Cost(passes: 9, memoryKiB: 1 << 20)
        let renewal = KeyRenewal(
            newPIN: {
                Issue.record("a PIN was asked for")
                return test.pin
            }, takeRecoveryCode: { _, _ in Issue.record("a code was shown") })
        let error = #expect(throws: SignerError.self) {
            try Vault.rotate(test.folder, unlocking: unlocking, renewal: renewal)
        }
        #expect("\(error as Any)".contains("16 GiB"), "\(error as Any)")
        _ = try test.open(.read)
    }

    @Test("the PIN of before is refused as the new one, and nothing is changed")
    func samePIN() throws {
        let test = try TestVault(hasPIN: true)
        try Self.filled(test)
        let before = try test.files().filter { $0.key != "key/attempts.mk" }
        let renewal = KeyRenewal(newPIN: { test.pin }, takeRecoveryCode: { _, commit in try commit() })
        let error = #expect(throws: SignerError.self) {
            try Vault.rotate(test.folder, unlocking: test.unlocking, renewal: renewal)
        }
        #expect("\(error!)".contains("the one of before"))
        #expect(try test.files().filter { $0.key != "key/attempts.mk" } == before)
    }

    // MARK: Interrupted ones

    @Test("ended at any step, everything is there; the next run finishes it", arguments: 0..<8)
    func interrupted(_ steps: Int) throws {
        let test = try TestVault(hasPIN: true)
        try Self.filled(test)
        let before = try Content(test.open(.read))
        var left = steps
        #expect(throws: Interrupted.self) {
            try Vault.rotate(test.folder, unlocking: test.unlocking) { _ in
                guard left > 0 else { throw Interrupted() }
                left -= 1
            }
        }
        #expect(try Content(test.open(.read)) == before)
        let status = try test.open(.publicData).rotationStatus()
        #expect(status.isUnderWay && status.epoch == 2)
        #expect((status.places.map(\.old).reduce(0, +) > 0) == (steps < 7))
        #expect(try Vault.rotate(test.folder, unlocking: test.unlocking).epoch == 2)
        #expect(try Self.epochs(test).values.allSatisfy { $0 == [2] })
        #expect(try test.open(.publicData).rotationStatus().isUnderWay == false)
        #expect(try Content(test.open(.read)) == before)
    }

    @Test("rows of two epochs are found, changed and removed like others, and none is there twice")
    func lookups() throws {
        let test = try TestVault(hasPIN: true)
        try Self.filled(test)
        let vault = try test.open()
        let before = try Content(vault)
        try Self.halfRotate(vault)
        #expect(try Self.epochs(test)["addresses"] == [1, 2])
        #expect(try Content(vault) == before)
        let (kusama, polkadot) = (try vault.network(named: "kusama"), try vault.network(named: "polkadot"))
        for key in before.keys {
            #expect(try vault.database.read { try $0.key(key.signer) } == key)
            guard key.details.networks.allSatisfy({ $0.scheme == .sr25519 }), key.details.path != "" else { continue }
            for network in [kusama, polkadot] where !key.details.networks.contains(network.key) {
                _ = try vault.deriveKey(seed: "demo", path: key.details.path, password: nil, network: network)
            }
        }
        #expect(try vault.keys().map(\.signer) == before.keys.map(\.signer))
        #expect(try Self.storedKeys(test).count == before.keys.count)
        _ = try test.sign(TestVault.transfer(), in: vault)
        try vault.removeSeed(named: "demo")
        #expect(try vault.keys().isEmpty && Self.storedKeys(test).isEmpty)
        #expect(try vault.verifyLog().count > before.entries)
    }

    @Test("who looks at the vault since before sees the same at every step")
    func readers() throws {
        let test = try TestVault(hasPIN: true)
        try Self.filled(test)
        let reader = try test.open(.read)
        let before = try Content(reader)
        var seen = 0
        func look() throws {
            seen += 1
            #expect(try Content(reader) == before)
            #expect(try reader.database.read { try $0.key(before.keys[0].signer) } == before.keys[0])
            #expect(try Content(test.open(.read)) == before)
        }
        _ = try Vault.rotate(test.folder, unlocking: test.unlocking) { _ in try look() }
        #expect(seen > 5)
        #expect(try Content(reader) == before)
        _ = try Vault.rotate(test.folder, unlocking: test.unlocking)
        #expect(try Content(reader) == before)
    }

    @Test("a new MainKey is not given to the keys of a rotation that was begun before")
    func rekeyedMeanwhile() throws {
        let test = try TestVault(hasPIN: true)
        try Self.filled(test)
        try Self.halfRotate(test.open())
        let before = try Content(test.open(.read))
        let new = try TestVault.secret("another one")
        let renewal = KeyRenewal(newPIN: { new }, takeRecoveryCode: { _, commit in try commit() })
        #expect(try Vault.rotate(test.folder, unlocking: test.unlocking, renewal: renewal).epoch == 3)
        test.person.pin = new
        #expect(try Self.epochs(test).values.allSatisfy { $0 == [3] })
        #expect(try Content(test.open(.read)) == before)
    }

    @Test("a vault that is locked meanwhile ends it, and asks nobody in the middle")
    func locked() throws {
        let test = try TestVault(hasPIN: true)
        try Self.filled(test)
        let before = try Content(test.open(.read))
        do {
            let vault = try test.open()
            let key = try #require(vault.key)
            test.person.reasons = []
            #expect(throws: SignerError.vaultKey(.locked)) { try vault.rotate(key) { _ in key.engine.lock() } }
            #expect(test.person.reasons == [])
        }
        #expect(try Content(test.open(.read)) == before)
        #expect(try Vault.rotate(test.folder, unlocking: test.unlocking).epoch == 2)
        #expect(try Content(test.open(.read)) == before)
    }

    // MARK: Refusals

    @Test("while another program has the vault open for changes it is not begun")
    func busy() throws {
        let test = try TestVault(hasPIN: true)
        try Self.filled(test)
        let other = try test.open()
        #expect(throws: SignerError.vaultBusy(path: test.folder.path)) {
            try Vault.rotate(test.folder, unlocking: test.unlocking)
        }
        #expect(try other.rotationStatus().epoch == 1)
    }

    @Test("it is not begun where something is damaged already", arguments: ["row", "seeds", "digest"])
    func damaged(_ what: String) throws {
        let test = try TestVault(hasPIN: true)
        try Self.filled(test)
        switch what {
        case "row":
            try Tampering.execute(
                "UPDATE addresses SET value = substr(value, 1, length(value) - 1) || x'00' WHERE key = (SELECT min(key) FROM addresses)",
                in: test.folder)
        case "digest": try Tampering.execute("UPDATE inventory SET content = zeroblob(67)", in: test.folder)
        default: try Data(count: 60).write(to: test.folder.appending(path: "seeds.sealed"))
        }
        let error = #expect(throws: SignerError.self) { try Vault.rotate(test.folder, unlocking: test.unlocking) }
        #expect(error?.code == "DatabaseDamaged")
        let status = try VaultKey(of: test.folder, test.unlocking).status()
        #expect(!status.isRotating && status.epochs.map(\.number) == [1])
    }

    @Test("a wrong PIN changes nothing")
    func wrongPIN() throws {
        let test = try TestVault(hasPIN: true)
        try Self.filled(test)
        test.person.pin = try TestVault.secret("wrong one")
        #expect(throws: SignerError.vaultKey(.wrongCredential(attemptsLeft: 9))) {
            try Vault.rotate(test.folder, unlocking: test.unlocking)
        }
        #expect(try test.open(.publicData).rotationStatus().epoch == 1)
    }

    @Test("others, who do not know its rows, may not rotate its key")
    func others() throws {
        let test = try TestVault(hasPIN: true)
        try Self.filled(test)
        let engine = try MainKeyVault.open(at: VaultKey.folder(of: test.folder).path)
        try engine.unlock(.pin(test.pin))
        let error = #expect(throws: MainKeyError.self) { try engine.rotate([]) }
        #expect(error?.code == "configError" && error?.rotatingProgram == "casemate")
        #expect(error?.description.contains("is the vault of casemate") == true)
        #expect(try engine.status().epochs.map(\.number) == [1])
    }
}
