import Foundation
import SecretMemory
import TestSupport
import Testing

@testable import MainKey

@Suite("Key files")
struct KeyFileTests {
    static let cases = Fixture.known("keyfiles")["cases"].array

    /// Opens a whole file with what a known answer gives; the slot is the first that takes the credential.
    static func open(_ bytes: [UInt8], _ credential: JSON, anchorNow: UInt64?) throws -> (
        MainKeySecrets, [UInt32: SecretBytes]
    ) {
        let file = try KeyFile(parsing: bytes)
        var last = MainKeyError.noSuchSlot("this credential")
        for slot in file.slots {
            guard let parts = try KnownCredential.parts(credential, for: slot), !parts.isEmpty else { continue }
            let mainKey: SecretBytes
            do throws(MainKeyError) {
                mainKey = try slot.open(parts, vault: file.vault, mainKeyID: file.mainKeyID)
            } catch {
                last = error
                // Any other slot may be the one; content that was changed is not tried on.
                guard case .wrongCredential = error else { throw error }
                continue
            }
            let secrets = try MainKeySecrets(mainKey, vault: file.vault)
            let epochs = try file.verify(bytes, under: secrets)
            if let anchorNow { try file.verify(anchorValue: anchorNow) }
            return (secrets, epochs)
        }
        throw last
    }

    static func bytes(_ known: JSON) throws -> [UInt8] {
        Array(try #require(Data(base64Encoded: known["file_b64"].string ?? "-")))
    }

    @Test("what all ways to open a vault ask for together is bounded, before anything is computed")
    func sumOfCosts() throws {
        let folder = try VaultFolder()
        let (vault, _) = try folder.make()
        let (known, unlocked) = try vault.memory.unlocked()
        func parse(_ count: Int, _ cost: Argon2Cost) -> String {
            var file = known
            file.slots = (0..<count).map { number in
                var slot = known.slots[0]
                slot.id = UInt32(number) + 1
                slot.cost = cost
                return slot
            }
            return code { _ = try KeyFile(parsing: file.bytes(under: unlocked.secrets)) }
        }
        let most = Argon2Cost(passes: 8, memoryKiB: 2_097_152)
        #expect(parse(1, most) == "ok")
        #expect(parse(2, most) == "limitExceeded" && parse(8, most) == "limitExceeded")
        #expect(parse(8, Argon2Cost(passes: 8, memoryKiB: 262_144)) == "ok")
        #expect(parse(8, Argon2Cost(passes: 9, memoryKiB: 262_144)) == "limitExceeded")
    }

    @Test("known files open, or are refused for the known reason", arguments: cases.indices)
    func knownFiles(index: Int) throws {
        let known = Self.cases[index]
        let bytes = try Self.bytes(known)
        let found = code {
            let (secrets, epochs) = try Self.open(
                bytes, known["credential"], anchorNow: known["anchorNow"].int.map(UInt64.init))
            #expect(secrets.mainKey.testBytes == known["mainKey"].hex)
            for (epoch, key) in known["epochs"].object {
                #expect(epochs[try #require(UInt32(epoch))]?.testBytes == key.hex)
            }
            let file = try KeyFile(parsing: bytes)
            #expect(file.bytes(under: secrets) == bytes)
        }
        #expect(found == known["expect"].string, "\(known["name"].string ?? "")")
    }

    @Test("no changed bit of a file with two ways to open it goes unnoticed, and none costs two runs of Argon2id")
    func bitFlips() throws {
        let secrets = try MainKeySecrets.random(vault: .random())
        let item = try SecretBytes.random(count: 32)
        let file = try Self.made(secrets, item: item)
        let bytes = file.bytes(under: secrets)
        for position in bytes.indices {
            for bit in 0..<8 {
                var mauled = bytes
                mauled[position] ^= 1 << UInt8(bit)
                let result = code {
                    let file = try KeyFile(parsing: mauled)
                    for kind: Slot.Kind in [.pin, .hardwareAndPIN, .recovery] {
                        #expect(file.slots(of: kind).count <= 1, "runs of Argon2id, byte \(position), bit \(bit)")
                    }
                    let slot = try #require(file.slots(of: .none).first)
                    let key = try slot.open([.item(item)], vault: file.vault, mainKeyID: file.mainKeyID)
                    _ = try file.verify(mauled, under: MainKeySecrets(key, vault: file.vault))
                }
                #expect(
                    [
                        "badMagic", "unsupportedVersion", "malformed", "truncated", "limitExceeded", "wrongCredential",
                        "tampered",
                    ].contains(result), "byte \(position), bit \(bit): \(result)")
            }
        }
    }

    @Test("random bytes and mauled files never trap", arguments: 0..<8)
    func randomBytes(round: Int) throws {
        let secrets = try MainKeySecrets.random(vault: .random())
        let bytes = try Self.made(secrets, item: .random(count: 32)).bytes(under: secrets)
        var generator = SplitMix64(state: 26)
        for _ in 0..<2000 {
            var mauled = bytes
            for _ in 0..<Int.random(in: 1...6, using: &generator) {
                switch Int.random(in: 0..<3, using: &generator) {
                case 0:
                    mauled[Int.random(in: mauled.indices, using: &generator)] = .random(in: 0...255, using: &generator)
                case 1 where mauled.count > 40: mauled.removeLast(Int.random(in: 1...20, using: &generator))
                default:
                    mauled.insert(
                        .random(in: 0...255, using: &generator), at: Int.random(in: mauled.indices, using: &generator))
                }
            }
            if let file = try? KeyFile(parsing: mauled) { #expect(file.bytes(under: secrets).count == mauled.count) }
        }
    }

    /// A file with an item's slot and a PIN's slot, which is not opened.
    static func made(_ secrets: MainKeySecrets, item: SecretBytes) throws -> KeyFile {
        let first = Slot.Draft(.none, cost: nil, createdAt: 1, avoiding: [])
        let second = Slot.Draft(.pin, cost: .standard, createdAt: 1, avoiding: [first.id])
        let slots = [
            try Slot(
                first, [.item(item)], hardwareKind: .keyItem, mainKey: secrets.mainKey, vault: secrets.vault,
                mainKeyID: secrets.id),
            try Slot(
                second, [.pin(.random(count: 32))], mainKey: secrets.mainKey, vault: secrets.vault,
                mainKeyID: secrets.id),
        ]
        let epochs = [
            try EpochRecord(epoch: 3, createdAt: 1, state: .retiring, key: .random(count: 32), under: secrets),
            try EpochRecord(epoch: 4, createdAt: 2, state: .active, key: .random(count: 32), under: secrets),
        ]
        return KeyFile(
            vault: secrets.vault, generation: 9, createdAt: 1, flags: [.rotationInProgress], attemptLimit: 10,
            autolockMinutes: 5, mainKeyID: secrets.id, anchor: .absent, slots: slots, epochs: epochs)
    }
}
