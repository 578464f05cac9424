#if canImport(CryptoKit)
    import CryptoKit
    import Cryptography
    import Foundation
    import SecretMemory
    import Security

    /// Signing keys in the Secure Enclave.
    ///
    /// File: `VGEK` ‖ version 1 ‖ 0 ‖ length of the tag (2) ‖ tag ‖ length (2) ‖ the key as the enclave encrypted it.
    ///
    /// Source: `vigil` section 5.1.
    public struct EnclaveSigningHardware: SigningHardware {
        public let kind = KeyKind.secureEnclave
        private static let head: [UInt8] = Array("VGEK".utf8) + [1, 0]

        /// Returns nil on a device without an enclave.
        public init?() {
            guard SecureEnclave.isAvailable else { return nil }
        }

        public func makeKey(tag: String) throws(HardwareKeyError) -> SecretFile {
            let tag = try KeyTag(tag)
            guard
                let access = SecAccessControlCreateWithFlags(
                    nil, kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly, .privateKeyUsage, nil),
                let key = try? SecureEnclave.P256.Signing.PrivateKey(accessControl: access)
            else { throw .unavailable(.none) }
            var file = Self.head + tag.field
            file.append(sized: Array(key.dataRepresentation))
            return SecretFile(try SecretBytes.joining([.plain(file)]))
        }

        public func openKey(tag: String, file: SecretFile) throws(HardwareKeyError) -> any SigningKey {
            let tag = try KeyTag(tag)
            let representation = try ByteReader.read(file.content, as: .enclaveKeyFile) {
                (reader) throws(HardwareKeyError) in
                try reader.expect(Self.head, "VGEK, version 1")
                let stored = try reader.sized(limit: 100)
                let representation = try reader.sized(limit: 1024)
                guard stored == Array(tag.text.utf8) else { throw .cannotUnseal(tag: tag.text) }
                return representation
            }
            guard let key = try? SecureEnclave.P256.Signing.PrivateKey(dataRepresentation: Data(representation)) else {
                throw .cannotUnseal(tag: tag.text)
            }
            return EnclaveSigningKey(publicKey: Array(key.publicKey.x963Representation), representation: representation)
        }
    }

    private struct EnclaveSigningKey: SigningKey {
        let kind = KeyKind.secureEnclave
        let publicKey: [UInt8]
        let representation: [UInt8]

        func sign(digest: [UInt8]) throws(HardwareKeyError) -> [UInt8] {
            try Self.requireDigest(digest)
            guard let key = try? SecureEnclave.P256.Signing.PrivateKey(dataRepresentation: Data(representation)),
                let signature = try? key.signature(for: RawDigest(digest))
            else { throw .unavailable(.none) }
            return Array(signature.rawRepresentation)
        }
    }
#endif
