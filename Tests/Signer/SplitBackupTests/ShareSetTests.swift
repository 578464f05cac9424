import SecretMemory
import TestSupport
import Testing
import TextForms

@testable import SplitBackup

@Suite("A set of shares")
struct ShareSetTests {
    private static let phrase = "legal winner thank year wave sausage worth useful legal winner thank yellow"

    /// Shares of a split with a passphrase of its own.
    private static func shares(
        _ required: Int = 2, of total: Int = 3, title: String = "Title", secret: String = phrase
    ) throws -> [BackupShare] {
        try BackupShare.split(
            SecretBytes(publicText: secret), title: title, passphrase: SecretBytes(publicText: "a-b-c-d"),
            plan: SplitPlan(total: total, required: required))
    }

    /// The share as a tool of version 0 writes it.
    private static func versionZero(_ share: BackupShare) throws -> BackupShare {
        let text = """
            {"t":"\(share.title)","r":\(share.required),"d":"8\(Hex.encode([UInt8(share.number)] + share.content))",\
            "n":"\(Hex.encode(share.nonce ?? []))"}
            """
        return try BackupShare(reading: Array(text.utf8))
    }

    @Test("every choice of enough shares gives the secret")
    func everyChoice() throws {
        let shares = try Self.shares(3, of: 5)
        let passphrase = try SecretBytes(publicText: "a-b-c-d")
        for first in shares {
            for second in shares where second.number != first.number {
                let third = try #require(shares.first { $0.number != first.number && $0.number != second.number })
                var set = try ShareSet(first)
                try set.add(second)
                #expect(!set.isComplete && set.numbers == [first.number, second.number])
                try set.add(third)
                #expect(set.isComplete)
                let combined = try ShareCombination(of: [first, second, third], in: .ofBytes).bytes()
                #expect(combined?.count == Self.phrase.utf8.count + 16)
            }
        }
        var set = try ShareSet(shares[4])
        try set.add(shares[1])
        try set.add(shares[2])
        #expect(try set.recover(passphrase: passphrase).publicText == Self.phrase)
        // Nothing is used up by it.
        #expect(try set.recover(passphrase: passphrase) { $0.publicText == Self.phrase }.publicText == Self.phrase)
    }

    @Test("what opens and is no text counts as a wrong passphrase")
    func noText() throws {
        let passphrase = try SecretBytes(publicText: "a-b-c-d")
        let shares = try BackupShare.split(
            SecretBytes(copying: [0x61, 0xff]), title: "Title", passphrase: passphrase, plan: SplitPlan(total: 2))
        var set = try ShareSet(shares[0])
        try set.add(shares[1])
        #expect(throws: ShareError.decodingFailed(attemptsLeft: 2)) { try set.recover(passphrase: passphrase) }
    }

    @Test("version 0 is recovered")
    func versionZero() throws {
        let shares = try Self.shares().map(Self.versionZero)
        var set = try ShareSet(shares[2])
        try set.add(shares[0])
        #expect(try set.recover(passphrase: SecretBytes(publicText: "a-b-c-d")).publicText == Self.phrase)
    }

    @Test("shares written by the web tool, which pads otherwise, are recovered")
    func otherPadding() throws {
        let title = "Web"
        let passphrase = try SecretBytes(publicText: "p")
        let nonce = [UInt8](repeating: 9, count: 24)
        let plain = try BackupShare.padded(
            SecretBytes(publicText: "text"), by: BackupCipher(passphrase: passphrase, title: title), nonce: nonce)
        let trimmed = plain.revealed.drop { $0 == 0 }
        let padded = [UInt8](repeating: 0, count: 32 - trimmed.count) + trimmed
        let shares = BackupShare.shares(
            of: try SecretBytes(copying: padded), title: title,
            plan: try SplitPlan(total: 2, required: 2), nonce: nonce, coefficients: try .random(count: 32))
        var set = try ShareSet(shares[0])
        try set.add(shares[1])
        #expect(try set.recover(passphrase: passphrase).publicText == "text")
    }

    @Test("a share of another set is refused, and the set stays as it is")
    func otherSets() throws {
        let shares = try Self.shares()
        var set = try ShareSet(shares[0])
        let others: [(BackupShare, ShareError)] = [
            (try Self.versionZero(shares[1]), .shareVersionDifferent),
            (try Self.shares(title: "Other")[1], .shareTitleDifferent),
            (try Self.shares(3)[1], .shareRequiredShardsDifferent),
            (try Self.shares()[1], .shareNonceDifferent),
            (shares[1].with(field: GaloisField(bits: 7)!), .shareBitsDifferent),
            (shares[1].with(content: [1]), .shareContentLengthDifferent),
            (shares[0], .shareAlreadyInSet(number: 1)),
            // What comes first in the list is judged first.
            (try Self.shares(3, title: "Other")[0], .shareTitleDifferent),
            (shares[0].with(content: [1]), .shareContentLengthDifferent),
        ]
        for (share, error) in others {
            #expect(throws: error) { try set.add(share) }
            #expect(set.numbers == [1])
        }
        try set.add(shares[1])
        #expect(throws: ShareError.shareAlreadyInSet(number: 2)) { try set.add(shares[1]) }
        #expect(throws: ShareError.shareSetComplete) { try set.add(shares[2]) }
        #expect(set.count == 2)
    }

    @Test("titles are compared by their bytes, which the key is made of")
    func composedTitles() throws {
        let share = try Self.shares(title: "\u{e9}")[0]
        let other = BackupShare(
            version: .base64, title: "e\u{301}", required: 2, number: 2, nonce: share.nonce, field: .ofBytes,
            content: share.content)
        var set = try ShareSet(share)
        #expect(throws: ShareError.shareTitleDifferent) { try set.add(other) }
    }

    @Test("too few shares give nothing")
    func tooFew() throws {
        let shares = try Self.shares(3)
        var set = try ShareSet(shares[0])
        try set.add(shares[1])
        #expect(throws: ShareError.shareSetIncomplete(have: 2, need: 3)) {
            try set.recover(passphrase: SecretBytes(publicText: "a-b-c-d"))
        }
        #expect(set.attemptsLeft == 3)
        // Who claims that two are enough learns nothing either.
        let claimed = shares.map { $0.with(required: 2) }
        var smaller = try ShareSet(claimed[0])
        try smaller.add(claimed[1])
        #expect(throws: ShareError.decodingFailed(attemptsLeft: 2)) {
            try smaller.recover(passphrase: SecretBytes(publicText: "a-b-c-d"))
        }
    }

    @Test("the third wrong passphrase drops the shares")
    func threeAttempts() throws {
        let shares = try Self.shares()
        let (right, wrong) = (try SecretBytes(publicText: "a-b-c-d"), try SecretBytes(publicText: "a-b-c-e"))
        var set = try ShareSet(shares[0])
        try set.add(shares[2])
        #expect(throws: ShareError.decodingFailed(attemptsLeft: 2)) { try set.recover(passphrase: wrong) }
        #expect(throws: ShareError.decodingFailed(attemptsLeft: 1)) { try set.recover(passphrase: wrong) }
        var lucky = set
        #expect(try lucky.recover(passphrase: right).publicText == Self.phrase)
        #expect(throws: ShareError.decodingFailed(attemptsLeft: 0)) { try set.recover(passphrase: wrong) }
        #expect(set.count == 0)
        #expect(throws: ShareError.decodingFailed(attemptsLeft: 0)) { try set.recover(passphrase: right) }
        #expect(throws: ShareError.decodingFailed(attemptsLeft: 0)) { try set.add(shares[1]) }
    }

    @Test("a damaged share cannot be told from a wrong passphrase")
    func damaged() throws {
        let shares = try Self.shares()
        for content in [
            shares[1].content.flipping(bit: shares[1].content.count * 8 - 1), shares[1].content.flipping(bit: 0),
            [UInt8](repeating: 0, count: shares[1].content.count),
        ] {
            var set = try ShareSet(shares[0])
            try set.add(shares[1].with(content: content))
            #expect(throws: ShareError.decodingFailed(attemptsLeft: 2)) {
                try set.recover(passphrase: SecretBytes(publicText: "a-b-c-d"))
            }
        }
    }

    @Test("shares without any marker, or with too little behind it, fail alike")
    func noMarker() throws {
        for content in [[0, 0, 0], [0, 1, 7], [0, 2, 7]] as [[UInt8]] {
            let share = try Self.shares()[0].with(content: content).with(required: 1)
            var set = try ShareSet(share)
            #expect(throws: ShareError.decodingFailed(attemptsLeft: 2)) {
                try set.recover(passphrase: SecretBytes(publicText: ""))
            }
        }
    }

    @Test("a text that is no phrase is refused where a phrase is wanted, and takes no attempt")
    func noPhrase() throws {
        let shares = try Self.shares(secret: "it was the gardener")
        var set = try ShareSet(shares[0])
        try set.add(shares[1])
        #expect(throws: ShareError.invalidMnemonic) {
            try set.recover(passphrase: SecretBytes(publicText: "a-b-c-d")) { _ in false }
        }
        #expect(set.attemptsLeft == 3)
    }

    @Test("no error tells anything of a passphrase or a secret, and each has a code of its own")
    func errors() {
        let errors: [ShareError] = [
            .jsonParsing, .versionNotSupported, .requiredShardsNotSupported, .emptyShare, .parseBit, .bitsOutOfRange(2),
            .bodyNotBase64, .undefinedBodyNotHex, .shareTooShort, .shareNumberZero, .nonceNotSupported,
            .shareVersionDifferent, .shareTitleDifferent, .shareRequiredShardsDifferent, .shareNonceDifferent,
            .shareBitsDifferent, .shareContentLengthDifferent, .shareAlreadyInSet(number: 3), .shareSetComplete,
            .shareSetIncomplete(have: 1, need: 2), .decodingFailed(attemptsLeft: 1), .invalidMnemonic,
            .splitLimits(.title), .confirmationMismatch, .memory(.initialisationFailed),
        ]
        #expect(Set(errors.map(\.code)).count == errors.count)
        #expect(Set(errors.map { "\($0)" }).count == errors.count)
        #expect(errors.allSatisfy { "\($0)".hasSuffix(".") && !"\($0)".contains($0.code) })
    }
}

extension BackupShare {
    func with(field: GaloisField? = nil, content: [UInt8]? = nil, required: Int? = nil) -> BackupShare {
        BackupShare(
            version: version, title: title, required: required ?? self.required, number: number, nonce: nonce,
            field: field ?? self.field, content: content ?? self.content)
    }
}
