import CSodium
import SCALE
import SecretMemory
import Sr25519

/// A key that signs, in one of the four schemes.
///
///     let pair = try KeyPair.derive(from: mnemonic, path: DerivationPath(parsing: "//polkadot"), scheme: .sr25519)
///     let signature = try pair.sign(SigningPayload.message(for: signable))
///
/// Source: `substrate-crypto` sections 8.4, 9, 12.
public struct KeyPair: Sendable {
    /// The curve and the rules by which it signs.
    public let scheme: SignatureScheme
    /// 32 bytes, or 33 compressed for secp256k1.
    public let publicKey: [UInt8]
    private let secret: Secret

    private enum Secret: Sendable {
        case sr25519(Sr25519KeyPair)
        /// The seed of RFC 8032, 32 bytes.
        case ed25519(SecretBytes)
        /// The secret number, 32 bytes, big-endian.
        case secp256k1(SecretBytes)
    }

    /// The key at the root of a mini-secret.
    ///
    /// - Parameter miniSecret: 32 bytes.
    public init(scheme: SignatureScheme, miniSecret: SecretBytes) throws(KeyError) {
        guard miniSecret.count == 32 else { throw .invalidSecretKey }
        switch scheme {
        case .sr25519:
            do throws(Sr25519Error) {
                self.init(try Sr25519KeyPair(miniSecret: miniSecret))
            } catch {
                throw KeyError(error)
            }
        case .ed25519:
            self.init(scheme: scheme, publicKey: try Ed25519.publicKey(seed: miniSecret), secret: .ed25519(miniSecret))
        case .ecdsa, .ethereum:
            self.init(
                scheme: scheme, publicKey: try Secp256k1.publicKey(secret: miniSecret), secret: .secp256k1(miniSecret))
        }
    }

    private init(scheme: SignatureScheme, publicKey: [UInt8], secret: Secret) {
        self.scheme = scheme
        self.publicKey = publicKey
        self.secret = secret
    }

    private init(_ pair: Sr25519KeyPair) {
        self.init(scheme: .sr25519, publicKey: pair.publicKey.bytes, secret: .sr25519(pair))
    }

    /// The public key with its kind.
    public var multiSigner: MultiSigner {
        switch scheme {
        case .ed25519: .ed25519(publicKey)
        case .sr25519: .sr25519(publicKey)
        case .ecdsa, .ethereum: .ecdsa(publicKey)
        }
    }

    // MARK: Derivation

    /// The key that a phrase gives at a path.
    ///
    /// - Parameter password: part of the secret URI behind `///`; nil and empty are the same.
    public static func derive(
        from mnemonic: Mnemonic, path: DerivationPath, password: SecretBytes? = nil, scheme: SignatureScheme
    ) throws(KeyError) -> KeyPair {
        let root: SecretBytes
        do { root = try mnemonic.miniSecret(password: password) } catch { throw .mnemonic(error) }
        return try KeyPair(scheme: scheme, miniSecret: root).derive(path)
    }

    /// The key that a path leads to.
    public func derive(_ path: DerivationPath) throws(KeyError) -> KeyPair {
        var pair = self
        for junction in path.junctions { pair = try pair.derive(junction) }
        return pair
    }

    package func derive(_ junction: Junction) throws(KeyError) -> KeyPair {
        switch secret {
        case .sr25519(let pair):
            do throws(Sr25519Error) {
                switch junction.kind {
                case .hard: return KeyPair(try pair.deriveHard(chainCode: junction.chainCode))
                case .soft: return KeyPair(try pair.deriveSoft(chainCode: junction.chainCode))
                }
            } catch {
                throw KeyError(error)
            }
        case .ed25519(let seed):
            return try KeyPair(scheme: scheme, miniSecret: Self.hash("Ed25519HDKD", seed: seed, junction: junction))
        case .secp256k1(let seed):
            return try KeyPair(scheme: scheme, miniSecret: Self.hash("Secp256k1HDKD", seed: seed, junction: junction))
        }
    }

    /// The secret of a hard junction in the classic schemes: BLAKE2b-256 of a label, the parent and the junction.
    private static func hash(_ label: String, seed: SecretBytes, junction: Junction) throws(KeyError) -> SecretBytes {
        guard junction.kind == .hard else { throw .softKeyInPath }
        var head = ScaleEncoder()
        head.string(label)
        do throws(SecretMemoryError) {
            let input = try SecretBytes(count: head.bytes.count + 64) { input in
                input.copyBytes(from: head.bytes)
                seed.withUnsafeBytes { seed in
                    UnsafeMutableRawBufferPointer(rebasing: input[head.bytes.count...]).copyMemory(from: seed)
                }
                UnsafeMutableRawBufferPointer(rebasing: input[(head.bytes.count + 32)...])
                    .copyBytes(from: junction.chainCode)
            }
            return try SecretBytes(count: 32) { output in
                input.withUnsafeBytes { input in
                    _ = crypto_generichash_blake2b(output.asBytes, 32, input.asBytes, UInt64(input.count), nil, 0)
                }
            }
        } catch {
            throw .memory(error)
        }
    }

    /// The 32 bytes that this key was expanded from, to be shown to the owner; nil behind a soft junction.
    public var secretSeed: SecretBytes? {
        switch secret {
        case .sr25519(let pair): pair.miniSecret
        case .ed25519(let seed), .secp256k1(let seed): seed
        }
    }

    /// The secret key, to be handed to its owner: the 32 bytes of ``secretSeed``, or behind a soft junction the 64 of
    /// the expanded key.
    public var secretKey: SecretBytes {
        switch secret {
        case .sr25519(let pair): pair.miniSecret ?? pair.expandedSecret
        case .ed25519(let seed), .secp256k1(let seed): seed
        }
    }

    // MARK: Signing

    /// Signs bytes, with the digest that the scheme itself takes (`substrate-crypto` section 12.1) and no other.
    ///
    /// - Returns: 64 bytes, or 65 with the recovery id for ecdsa and ethereum.
    public func sign(_ message: [UInt8]) throws(KeyError) -> [UInt8] {
        switch secret {
        case .sr25519(let pair):
            do { return try pair.sign(message) } catch { throw KeyError(error) }
        case .ed25519(let seed):
            return try Ed25519.sign(message, seed: seed)
        case .secp256k1(let key):
            return try Secp256k1.sign(digest: scheme.digest(of: message), secret: key)
        }
    }
}

extension SignatureScheme {
    /// The 32 bytes that a secp256k1 scheme signs for a message.
    func digest(of message: [UInt8]) -> [UInt8] {
        self == .ethereum ? Keccak.hash256(message) : Blake2b.hash(message, size: 32)
    }
}
