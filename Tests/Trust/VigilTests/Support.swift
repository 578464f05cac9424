import Cryptography
import Foundation
import HardwareKeys
import SecretMemory
import TestSupport

@testable import Vigil

/// A key in the test's memory.
struct TestKey: SigningKey {
    let kind = KeyKind.software
    let key: P256PrivateKey

    init() {
        do { key = try P256PrivateKey.random() } catch { fatalError("no memory for a key") }
    }

    /// - Parameter scalar: 32 bytes.
    init(scalar: [UInt8]) throws {
        guard let key = P256PrivateKey(scalar: try SecretBytes(copying: scalar)) else {
            throw HardwareKeyError.invalidArgument("no scalar of the curve")
        }
        self.key = key
    }

    var publicKey: [UInt8] { key.publicKey.x963 }

    /// The same in the room's type.
    var pinned: PublicKey { PublicKey(x963: publicKey)! }

    func sign(digest: [UInt8]) throws(HardwareKeyError) -> [UInt8] {
        guard let signature = key.sign(digest: digest) else { throw .invalidArgument("no signature") }
        return signature.raw
    }
}

extension [UInt8] {
    init(_ text: String) { self = Array(text.utf8) }

    /// The text with one part replaced, wherever it stands.
    func replacing(_ part: String, with other: String) -> [UInt8] {
        Array(String(decoding: self, as: UTF8.self).replacing(part, with: other).utf8)
    }
}
