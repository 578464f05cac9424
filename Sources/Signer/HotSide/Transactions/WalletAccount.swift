import Substrate

/// The account that is to sign, with its scheme, which its address does not tell.
public struct WalletAccount: Hashable, Sendable {
    /// The scheme of its key.
    public let scheme: SignatureScheme
    /// What names it on the chain: 32 bytes, or 20 of Ethereum's form.
    let identifier: [UInt8]
    /// The public key; nil where it is not known and not needed.
    private let publicKey: [UInt8]?

    /// - Parameters:
    ///   - account: as the payload names it.
    ///   - scheme: of the key; nil for the usual one of such addresses.
    ///   - publicKey: 33 bytes, of an ecdsa key, which its address does not tell.
    public init(
        _ account: SignerPayload.Account, scheme: SignatureScheme? = nil, publicKey: [UInt8]? = nil
    ) throws(SignerPayloadError) {
        switch account {
        case .ethereum(let address):
            guard scheme == nil || scheme == .ethereum else { throw .schemeDoesNotFit(scheme ?? .ethereum) }
            (self.scheme, identifier) = (.ethereum, address)
            guard publicKey == nil || MultiSigner.ecdsa(publicKey ?? []).ethereumAddress == address else {
                throw .publicKey(reason: "it is not the key of the address")
            }
            self.publicKey = publicKey
        case .account(let identifier):
            let scheme = scheme ?? .sr25519
            guard scheme != .ethereum else { throw .schemeDoesNotFit(scheme) }
            (self.scheme, self.identifier) = (scheme, identifier)
            guard scheme == .ecdsa || publicKey != nil else {
                self.publicKey = identifier
                return
            }
            guard let publicKey else {
                throw .publicKey(reason: "an address does not tell an ecdsa key; give it with --public-key")
            }
            guard let signer = MultiSigner(scheme: scheme, publicKey: publicKey), signer.accountID == identifier else {
                throw .publicKey(reason: "it is not the \(scheme.name) key of the address")
            }
            self.publicKey = publicKey
        }
    }

    /// What names the account in a request to a vault.
    var author: [UInt8] { scheme == .ethereum ? identifier : publicKey ?? identifier }

    /// Whether the account's key has made a signature.
    func hasSigned(_ message: [UInt8], by signature: [UInt8]) -> Bool {
        guard scheme != .ethereum else {
            return SignatureVerifier.ethereumAddress(ofSigner: signature, message: message) == identifier
        }
        return SignatureVerifier.isValid(
            signature: signature, message: message, publicKey: publicKey ?? identifier, scheme: scheme)
    }
}
