import SecretMemory
import Substrate
import TestSupport
import Testing
import TextForms

@Suite("Key pairs of the four schemes")
struct KeyPairTests {
    static func pair(_ path: String, _ scheme: SignatureScheme, password: String? = nil) throws -> KeyPair {
        let mnemonic = try Mnemonic(phrase: secret(MnemonicTests.development))
        return try KeyPair.derive(
            from: mnemonic, path: DerivationPath(parsing: path), password: password.map { try secret($0) },
            scheme: scheme)
    }

    @Test(
        "Alice's published keys",
        arguments: [
            (SignatureScheme.sr25519, "d43593c715fdd31c61141abd04a99fd6822c8558854ccde39a5684e7a56da27d"),
            (.ed25519, "88dc3417d5058ec4b4503e0c12ea1a0a89be200fe98922423d4334014fa6b0ee"),
            (.ecdsa, "020a1091341fe5664bfa1782d5e04779689068c916b04cb365ec3153755684d9a1"),
        ])
    func alice(scheme: SignatureScheme, publicKey: String) throws {
        #expect(Hex.encode(try Self.pair("//Alice", scheme).publicKey) == publicKey)
    }

    @Test("Alice's published addresses")
    func addresses() throws {
        #expect(
            try Self.pair("//Alice", .sr25519).multiSigner.ss58(prefix: 42)
                == "5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY")
        #expect(
            try Self.pair("//Alice", .ecdsa).multiSigner.ss58(prefix: 42)
                == "5C7C2Z5sWbytvHpuLTvzKunnnRwQxft1jiqrLD5rhucQ5S9X")
        let ethereum = try #require(try Self.pair("//polkadot", .ethereum).multiSigner.ethereumAddress)
        #expect("0x" + Hex.encode(ethereum) == "0xe9267b732a8e9c9444e46f3d04d4610a996d682d")
        #expect(EthereumAddress.checksummed(ethereum).lowercased() == "0xe9267b732a8e9c9444e46f3d04d4610a996d682d")
    }

    @Test(
        "what a key signs verifies in its scheme and in no other, and not for other bytes",
        arguments: SignatureScheme.allCases)
    func signing(scheme: SignatureScheme) throws {
        let pair = try Self.pair("//Alice", scheme)
        for length in [0, 1, 32, 256, 257] {
            let message = [UInt8](repeating: 7, count: length)
            let signature = try pair.sign(message)
            #expect(signature.count == scheme.signatureByteCount)
            for other in SignatureScheme.allCases {
                let valid = SignatureVerifier.isValid(
                    signature: signature, message: message, publicKey: pair.publicKey, scheme: other)
                #expect(valid == (other == scheme))
            }
            #expect(
                !SignatureVerifier.isValid(
                    signature: signature, message: message + [0], publicKey: pair.publicKey, scheme: scheme))
        }
    }

    @Test("a soft junction is refused outside sr25519", arguments: [SignatureScheme.ed25519, .ecdsa, .ethereum])
    func softJunction(scheme: SignatureScheme) {
        #expect(throws: KeyError.softKeyInPath) { try Self.pair("//a/b", scheme) }
    }

    @Test("a password leads to another key, an empty one to the same")
    func passwords() throws {
        let plain = try Self.pair("//a", .sr25519).publicKey
        #expect(try Self.pair("//a", .sr25519, password: "").publicKey == plain)
        #expect(try Self.pair("//a", .sr25519, password: "x").publicKey != plain)
    }

    @Test("no signature verifies under the identity key")
    func identityKey() throws {
        // s = 0 and R = identity satisfy the equation for every message.
        var signature = [UInt8](repeating: 0, count: 64)
        signature[63] = 0x80
        let identity = [UInt8](repeating: 0, count: 32)
        #expect(!SignatureVerifier.isValid(signature: signature, message: [1], publicKey: identity, scheme: .sr25519))
    }

    @Test("random signatures and keys of any length are invalid and nothing else", arguments: SignatureScheme.allCases)
    func randomInput(scheme: SignatureScheme) {
        var generator = SplitMix64(state: 19)
        for _ in 0..<300 {
            func bytes() -> [UInt8] {
                (0..<[0, 32, 33, 64, 65, 66].randomElement(using: &generator)!).map { _ in
                    .random(in: 0...255, using: &generator)
                }
            }
            #expect(!SignatureVerifier.isValid(signature: bytes(), message: [], publicKey: bytes(), scheme: scheme))
        }
    }
}
