import Foundation
import MainKey
import SecretMemory
import TestSupport
import Testing

@testable import MainKeyCompat

@Suite("What Keymaker locked")
struct KeymakerTests {
    private static let known = Fixture.json("keymaker-compat")["cases"].array
    private static let more = Fixture.json("keymaker-more")

    // MARK: Known answers

    @Test("the PIN opens the known main key, and that the known text", arguments: known.indices)
    func knownAnswers(index: Int) throws {
        let json = Self.known[index]
        let protection = try KeymakerPINProtection(
            lockedKey: try json["pinProtection"].bytes(), salt: try json["salt"].bytes())
        let mainKey = try protection.mainKey(pin: try secret(utf8: json["pin"].string))
        #expect(try mainKey == secret(json["mainKey"].bytes()))
        let text = try KeymakerLocked(bytes: try json["lockedString"].bytes()).string(under: mainKey)
        #expect(try text == secret(utf8: json["value"].string))
    }

    @Test("all of Keymaker's fixtures are there")
    func fixturesPresent() {
        #expect(Self.known.count == 3)
        #expect(!Self.more.isNull)
    }

    @Test("the legacy version, whose vector is the key's beginning, opens as well")
    func legacy() throws {
        let json = Self.more["legacy"]
        let protection = try KeymakerPINProtection(
            lockedKey: try json["pinProtection"].bytes(), salt: try Self.more["salt"].bytes(), version: .legacy)
        let mainKey = try protection.mainKey(pin: Self.pin)
        #expect(mainKey == Self.mainKey)
        let text = try KeymakerLocked(bytes: try json["lockedString"].bytes(), version: .legacy).string(under: mainKey)
        #expect(try text == secret(utf8: "signature@example.org"))
    }

    @Test("data and dictionaries open")
    func otherTypes() throws {
        struct Account: Decodable, Equatable {
            let id: Int
            let name: String
        }
        let data = KeymakerLocked(bytes: try Self.more["data"]["locked"].bytes())
        #expect(try data.data(under: Self.mainKey) == secret(Self.more["data"]["value"].bytes()))
        let account = KeymakerLocked(bytes: try Self.more["dictionary"]["locked"].bytes())
        #expect(try account.value(Account.self, under: Self.mainKey) == Account(id: 7, name: "Zoë"))
    }

    // MARK: Refusals

    @Test("another PIN, an empty one, and another version are wrong credentials", arguments: ["1235", "", "12345"])
    func wrongPIN(pin: String) throws {
        let json = Self.known[0]
        let locked = try json["pinProtection"].bytes()
        let salt = try json["salt"].bytes()
        let wrong = MainKeyError.wrongCredential(attemptsLeft: nil)
        #expect(throws: wrong) {
            try KeymakerPINProtection(lockedKey: locked, salt: salt).mainKey(pin: secret(utf8: pin))
        }
        #expect(throws: wrong) {
            try KeymakerPINProtection(lockedKey: locked, salt: salt, version: .legacy).mainKey(pin: Self.pin)
        }
    }

    @Test(
        "a key of another length, of words, or of numbers that are no bytes is malformed",
        arguments: ["shortKey", "keyOfWords", "keyOfLargeNumbers"])
    func notAKey(name: String) throws {
        let protection = try KeymakerPINProtection(
            lockedKey: try Self.more["refused"][name].bytes(), salt: try Self.more["salt"].bytes())
        #expect { try protection.mainKey(pin: Self.pin) } throws: { isMalformed($0, .item) }
    }

    @Test("a property list as text is not taken")
    func textualList() throws {
        let protection = try KeymakerPINProtection(
            lockedKey: try Self.more["refused"]["keyAsText"].bytes(), salt: try Self.more["salt"].bytes())
        #expect(throws: MainKeyError.wrongCredential(attemptsLeft: nil)) { try protection.mainKey(pin: Self.pin) }
    }

    @Test("a text among several, or none, is malformed, and so is a text that is asked for as data")
    func notOneText() throws {
        for name in ["twoStrings", "noString"] {
            let locked = KeymakerLocked(bytes: try Self.more["refused"][name].bytes())
            #expect { try locked.string(under: Self.mainKey) } throws: { isMalformed($0, .sealedValue) }
        }
        let text = KeymakerLocked(bytes: try Self.known[0]["lockedString"].bytes())
        #expect { try text.data(under: Self.mainKey) } throws: { isMalformed($0, .sealedValue) }
    }

    @Test("a salt of another length, too many bytes, and too few are refused before anything is computed")
    func lengths() throws {
        #expect { try KeymakerPINProtection(lockedKey: [0], salt: [1, 2, 3]) } throws: { isMalformed($0, .item) }
        let long = [UInt8](repeating: 0, count: 4097)
        let salt = [UInt8](repeating: 0, count: 8)
        #expect { try KeymakerPINProtection(lockedKey: long, salt: salt) } throws: { isLimit($0) }
        let huge = KeymakerLocked(bytes: [UInt8](repeating: 0, count: KeymakerLocked.byteLimit + 1))
        #expect { try huge.string(under: Self.mainKey) } throws: { isLimit($0) }
        for count in [0, 1, 16] {
            let short = KeymakerLocked(bytes: [UInt8](repeating: 0, count: count))
            #expect(throws: MainKeyError.truncated(.sealedValue)) { try short.string(under: Self.mainKey) }
        }
        let shortKey = try SecretBytes.random(count: 16)
        #expect { try KeymakerLocked(bytes: long).string(under: shortKey) } throws: { isMalformed($0, .sealedValue) }
    }

    @Test("another main key opens nothing")
    func wrongMainKey() throws {
        let locked = KeymakerLocked(bytes: try Self.known[0]["lockedString"].bytes())
        let other = try secret(Self.known[1]["mainKey"].bytes())
        #expect(throws: MainKeyError.authFailed(.sealedValue)) { try locked.string(under: other) }
    }

    @Test("any changed bits, and any cut, give some text or a MainKeyError, never more")
    func mutated() throws {
        var random = SplitMix64(state: 2)
        let texts = try Self.known[0]["lockedString"].bytes()
        let dictionary = try Self.more["dictionary"]["locked"].bytes()
        var refused = 0
        for round in 0..<20_000 {
            var bytes = round % 2 == 0 ? texts : dictionary
            // The counter mode passes each changed bit on to the property list.
            for _ in 0...Int.random(in: 0..<4, using: &random) {
                bytes[Int.random(in: 24..<bytes.count, using: &random)] ^= random.byte()
            }
            if round % 5 == 0 { bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random)) }
            let locked = KeymakerLocked(bytes: bytes)
            do throws(MainKeyError) {
                if round % 2 == 0 {
                    _ = try locked.string(under: Self.mainKey)
                } else {
                    _ = try locked.value([String: String].self, under: Self.mainKey)
                }
            } catch {
                refused += 1
            }
        }
        #expect(refused > 10_000)
    }

    // MARK: Values

    private static let pin: SecretBytes = {
        var bytes = Array("1234".utf8)
        return try! SecretBytes(movingFrom: &bytes)
    }()

    private static let mainKey: SecretBytes = {
        var bytes = known[0]["mainKey"].hex ?? []
        return try! SecretBytes(movingFrom: &bytes)
    }()

    private func isMalformed(_ error: any Error, _ part: MainKeyError.Part) -> Bool {
        if case MainKeyError.malformed(part, _) = error { true } else { false }
    }

    private func isLimit(_ error: any Error) -> Bool {
        if case MainKeyError.limitExceeded = error { true } else { false }
    }
}

private func secret(_ bytes: [UInt8]) throws -> SecretBytes { try SecretBytes(copying: bytes) }

private func secret(utf8 text: String?) throws -> SecretBytes {
    try secret(Array(try #require(text).utf8))
}

extension JSON {
    fileprivate func bytes() throws -> [UInt8] { try #require(hex) }
}

/// The known answers beside these tests (Fixtures/README.md says where they come from).
private enum Fixture {
    static func json(_ name: String) -> JSON {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
        return (try? JSON(contentsOf: folder.appending(path: "Fixtures/\(name).json"))) ?? .null
    }
}
