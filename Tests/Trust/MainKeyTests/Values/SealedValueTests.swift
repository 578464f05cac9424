import BigEndian
import Foundation
import SecretMemory
import TestSupport
import Testing

@testable import MainKey

extension SealedPurpose {
    /// As known answers name it.
    init(known json: JSON) throws {
        let context = json["context"].array.compactMap(\.string)
        switch json["purpose"].string {
        case "db-attr": self = .column(table: try #require(context.first), column: try #require(context.last))
        case "token": self = .token(try #require(context.first))
        case "item": self = .item(try #require(context.first))
        default: self = .app(try #require(context.first))
        }
    }
}

@Suite("Sealed values")
struct SealedValueTests {
    static let known = Fixture.known("sealed")

    @Test(
        "known values open to the known plaintext, or are refused for the known reason",
        arguments: known["cases"].array.indices)
    func knownValues(index: Int) throws {
        let known = Self.known["cases"][index]
        let sealed = try #require(known["sealed"].hex)
        let keys = try Fixture.epochKeys(Self.known, active: 2)
        let purpose = try SealedPurpose(known: known)
        let row = known["row"].hex ?? []
        let result = code {
            try sealed.withRawBytes { (sealed) throws(MainKeyError) in
                try SealedValue.open(sealed, purpose, row: row, keys: keys) { (plaintext) throws(MainKeyError) in
                    let (tag, payload) = try PlaintextForm.read(plaintext)
                    if known["expect"].string == "ok" { Self.check(tag, payload, Array(plaintext), known) }
                }
            }
        }
        #expect(result == known["expect"].string, "\(known)")
        guard result == "ok", let nonce = known["nonce"].hex, let plaintext = known["plaintext"].hex else { return }
        let epoch = UInt32(try #require(known["epoch"].int))
        let again = try SealedValue.seal(
            purpose, row: row, count: plaintext.count, keys: Fixture.epochKeys(Self.known, active: epoch), nonce: nonce
        ) { $0.copyBytes(from: plaintext) }
        #expect(again == sealed)
    }

    private static func check(
        _ tag: SealableForm, _ payload: UnsafeRawBufferPointer, _ plaintext: [UInt8], _ known: JSON
    ) {
        #expect(plaintext == known["plaintext"].hex)
        #expect("\(tag)" == known["kind"].string)
        if tag == .text { #expect(String(decoding: payload, as: UTF8.self) == known["value"].string) }
    }

    @Test("every kind of value comes back as it was", arguments: [0, 16, 256])
    func roundTrip(padding: Int) throws {
        let keys = try Fixture.epochKeys(Self.known, active: 2)
        func same<V: SealableValue & Equatable>(_ value: V) throws {
            let sealed = try UnlockedVault(keys: keys).seal(value, .app("test"), row: RowBinding([1]), padding: padding)
            #expect(try UnlockedVault(keys: keys).open(sealed, as: V.self, .app("test"), row: RowBinding([1])) == value)
            if padding > 0 { #expect((sealed.count - 34) % padding == 0) }
        }
        for text in ["", "a", "fourteen bytes", "fifteen bytes..", "😀 ünïcödé"] { try same(text) }
        try same(Data())
        try same(Data(repeating: 0x80, count: 300))
        for number in [0, 1, -1, .max, .min] as [Int64] { try same(number) }
        for number in [0.0, -0.5, .infinity, .leastNonzeroMagnitude] { try same(number) }
        try same(true)
        try same(false)
        try same(Date(timeIntervalSince1970: 1_763_683_200.25))
        try same(JSONSealed(["a": [1, 2], "b": []]))
    }

    @Test("a value does not open as another type, at another place, in another row or after the lock")
    func refusals() throws {
        let keys = try Fixture.epochKeys(Self.known, active: 2)
        let place = SealedPurpose.column(table: "t", column: "c")
        let sealed = try UnlockedVault(keys: keys).seal("text", place, row: RowBinding([0, 1]))
        #expect(
            code { _ = try UnlockedVault(keys: keys).open(sealed, as: Int64.self, place, row: RowBinding([0, 1])) }
                == "malformed")
        #expect(
            code { _ = try UnlockedVault(keys: keys).open(sealed, as: String.self, place, row: RowBinding([0, 2])) }
                == "authFailed")
        let other = SealedPurpose.column(table: "t", column: "d")
        #expect(
            code { _ = try UnlockedVault(keys: keys).open(sealed, as: String.self, other, row: RowBinding([0, 1])) }
                == "authFailed")
        #expect(
            code {
                _ = try UnlockedVault(keys: keys).open(sealed, as: String.self, .token("c"), row: RowBinding([0, 1]))
            } == "wrongPurpose")
        keys.destroy()
        #expect(
            code { _ = try UnlockedVault(keys: keys).open(sealed, as: String.self, place, row: RowBinding([0, 1])) }
                == "locked")
        #expect(code { _ = try UnlockedVault(keys: keys).seal("text", place) } == "locked")
    }

    @Test("names of applications' purposes, paddings and lengths have limits")
    func limits() throws {
        let keys = try Fixture.epochKeys(Self.known, active: 2)
        for name in ["", "A", "a b", String(repeating: "a", count: 65)] {
            #expect(code { _ = try UnlockedVault(keys: keys).seal("x", .app(name)) } == "configError")
        }
        #expect(code { _ = try UnlockedVault(keys: keys).seal("x", .app("a"), padding: 24) } == "configError")
        #expect(
            code {
                _ = try UnlockedVault(keys: keys).seal(
                    "x", .app("a"), row: RowBinding(Array(repeating: 0, count: 65536)))
            } == "configError")
        #expect(code { _ = try UnlockedVault(keys: keys).seal(Date.distantFuture, .app("a")) } == "ok")
        #expect(
            code { _ = try UnlockedVault(keys: keys).seal(Date(timeIntervalSince1970: 1e300), .app("a")) }
                == "configError")
    }

    @Test("no changed bit of a value goes unnoticed")
    func bitFlips() throws {
        let keys = try Fixture.epochKeys(Self.known, active: 2)
        let sealed = try UnlockedVault(keys: keys).seal("text", .token("t"))
        for position in sealed.indices {
            for bit in 0..<8 {
                var mauled = sealed
                mauled[position] ^= 1 << UInt8(bit)
                #expect(throws: MainKeyError.self) {
                    try UnlockedVault(keys: keys).open(mauled, as: String.self, .token("t"))
                }
            }
        }
    }

    @Test("blind indexes are the known ones", arguments: Fixture.known("blindindex")["cases"].array.indices)
    func blindIndexes(index: Int) throws {
        let all = Fixture.known("blindindex")
        let known = all["cases"][index]
        let epoch = UInt32(try #require(known["epoch"].int))
        let keys = try Fixture.epochKeys(all, active: epoch)
        let table = try #require(known["table"].string)
        let column = try #require(known["column"].string)
        let length = try #require(known["length"].int)
        func found(_ value: some SealableValue) throws -> [UInt8] {
            try UnlockedVault(keys: keys).blindIndex(value, table: table, column: column, count: length)
        }
        let value = known["value"]
        let code =
            switch known["kind"].string {
            case "text": try found(value.string ?? "")
            case "int": try found(Int64(value.int ?? 0))
            case "bytes": try found(Data(value["hex"].hex ?? []))
            default: [UInt8]()
            }
        #expect(code == known["index"].hex)
    }

    @Test("subkeys and the key file's keys are the known ones")
    func subkeys() throws {
        let all = Fixture.known("subkeys")
        for known in all["subkeys"].array {
            let epoch = UInt32(try #require(known["epoch"].int))
            let salt = try Fixture.vault(known).bytes + [UInt8](bigEndian: epoch)
            let key = try HMACSHA256.derive(
                Fixture.secret(known["ek"]), salt: salt, .subkey(known["purpose"].string ?? ""),
                context: known["context_hex"].hex ?? [])
            #expect(key.testBytes == known["subkey"].hex)
        }
        let known = all["keyfile_keys"]
        let secrets = try MainKeySecrets(Fixture.secret(known["mainKey"]), vault: Fixture.vault(known))
        #expect(secrets.id == known["keyID"].hex)
        #expect(secrets.fileCode.testBytes == known["macKey"].hex)
        #expect(secrets.epochWrapping.testBytes == known["epochWrapKey"].hex)
    }

    @Test("names are told apart by their bytes, whichever was used first")
    func spelledNames() throws {
        let (composed, decomposed) = ("caf\u{e9}", "cafe\u{301}")
        #expect(composed == decomposed && SealedPurpose.token(composed) != .token(decomposed))
        for names in [(composed, decomposed), (decomposed, composed)] {
            let keys = try Fixture.epochKeys(Self.known, active: 2)
            let sealed = try UnlockedVault(keys: keys).seal("value", .token(names.0))
            #expect(
                code { _ = try UnlockedVault(keys: keys).open(sealed, as: String.self, .token(names.1)) }
                    == "authFailed")
            // Another process, which sees the second name first.
            let others = try Fixture.epochKeys(Self.known, active: 2)
            #expect(
                code { _ = try UnlockedVault(keys: others).open(sealed, as: String.self, .token(names.1)) }
                    == "authFailed")
            #expect(try UnlockedVault(keys: others).open(sealed, as: String.self, .token(names.0)) == "value")
            let first = try UnlockedVault(keys: keys).blindIndex("a", table: "t", column: names.0)
            #expect(try UnlockedVault(keys: keys).blindIndex("a", table: "t", column: names.1) != first)
        }
    }

    @Test("when an epoch is dropped, what was made of its key goes with it, though it was in use")
    func droppedEpoch() throws {
        let (old, new) = (try SecretBytes.random(count: 32), try SecretBytes.random(count: 32))
        let keys = EpochKeys([1: old, 2: new], active: 1, vault: try Fixture.vault(Self.known))
        let sealed = try UnlockedVault(keys: keys).seal("value", .token("t"))
        _ = try UnlockedVault(keys: keys).blindIndex("value", table: "t", column: "c")
        keys.replace([2: new], active: 2)
        #expect(
            code { _ = try UnlockedVault(keys: keys).open(sealed, as: String.self, .token("t")) } == "unknownEpoch")
        #expect(
            code { _ = try UnlockedVault(keys: keys).blindIndex("value", table: "t", column: "c", epoch: 1) }
                == "unknownEpoch")
        #expect(try UnlockedVault(keys: keys).blindIndex("value", table: "t", column: "c").count == 16)
    }

    @Test("keys that are destroyed are held by nobody any more, nor is what was made of them")
    func destroyedKeys() throws {
        weak var key: SecretBytes?
        weak var cipher: EpochKeys.Cipher?
        let keys: EpochKeys
        do {
            let made = try SecretBytes.random(count: 32)
            key = made
            keys = EpochKeys([1: made], active: 1, vault: try Fixture.vault(Self.known))
        }
        cipher = try keys.sealing(.token("t")).cipher
        #expect(key != nil && cipher != nil)
        keys.destroy()
        #expect(key == nil && cipher == nil)
    }
}
