import SecretMemory
import TestSupport
import Testing

@testable import SplitBackup

@Suite("Splitting a secret")
struct SplittingTests {
    private static let phrase = "legal winner thank year wave sausage worth useful legal winner thank yellow"

    @Test("what is split is recovered, once the passphrase was typed back")
    func roundTrip() throws {
        let split = try NewSplit(of: SecretBytes(publicText: Self.phrase), title: "Tür \"7\"", plan: .proposed)
        #expect(throws: ShareError.confirmationMismatch) {
            try split.shares(confirming: SecretBytes(publicText: "wrong"))
        }
        let typed = try SecretBytes(publicText: split.passphrase.publicText)
        let shares = try split.shares(confirming: typed)
        #expect(shares.count == 3 && shares.map(\.number) == [1, 2, 3] && shares.allSatisfy { $0.required == 2 })
        var set = try ForeignShares.set(of: [shares[2].text, shares[0].text])
        #expect(set.title == "Tür \"7\"")
        #expect(try set.recover(passphrase: typed).publicText == Self.phrase)
    }

    @Test("two splits of one secret have nothing in common")
    func fresh() throws {
        let secret = try SecretBytes(publicText: Self.phrase)
        let splits = try (0..<2).map { _ in try NewSplit(of: secret, title: "T", plan: .proposed) }
        #expect(splits[0].passphrase != splits[1].passphrase)
        let shares = try splits.map { try $0.shares(confirming: $0.passphrase) }
        #expect(shares[0][0].nonce != shares[1][0].nonce && shares[0][0].content != shares[1][0].content)
    }

    @Test("plans have their limits")
    func plans() throws {
        #expect(SplitPlan.proposed.total == 3 && SplitPlan.proposed.required == 2)
        #expect(try SplitPlan(total: 2).required == 2 && SplitPlan(total: 5).required == 3)
        #expect(try SplitPlan(total: 255, required: 255).required == 255)
        for (total, required) in [(0, 0), (1, 1), (3, 1), (3, 0), (3, 4), (256, 2), (-1, 2)] {
            #expect(throws: ShareError.splitLimits(.shards(total: total, required: required))) {
                try SplitPlan(total: total, required: required)
            }
        }
    }

    @Test("texts and titles have their limits, counted in characters")
    func limits() throws {
        func split(_ secret: String, _ title: String = "T", words: Int = 4) throws -> NewSplit {
            try NewSplit(of: SecretBytes(publicText: secret), title: title, plan: .proposed, wordCount: words)
        }
        _ = try split(String(repeating: "Э", count: 1024), String(repeating: "я", count: 64))
        #expect(throws: ShareError.splitLimits(.secret)) { try split(String(repeating: "a", count: 1025)) }
        #expect(throws: ShareError.splitLimits(.secret)) { try split("") }
        #expect(throws: ShareError.splitLimits(.title)) { try split("a", "") }
        #expect(throws: ShareError.splitLimits(.title)) { try split("a", String(repeating: "t", count: 65)) }
        #expect(throws: ShareError.splitLimits(.passphraseWords(3))) { try split("a", words: 3) }
        #expect(throws: ShareError.splitLimits(.passphraseWords(7))) { try split("a", words: 7) }
        var broken: [UInt8] = [0xff]
        let noText = try SecretBytes(movingFrom: &broken)
        #expect(throws: ShareError.splitLimits(.secret)) {
            try NewSplit(of: noText, title: "T", plan: .proposed)
        }
    }

    @Test("the largest split is recovered")
    func largest() throws {
        let plan = try SplitPlan(total: 255, required: 255)
        let secret = try SecretBytes(publicText: "s")
        let passphrase = try SecretBytes(publicText: "p")
        let shares = try BackupShare.split(secret, title: "T", passphrase: passphrase, plan: plan)
        var set = try ShareSet(shares[0])
        for share in shares.dropFirst() { try set.add(share) }
        #expect(try set.recover(passphrase: passphrase) == secret)
    }

    #if os(Linux)
        @Test("neither the secret nor the passphrase is left in memory")
        func nothingIsLeft() throws {
            var scan = MemoryScan()
            try splitAndRecover(watchedBy: &scan)
            #expect(scan.names.count == 3)
            #expect(try scan.run() == [])
        }

        private func splitAndRecover(watchedBy scan: inout MemoryScan) throws {
            let random = try SecretBytes.random(count: 64)
            let secret = try SecretBytes(count: 64) { letters in
                random.withUnsafeBytes { random in
                    for index in letters.indices { letters[index] = UInt8(ascii: "a") + random[index] % 26 }
                }
            }
            secret.withUnsafeBytes { secret in
                scan.look(for: "secret", secret)
                scan.look(for: "beginning of the secret", UnsafeRawBufferPointer(rebasing: secret[..<24]))
            }
            let split = try NewSplit(of: secret, title: "T", plan: .proposed)
            split.passphrase.withUnsafeBytes { scan.look(for: "passphrase", $0) }
            let shares = try split.shares(confirming: split.passphrase)
            var set = try ShareSet(shares[0])
            try set.add(shares[1])
            let recovered = try set.recover(passphrase: split.passphrase)
            #expect(recovered == secret)
        }
    #endif

    @Test("a random source that gives nothing makes no split")
    func brokenSource() throws {
        let secret = try SecretBytes(publicText: "s")
        #expect(throws: ShareError.memory(.random(.silent(source: "Nothing")))) {
            try NewSplit(of: secret, title: "T", plan: .proposed, from: SilentSource())
        }
    }

    private struct SilentSource: RandomSource {
        let name = "Nothing"

        func fill(_ memory: UnsafeMutableRawBufferPointer) throws(RandomFault) { throw .silent(source: name) }
    }
}

@Suite("Passphrases of words")
struct PassphraseTests {
    @Test("the list has 7,776 different words, sorted")
    func list() {
        let words = PassphraseWords.utf8.map { String(decoding: $0, as: UTF8.self) }
        #expect(words.count == PassphraseWords.count && Set(words).count == words.count && words == words.sorted())
        #expect(words.map(\.utf8.count).max() == PassphraseWords.longest)
        #expect(words.first == "abacus" && words.last == "zoom")
    }

    @Test(
        "the list is the published one",
        .enabled(if: SharedData.has("signer-product/banana-split/wordlist.txt"), "the shared data are not here"))
    func published() throws {
        let lines = try SharedData.bytes("signer-product/banana-split/wordlist.txt").split(separator: 0x0a)
        #expect(lines.map(Array.init) == PassphraseWords.utf8)
    }

    @Test("a passphrase is words of the list", arguments: Passphrase.wordCounts)
    func words(count: Int) throws {
        let known = Set(PassphraseWords.utf8)
        for _ in 0..<20 {
            let passphrase = try Passphrase.generate(wordCount: count).revealed
            // Four words of the list have a hyphen themselves.
            var (rest, found) = (passphrase[...], 0)
            while !rest.isEmpty {
                let ends = (1...rest.count).filter {
                    $0 == rest.count || rest[rest.startIndex + $0] == UInt8(ascii: "-")
                }
                let end = try #require(ends.last { known.contains(Array(rest.prefix($0))) })
                rest = rest.dropFirst(end + 1)
                found += 1
            }
            #expect(found == count)
        }
    }

    @Test("draws select words without favouring any, and those that are too large are passed over")
    func uniform() throws {
        // 62,208 is the largest multiple of 7,776 below 65,536.
        let source = FixedSource(draws: [62_208, 0xffff, 62_207, 0, 7_776, 7_777, 1])
        #expect(try Passphrase.generate(from: source).publicText == "zoom-abacus-abacus-abdomen")
    }

    private struct FixedSource: RandomSource {
        let name = "Fixed"
        let draws: [UInt16]

        func fill(_ memory: UnsafeMutableRawBufferPointer) throws(RandomFault) {
            for (index, draw) in draws.enumerated() {
                memory.storeBytes(of: draw, toByteOffset: 2 * index, as: UInt16.self)
            }
        }
    }
}

@Suite("Fields of shares")
struct GaloisFieldTests {
    @Test("shares of every field are combined", arguments: GaloisField.allBits)
    func combination(bits: Int) throws {
        let field = try #require(GaloisField(bits: bits))
        var random = SplitMix64(state: UInt64(bits))
        for length in 1...9 {
            let secret = (0..<length).map { _ in random.byte() }
            let shares = Self.shares(of: secret, required: 3, total: 6, in: field, using: &random)
            #expect(try ShareCombination(of: [shares[5], shares[0], shares[3]], in: field).bytes()?.revealed == secret)
            #expect(try ShareCombination(of: [shares[1], shares[0]], in: field).bytes()?.revealed != secret)
        }
    }

    @Test("every element but 0 has an inverse", arguments: [3, 8, 11])
    func inverses(bits: Int) throws {
        let field = try #require(GaloisField(bits: bits))
        for value in 1...field.largest { #expect(field.product(of: value, by: field.inverse(of: value)) == 1) }
    }

    @Test("there are no other fields", arguments: [-1, 0, 2, 21, 35])
    func others(bits: Int) { #expect(GaloisField(bits: bits) == nil) }

    /// Splits the marker and the secret in elements of a field, in another way than the library does it for bytes.
    private static func shares(
        of secret: [UInt8], required: Int, total: Int, in field: GaloisField, using random: inout SplitMix64
    ) -> [BackupShare] {
        var row = [1] + secret.flatMap { byte in (0..<8).map { Int(byte >> UInt8(7 - $0)) & 1 } }
        row = [Int](repeating: 0, count: (field.bits - row.count % field.bits) % field.bits) + row
        var rows = [[Int]](repeating: [], count: total)
        for start in stride(from: 0, to: row.count, by: field.bits) {
            let element = row[start..<start + field.bits].reduce(UInt32(0)) { $0 << 1 | UInt32($1) }
            let coefficients = (1..<required).map { _ in UInt32.random(in: 0...field.largest, using: &random) }
            for number in 1...UInt32(total) {
                var (value, power) = (element, UInt32(1))
                for coefficient in coefficients {
                    power = field.product(of: power, by: number)
                    value ^= field.product(of: coefficient, by: power)
                }
                rows[Int(number) - 1] += (0..<field.bits).map { Int(value >> UInt32(field.bits - 1 - $0)) & 1 }
            }
        }
        return rows.enumerated().map { index, row in
            let whole = [Int](repeating: 0, count: (8 - row.count % 8) % 8) + row
            let content = stride(from: 0, to: whole.count, by: 8).map { start in
                whole[start..<start + 8].reduce(UInt8(0)) { $0 << 1 | UInt8($1) }
            }
            return BackupShare(
                version: .base64, title: "", required: required, number: UInt32(index + 1),
                nonce: [UInt8](repeating: 0, count: 24), field: field, content: content)
        }
    }
}
