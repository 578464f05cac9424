import CSodium
import SecretMemory
import Substrate
import TextForms

/// Known answers of the primitives that keys and seeds rest on, computed anew.
///
/// Source: `signer-product` section 12.3.
package enum PrimitiveCheck {
    /// A line for each primitive: deriving, signing, verifying, scrypt, secretbox, and the sources of randomness.
    package static func lines() -> [CheckLine] {
        [
            line("Derive", text: "keys are derived as everywhere") { try derives() },
            line("Sign", text: "signatures verify, and no other message's") { try signs() },
            line("Verify", text: "a published signature verifies, and a changed one does not") { verifies() },
            line("Scrypt", text: "scrypt gives the published key") { scrypt() },
            line("SecretBox", text: "the secretbox gives the published bytes, and opens no changed ones") {
                secretBox()
            },
            random(MixedRandom.standard),
        ]
    }

    /// - Parameter holds: the answer; an error is a failure too.
    static func line(_ code: String, text: String, holds: () throws -> Bool) -> CheckLine {
        if (try? holds()) == true { return CheckLine(code: code, .ok, text: text) }
        return CheckLine(
            code: code, .fail, text: "not so: \(text). Use this program for nothing, and find out who changed it.")
    }

    // MARK: Keys

    /// //Alice of the public development phrase, for each scheme.
    private static let alice: [(scheme: SignatureScheme, key: String)] = [
        (.sr25519, "d43593c715fdd31c61141abd04a99fd6822c8558854ccde39a5684e7a56da27d"),
        (.ed25519, "88dc3417d5058ec4b4503e0c12ea1a0a89be200fe98922423d4334014fa6b0ee"),
        (.ecdsa, "020a1091341fe5664bfa1782d5e04779689068c916b04cb365ec3153755684d9a1"),
    ]

    private static func pair(_ scheme: SignatureScheme) throws -> KeyPair {
        let phrase = try Array("bottom drive obey lake curtain smoke basket hold race lonely fit walk".utf8)
            .withUnsafeBytes { try SecretBytes(copying: $0) }
        return try KeyPair.derive(
            from: Mnemonic(phrase: phrase), path: DerivationPath(parsing: "//Alice"), scheme: scheme)
    }

    private static func derives() throws -> Bool {
        try alice.allSatisfy { try Hex.encode(pair($0.scheme).publicKey) == $0.key }
    }

    private static func signs() throws -> Bool {
        let message = Array("what the self check signs".utf8)
        return try alice.allSatisfy { known in
            let pair = try pair(known.scheme)
            let signature = try pair.sign(message)
            func holds(_ message: [UInt8]) -> Bool {
                SignatureVerifier.isValid(
                    signature: signature, message: message, publicKey: pair.publicKey, scheme: known.scheme)
            }
            return holds(message) && !holds(message + [0])
        }
    }

    /// RFC 8032, section 7.1, test 1.
    private static func verifies() -> Bool {
        let key = bytes("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a")
        var signature = bytes(
            "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46b"
                + "d25bf5f0595bbe24655141438e7a100b")
        func holds() -> Bool {
            SignatureVerifier.isValid(signature: signature, message: [], publicKey: key, scheme: .ed25519)
        }
        guard signature.count == 64, holds() else { return false }
        signature[0] ^= 1
        return !holds()
    }

    // MARK: What seals

    /// RFC 7914, section 12, the first vector.
    private static func scrypt() -> Bool {
        let known = bytes(
            "77d6576238657b203b19ca42c18a0497f16b4844e3074ae8dfdffa3fede21442fcd0069ded0948f8326a753a0fc81f17"
                + "e8d3e0fb2e0d3628cf35e20c38d18906")
        var key = [UInt8](repeating: 0, count: 64)
        return crypto_pwhash_scryptsalsa208sha256_ll([], 0, [], 0, 16, 1, 1, &key, key.count) == 0 && key == known
    }

    /// The vector of Bernstein's "Cryptography in NaCl", section 10.
    private static func secretBox() -> Bool {
        let key = bytes("1b27556473e985d462cd51197a9a46c76009549eac6474f206c4ee0844f68389")
        let nonce = bytes("69696ee955b62b73cd62bda875fc73d68219e0036b7a0b37")
        let message = bytes(
            "be075fc53c81f2d5cf141316ebeb0c7b5228c52a4c62cbd44b66849b64244ffce5ecbaaf33bd751a1ac728d45e6c6129"
                + "6cdc3c01233561f41db66cce314adb310e3be8250c46f06dceea3a7fa1348057e2f6556ad6b1318a024a838f21af1fde"
                + "048977eb48f59ffd4924ca1c60902e52f0a089bc76897040e082f937763848645e0705")
        let known = bytes(
            "f3ffc7703f9400e52a7dfb4b3d3305d98e993b9f48681273c29650ba32fc76ce48332ea7164d96a4476fb8c531a1186a"
                + "c0dfc17c98dce87b4da7f011ec48c97271d2c20f9b928fe2270d6fb863d51738b48eeee314a7cc8ab932164548e526ae"
                + "90224368517acfeabd6bb3732bc0e9da99832b61ca01b6de56244a9e88d5f9b37973f622a43d14a6599b1f654cb45a74"
                + "e355a5")
        guard key.count == 32, nonce.count == 24, message.count == 131 else { return false }
        var sealed = [UInt8](repeating: 0, count: message.count + 16)
        guard crypto_secretbox_easy(&sealed, message, UInt64(message.count), nonce, key) == 0, sealed == known else {
            return false
        }
        var opened = [UInt8](repeating: 0, count: message.count)
        guard crypto_secretbox_open_easy(&opened, sealed, UInt64(sealed.count), nonce, key) == 0, opened == message
        else { return false }
        sealed[20] ^= 1
        return crypto_secretbox_open_easy(&opened, sealed, UInt64(sealed.count), nonce, key) != 0
    }

    private static func bytes(_ hex: String) -> [UInt8] { Hex.decode(hex) ?? [] }

    // MARK: Randomness

    /// Draws often enough that a source which repeats itself, or favours bits, is noticed; a good one is taken for such
    /// a one once in 2⁴⁰ checks at most.
    static func random(_ source: any RandomSource) -> CheckLine {
        let size = 4096
        var drawn = [UInt8](repeating: 0, count: size)
        do {
            try drawn.withUnsafeMutableBytes { try source.fill($0) }
        } catch {
            return CheckLine(code: "Random", .fail, text: "random bytes cannot be had: \(error)")
        }
        let ones = drawn.reduce(0) { $0 + $1.nonzeroBitCount }
        // 32,768 fair bits have 16,384 ones; 90.5 is their standard deviation, and 8 of it once in 2⁴⁹.
        let isFair = (16_384 - 724...16_384 + 724).contains(ones)
        let blocks = Set(stride(from: 0, to: size, by: 16).map { Array(drawn[$0..<$0 + 16]) })
        guard isFair, blocks.count == size / 16 else {
            return CheckLine(
                code: "Random", .fail,
                text: "random bytes are not: \(ones) of 32768 bits are set, \(blocks.count) of 256 "
                    + "blocks differ. Make no seed on this machine.")
        }
        return CheckLine(code: "Random", .ok, text: "random bytes pass a plain test: \(source.name)")
    }
}
