import Crypto
import Foundation
import HardwareKeys
import SecretMemory
import TestSupport

@testable import Vigil

/// A key in the test's memory.
struct TestKey: SigningKey {
    let kind = KeyKind.software
    let key: P256.Signing.PrivateKey

    init() {
        key = P256.Signing.PrivateKey()
    }

    /// - Parameter scalar: 32 bytes.
    init(scalar: [UInt8]) throws {
        key = try P256.Signing.PrivateKey(rawRepresentation: scalar)
    }

    var publicKey: [UInt8] { Array(key.publicKey.x963Representation) }

    /// The same in the room's type.
    var pinned: PublicKey { PublicKey(x963: publicKey)! }

    func sign(digest: SHA256.Digest) throws(HardwareKeyError) -> [UInt8] {
        do { return Array(try key.signature(for: digest).rawRepresentation) } catch {
            throw .invalidArgument("\(error)")
        }
    }
}

/// A folder for one test, gone after it.
final class Scratch: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "vigil-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    func path(_ name: String) -> String { url.appending(path: name).path }
}

extension [UInt8] {
    init(_ text: String) { self = Array(text.utf8) }

    /// The text with one part replaced, wherever it stands.
    func replacing(_ part: String, with other: String) -> [UInt8] {
        Array(String(decoding: self, as: UTF8.self).replacing(part, with: other).utf8)
    }
}
