import SecretMemory
import TestSupport
import Testing
import TextForms

@testable import SplitBackup

@Suite("Known answers of split backups")
struct SplitAnswerTests {
    @Test("there are known splits, each with all its shares")
    func answersAreThere() {
        #expect(SplitAnswers.splits.count == 3)
        #expect(SplitAnswers.splits.allSatisfy { $0.shares.count == $0.total && $0.total > 0 })
    }

    @Test("title and passphrase give the key", arguments: SplitAnswers.splits)
    func key(of split: SplitAnswers.Split) throws {
        let cipher = try BackupCipher(passphrase: split.passphrase(), title: split.title)
        #expect(cipher.key.revealed == split.json["scryptKey"].hex)
    }

    @Test("the secret is encrypted and padded", arguments: SplitAnswers.splits)
    func padding(of split: SplitAnswers.Split) throws {
        let cipher = try BackupCipher(passphrase: split.passphrase(), title: split.title)
        let plain = try BackupShare.padded(split.secret(), by: cipher, nonce: split.nonce)
        #expect(plain.revealed == split.json["padded"].hex)
        #expect(split.json["ciphertext"].hex.map { plain.revealed.suffix($0.count).elementsEqual($0) } == true)
    }

    @Test("the shares are right byte for byte", arguments: SplitAnswers.splits)
    func shares(of split: SplitAnswers.Split) throws {
        let cipher = try BackupCipher(passphrase: split.passphrase(), title: split.title)
        let plain = try BackupShare.padded(split.secret(), by: cipher, nonce: split.nonce)
        let shares = BackupShare.shares(
            of: plain, title: split.title, plan: try SplitPlan(total: split.total, required: split.required),
            nonce: split.nonce, coefficients: try split.coefficients(elements: plain.count))
        #expect(shares.map(\.text) == split.shares)
        #expect(shares.map(\.utf8) == split.shares.map { Array($0.utf8) })
    }

    @Test("any shares that are enough, in any order, give the secret", arguments: SplitAnswers.splits)
    func recovering(_ split: SplitAnswers.Split) throws {
        for chosen in [Array(split.shares.prefix(split.required)), split.shares.suffix(split.required).reversed()] {
            var set = try ForeignShares.set(of: chosen)
            #expect(set.title == split.title && set.isComplete)
            #expect(try set.recover(passphrase: split.passphrase()) == split.secret())
        }
    }

    @Test("the field of bytes has the published powers, logarithms and products")
    func fieldOfBytes() throws {
        let tables = SplitAnswers.all["field"]["gf256"]
        var power: UInt32 = 1
        #expect(tables["exp"].array.count == 16)
        for expected in tables["exp"].array {
            #expect(Int(power) == expected.int)
            power = GaloisField.ofBytes.product(of: power, by: 2)
        }
        #expect(tables["log"].array.count == 16)
        for (index, expected) in tables["log"].array.enumerated() {
            let power = (0..<(expected.int ?? 0)).reduce(UInt32(1)) { power, _ in
                GaloisField.ofBytes.product(of: power, by: 2)
            }
            #expect(Int(power) == index + 1)
        }
        for factors in tables["product"].array {
            let (left, right) = (UInt32(factors[0].int ?? 0), UInt32(factors[1].int ?? 0))
            #expect(Int(GaloisField.ofBytes.product(of: left, by: right)) == factors[2].int)
            #expect(Int(GaloisField.ofBytes.product(of: right, by: left)) == factors[2].int)
        }
    }

    @Test("each field is reduced by its polynomial", arguments: GaloisField.allBits)
    func reduction(bits: Int) throws {
        let field = try #require(GaloisField(bits: bits))
        let low = SplitAnswers.all["field"]["polynomialLowBits"]["\(bits)"].int
        #expect(Int(field.product(of: 1 << UInt32(bits - 1), by: 2)) == low)
    }
}

@Suite("Shares of other implementations", .enabled(if: ForeignShares.isThere, "the shared data are not here"))
struct ForeignShareTests {
    @Test("real sets of both versions are recovered", arguments: ForeignShares.all["recover"].array.map(Named.init))
    func recovering(_ set: Named) throws {
        let expected = set.json
        let shares = expected["shares"].strings
        let passphrase = try SecretBytes(publicText: expected["passphrase"].string ?? "")
        #expect(
            try BackupCipher(passphrase: passphrase, title: expected["title"].string ?? "").key.revealed
                == expected["scryptKey"].hex)
        let required = try BackupShare(reading: Array(shares[0].utf8)).required
        for chosen in [Array(shares.prefix(required)), shares.suffix(required).reversed()] {
            var set = try ForeignShares.set(of: chosen)
            #expect(set.title == expected["title"].string)
            #expect(try set.recover(passphrase: passphrase).publicText == expected["secret"].string)
            let read = try chosen.map { try BackupShare(reading: Array($0.utf8)) }
            let combined = try ShareCombination(of: read, in: .ofBytes).bytes()
            #expect(combined?.revealed == expected["combinedCiphertext"].hex)
        }
    }

    @Test("a share of version 1 is written as it was", arguments: ForeignShares.all["recover"].array.map(Named.init))
    func writing(_ set: Named) throws {
        for text in set.json["shares"].strings where text.contains("\"v\"") {
            #expect(try BackupShare(reading: Array(text.utf8)).text == text)
        }
    }

    @Test("a malformed share is refused by its code", arguments: ForeignShares.all["badShares"].array.map(Named.init))
    func malformed(_ share: Named) {
        #expect(codeOf { try BackupShare(reading: Array((share.json["share"].string ?? "").utf8)) } == share.code)
    }

    @Test(
        "a share of another set is refused by its code", arguments: ForeignShares.all["badSets"].array.map(Named.init))
    func otherSet(_ pair: Named) {
        #expect(
            codeOf { try ForeignShares.set(of: [pair.json["first"], pair.json["second"]].compactMap(\.string)) }
                == pair.code)
    }

    @Test("a wrong passphrase is refused by its code")
    func wrongPassphrase() throws {
        let answer = ForeignShares.all["wrongPassphrase"]
        let shares = answer["shares"].strings
        let required = try BackupShare(reading: Array(shares[0].utf8)).required
        var set = try ForeignShares.set(of: shares.prefix(required))
        let passphrase = try SecretBytes(publicText: answer["passphrase"].string ?? "")
        #expect(codeOf { try set.recover(passphrase: passphrase) } == answer["error"].string)
    }

    @Test("a text that is no phrase is refused by its code")
    func noPhrase() throws {
        let answer = ForeignShares.all["notMnemonic"]
        let source = try #require(ForeignShares.all["recover"].array.first { $0["id"] == answer["set"] })
        let shares = source["shares"].strings
        var set = try ForeignShares.set(
            of: shares.prefix(try BackupShare(reading: Array(shares[0].utf8)).required))
        let passphrase = try SecretBytes(publicText: source["passphrase"].string ?? "")
        let code = codeOf {
            try set.recover(passphrase: passphrase) { $0.publicText.split(separator: " ").count == 12 }
        }
        #expect(code == answer["error"].string)
    }

    struct Named: CustomTestStringConvertible, Sendable {
        let json: JSON
        var testDescription: String { json["id"].string ?? "" }
        var code: String? { json["error"].string }
    }
}

/// The code of the error, or nil.
func codeOf(_ body: () throws -> some Any) -> String? {
    do {
        _ = try body()
        return nil
    } catch {
        return (error as? ShareError)?.code ?? "\(error)"
    }
}
