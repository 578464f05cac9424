import CSodium
import SecretMemory
import TestSupport
import Testing

@testable import Sr25519

/// Hex of a known answer.
func hex(_ text: String) -> [UInt8] { JSON.string(text).hex ?? [] }

func secret(_ bytes: [UInt8]) throws -> SecretBytes { try SecretBytes(copying: bytes) }

@Suite("sr25519")
struct Sr25519Tests {
    static let developmentSeed = hex("fac7959dbfe72f052e5a0c3c8d6530f202b02fd8f9f5ca3580ec8deb7797479e")
    static let alice = hex("d43593c715fdd31c61141abd04a99fd6822c8558854ccde39a5684e7a56da27d")
    static let aliceJunction = hex("14416c6963650000000000000000000000000000000000000000000000000000")

    @Test("the development phrase gives its published key")
    func developmentKey() throws {
        let pair = try Sr25519KeyPair(miniSecret: secret(Self.developmentSeed))
        #expect(pair.publicKey.bytes == hex("46ebddef8cd9bb167dc30878d7113b7e168e6f0646beffd77d69d39bad76b47a"))
    }

    @Test("the hard junction //Alice gives Alice's published key")
    func hardJunction() throws {
        let root = try Sr25519KeyPair(miniSecret: secret(Self.developmentSeed))
        #expect(try root.deriveHard(chainCode: Self.aliceJunction).publicKey.bytes == Self.alice)
    }

    @Test("the soft junction /Alice gives its published key, from the secret and from the public side")
    func softJunction() throws {
        let expected = hex("d6c71059dbbe9ad2b0ed3f289738b800836eb425544ce694825285b958ca755e")
        let root = try Sr25519KeyPair(miniSecret: secret(Self.developmentSeed))
        let child = try root.deriveSoft(chainCode: Self.aliceJunction)
        #expect(child.publicKey.bytes == expected)
        #expect(root.publicKey.deriveSoft(chainCode: Self.aliceJunction).bytes == expected)
        // The public key that was added up belongs to the secret that was added up.
        let imported = try Sr25519KeyPair(secret: child.secret, form: .canonical)
        #expect(imported.publicKey == child.publicKey)
    }

    @Test("signatures of every length from 0 to 400 verify, and not for another message")
    func roundTrip() throws {
        let pair = try Sr25519KeyPair(miniSecret: secret(Self.developmentSeed))
        for length in 0...400 {
            let message = (0..<length).map { UInt8(truncatingIfNeeded: $0 * 7) }
            let signature = try pair.sign(message)
            try Sr25519.verify(signature: signature, message: message, publicKey: pair.publicKey)
            #expect(throws: Sr25519Error.signatureMismatch) {
                try Sr25519.verify(signature: signature, message: message + [0], publicKey: pair.publicKey)
            }
        }
    }

    @Test("no flipped bit of a signature, message or key verifies")
    func flippedBits() throws {
        let pair = try Sr25519KeyPair(miniSecret: secret(Self.developmentSeed))
        let message = Array("transfer".utf8)
        let signature = try pair.sign(message)
        let whole = signature + message + pair.publicKey.bytes
        for bit in 0..<whole.count * 8 {
            var mauled = whole
            mauled[bit / 8] ^= 1 << (bit % 8)
            #expect(throws: Sr25519Error.self) {
                try Sr25519.verify(
                    signature: Array(mauled[..<64]), message: Array(mauled[64..<72]), publicKey: Array(mauled[72...]))
            }
        }
    }

    @Test("a signature is random, and made for the context it names")
    func contexts() throws {
        let pair = try Sr25519KeyPair(miniSecret: secret(Self.developmentSeed))
        #expect(try pair.sign([1]) != pair.sign([1]))
        let signature = try pair.sign([1], context: Array("other".utf8))
        try Sr25519.verify(
            signature: signature, message: [1], publicKey: pair.publicKey, context: Array("other".utf8))
        #expect(throws: Sr25519Error.signatureMismatch) {
            try Sr25519.verify(signature: signature, message: [1], publicKey: pair.publicKey)
        }
    }

    @Test("secret keys in both forms come back as the same key")
    func secretForms() throws {
        let pair = try Sr25519KeyPair(miniSecret: secret(Self.developmentSeed))
        for form in [Sr25519KeyPair.SecretForm.canonical, .ed25519] {
            let again = try Sr25519KeyPair(secret: pair.secretBytes(form: form), form: form)
            #expect(again.publicKey == pair.publicKey)
        }
    }

    @Test("a scalar that is zero, not reduced, or of the wrong length is no secret key")
    func badSecrets() throws {
        #expect(throws: Sr25519Error.invalidSecretKey) {
            try Sr25519KeyPair(secret: secret([UInt8](repeating: 0, count: 64)), form: .canonical)
        }
        #expect(throws: Sr25519Error.invalidSecretKey) {
            try Sr25519KeyPair(secret: secret([UInt8](repeating: 0xff, count: 64)), form: .canonical)
        }
        #expect(throws: Sr25519Error.invalidSecretKey) {
            try Sr25519KeyPair(secret: secret([1] + [UInt8](repeating: 0, count: 63)), form: .ed25519)
        }
        #expect(throws: Sr25519Error.invalidLength(expected: 32, found: 31)) {
            try Sr25519KeyPair(miniSecret: secret([UInt8](repeating: 1, count: 31)))
        }
    }

    @Test("the identity key is known as such")
    func identity() throws {
        #expect(try Sr25519PublicKey([UInt8](repeating: 0, count: 32)).isIdentity)
        #expect(try !Sr25519PublicKey(Self.alice).isIdentity)
    }
}

@Suite("sr25519, known answers beside the checkout", .enabled(if: SharedData.has("substrate-crypto/sr25519.json")))
struct Sr25519SharedTests {
    private func rows(_ name: String) throws -> [JSON] {
        let rows = try SharedData.json("substrate-crypto/sr25519.json")[name].array
        try #require(!rows.isEmpty)
        return rows
    }

    @Test("expansion in both modes and forms")
    func expansion() throws {
        for row in try rows("expansion") {
            let mini = try secret(#require(row["mini_secret"].hex))
            let pair = try Sr25519KeyPair(miniSecret: mini)
            let expected = row["ed25519_mode"]
            #expect(pair.publicKey.bytes == expected["public"].hex)
            #expect(pair.secret.withUnsafeBytes { Array($0) } == expected["secret_canonical"].hex)
            #expect(
                try pair.secretBytes(form: .ed25519).withUnsafeBytes { Array($0) }
                    == expected["secret_ed25519_form"].hex)
            let uniform = try Sr25519KeyPair.expandUniform(mini)
            #expect(uniform.withUnsafeBytes { Array($0) } == row["uniform_mode"]["secret_canonical"].hex)
        }
    }

    @Test("signatures for given randomness, byte for byte")
    func signing() throws {
        for row in try rows("sign_with_fixed_rng") {
            let pair = try Sr25519KeyPair(secret: secret(#require(row["secret"].hex)), form: .canonical)
            let signature = try pair.signUnchecked(
                #require(row["message"].hex), context: Array(#require(row["context"].string).utf8),
                random: secret(#require(row["rng32"].hex)))
            #expect(signature == row["signature"].hex)
        }
    }

    /// The name that the known answers give to the outcome of a verification.
    private func outcome(_ refusal: Sr25519Error?) -> String {
        switch refusal {
        case nil: "ok"
        case .invalidLength: "length"
        case .notMarkedSchnorrkel: "notMarked"
        case .nonCanonicalScalar: "scalarFormat"
        case .invalidPublicKey: "badPublicKey"
        case .signatureMismatch: "equationFalse"
        case let other?: "\(other)"
        }
    }

    private func signedMessage(_ row: JSON) throws -> Sr25519SignedMessage {
        try Sr25519SignedMessage(
            signature: #require(row["signature"].hex), message: #require(row["message"].hex),
            publicKey: #require(row["public"].hex), context: Array(#require(row["context"].string).utf8))
    }

    @Test("verification with the exact reason of each refusal")
    func verification() throws {
        for row in try rows("verify") {
            let entry = try signedMessage(row)
            #expect(outcome(entry.refusal) == row["expect"].string, "\(row["desc"])")
        }
    }

    @Test("verification with a prepared key, with the exact reason of each refusal")
    func preparedVerification() throws {
        var count = 0
        for row in try rows("verify") {
            let entry = try signedMessage(row)
            guard let key = try? Sr25519PublicKey(entry.publicKey) else { continue }
            #expect(outcome(entry.refusal(prepared: Sr25519PreparedPublicKey(key))) == row["expect"].string)
            count += 1
        }
        #expect(count > 0)
    }

    @Test("each signature has the same verdict in a batch of good ones and in a batch of its own")
    func batchVerification() throws {
        let good = try goodBatch(count: 5)
        for row in try rows("verify") {
            let entry = try signedMessage(row)
            let alone = Sr25519.verifyBatch([entry])
            #expect(outcome(alone.refusals[0]) == row["expect"].string, "\(row["desc"])")
            let among = Sr25519.verifyBatch(good[..<2] + [entry] + good[2...])
            #expect(among.refusals == entry.refusal.map { [2: $0] } ?? [:], "\(row["desc"])")
        }
    }

    @Test("the whole table as one batch has the verdict of each row")
    func wholeTable() throws {
        let entries = try rows("verify").map(signedMessage)
        let verdict = Sr25519.verifyBatch(entries)
        for (index, entry) in entries.enumerated() { #expect(verdict.refusals[index] == entry.refusal) }
    }
}
