import Airgap
import SCALE
import Substrate

/// Whose word an update goes out with.
///
/// Source: `signer-wire` section 8.5.
public enum UpdateCrypto: Sendable {
    /// Nobody's.
    case none
    /// The test key `//Alice` of the public development phrase, which everybody has.
    case alice(SignatureScheme)
    /// The word of a key elsewhere, such as a vault's.
    case sufficient(SufficientCrypto)

    /// Reads what a vault shows when it has signed an update.
    public init(sufficient bytes: [UInt8]) throws(HotSideError) {
        do { self = .sufficient(try SufficientCrypto(scaleEncoded: bytes)) } catch { throw .sufficientCryptoBroken }
    }

    /// Puts a key and a signature together.
    public init(scheme: SignatureScheme, verifier: [UInt8], signature: [UInt8]) throws(HotSideError) {
        // Updates of Ethereum's networks are signed as ecdsa.
        let scheme = scheme == .ethereum ? .ecdsa : scheme
        guard let signer = MultiSigner(scheme: scheme, publicKey: verifier) else {
            throw .publicKeyWrongLength(found: verifier.count, expected: scheme.publicKeyByteCount)
        }
        guard let crypto = SufficientCrypto(signer: signer, signature: signature) else {
            throw .signatureWrongLength(found: signature.count, expected: scheme.signatureByteCount)
        }
        self = .sufficient(crypto)
    }

    var suffix: String {
        switch self {
        case .none: "_unverified"
        case .alice(let scheme): "_Alice-\(scheme.name)"
        case .sufficient: ""
        }
    }

    /// The finished update.
    ///
    /// - Throws: ``HotSideError/badSignature`` for the word of a key that has not given it for this content.
    public func payload(_ content: UpdatePayload.Content) throws(HotSideError) -> [UInt8] {
        switch self {
        case .none: return UpdatePayload.payload(content)
        case .sufficient(let crypto):
            guard crypto.vouches(for: content) else { throw .badSignature }
            return UpdatePayload.payload(content, vouchedBy: crypto)
        case .alice(let scheme):
            let pair = try Self.testKey(scheme)
            do throws(KeyError) {
                return UpdatePayload.payload(content, signature: (pair.multiSigner, try pair.sign(content.signedBytes)))
            } catch { throw .key(error) }
        }
    }

    private static func testKey(_ scheme: SignatureScheme) throws(HotSideError) -> KeyPair {
        let scheme = scheme == .ethereum ? .ecdsa : scheme
        do {
            return try KeyPair.derive(
                from: DevelopmentKeys.mnemonic(), path: DerivationPath(parsing: "//Alice"), scheme: scheme)
        } catch let error as KeyError {
            throw .key(error)
        } catch {
            throw .payloadFileBroken(kind: "the test key", reason: "\(error)")
        }
    }
}
