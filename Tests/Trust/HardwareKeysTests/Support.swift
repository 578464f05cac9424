import Crypto
import Foundation
import SecretMemory
import TestSupport
import Testing

@testable import HardwareKeys

enum Fixture {
    static func json(_ name: String) throws -> JSON {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures")
        return try JSON(contentsOf: folder.appending(path: name + ".json"))
    }
}

#if canImport(CTSS2)
    extension SoftwareTPM {
        /// A connection as the programs make it.
        func open() throws -> TPM { try TPM(at: TPMAddress(tcti: tcti)) }
    }
#endif

func secret(_ bytes: [UInt8]) throws -> SecretBytes { try SecretBytes(copying: bytes) }

/// A secret of 32 equal bytes.
func secret(of byte: UInt8) throws -> SecretBytes { try secret([UInt8](repeating: byte, count: 32)) }

/// Whether a message's signature is right, and wrong for another message.
func verify(_ key: any SigningKey) throws {
    let message = Array("a message".utf8)
    let signature = try key.sign(message)
    #expect(signature.count == 64)
    #expect(key.publicKey.count == 65 && key.publicKey.first == 4)
    let known = try P256.Signing.PublicKey(x963Representation: key.publicKey)
    #expect(known.isValidSignature(try .init(rawRepresentation: signature), for: message))
    #expect(!known.isValidSignature(try .init(rawRepresentation: signature), for: message + [0]))
    let hashed = try key.sign(digest: Array(SHA256.hash(data: message)))
    #expect(known.isValidSignature(try .init(rawRepresentation: hashed), for: message))
    for count in [0, 20, 33] {
        #expect(throws: HardwareKeyError.invalidArgument("a digest of SHA-256 has 32 bytes, not \(count)")) {
            try key.sign(digest: [UInt8](repeating: 1, count: count))
        }
    }
}
