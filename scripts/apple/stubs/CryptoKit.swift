// A stub, see README.md. What swift-crypto declares alike comes from there: on Apple's platforms that package hands CryptoKit's own types on.
@_exported import Crypto
import Foundation
import LocalAuthentication
import Security

/// Source: developer.apple.com/documentation/cryptokit/secureenclave
@available(macOS 10.15, iOS 13, *)
public enum SecureEnclave {
    public static var isAvailable: Bool { fatalError() }

    public enum P256 {
        public enum Signing {
            public struct PrivateKey: Sendable {
                public init(
                    compactRepresentable: Bool = true, accessControl: SecAccessControl = anyTime,
                    authenticationContext: LAContext? = nil
                ) throws { fatalError() }
                public init(dataRepresentation: Data, authenticationContext: LAContext? = nil) throws { fatalError() }
                public var publicKey: Crypto.P256.Signing.PublicKey { fatalError() }
                public var dataRepresentation: Data { fatalError() }
                public func signature<D: Digest>(for digest: D) throws -> Crypto.P256.Signing.ECDSASignature {
                    fatalError()
                }
                public func signature<D: DataProtocol>(for data: D) throws -> Crypto.P256.Signing.ECDSASignature {
                    fatalError()
                }
            }
        }

        public enum KeyAgreement {
            public struct PrivateKey: Sendable {
                public init(
                    compactRepresentable: Bool = true, accessControl: SecAccessControl = anyTime,
                    authenticationContext: LAContext? = nil
                ) throws { fatalError() }
                public init(dataRepresentation: Data, authenticationContext: LAContext? = nil) throws { fatalError() }
                public var publicKey: Crypto.P256.KeyAgreement.PublicKey { fatalError() }
                public var dataRepresentation: Data { fatalError() }
                public func sharedSecretFromKeyAgreement(
                    with publicKeyShare: Crypto.P256.KeyAgreement.PublicKey
                ) throws -> SharedSecret { fatalError() }
            }
        }
    }
}

/// The documented default, `kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly` without flags.
public var anyTime: SecAccessControl { fatalError() }
