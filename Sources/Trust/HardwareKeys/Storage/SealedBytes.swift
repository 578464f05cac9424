import Crypto
import Foundation
import SecretMemory

/// AES-256-GCM between locked memory and a file.
enum SealedBytes {
    static let tagCount = 16

    /// - Returns: the ciphertext, then the tag.
    static func seal(
        _ secret: SecretBytes, key: SymmetricKey, nonce: [UInt8], authenticating clear: [UInt8]
    ) throws(HardwareKeyError) -> [UInt8] {
        do {
            let nonce = try AES.GCM.Nonce(data: nonce)
            let box = try secret.withUnsafeBytes {
                try AES.GCM.seal($0, using: key, nonce: nonce, authenticating: clear)
            }
            return Array(box.ciphertext) + Array(box.tag)
        } catch {
            throw .invalidArgument("the secret cannot be encrypted: \(error)")
        }
    }

    /// - Throws: ``HardwareKeyError/cannotUnseal(tag:)``
    static func open(
        _ sealed: [UInt8], key: SymmetricKey, nonce: [UInt8], authenticating clear: [UInt8], tag: KeyTag
    ) throws(HardwareKeyError) -> SecretBytes {
        guard sealed.count >= tagCount, let nonce = try? AES.GCM.Nonce(data: nonce),
            let box = try? AES.GCM.SealedBox(
                nonce: nonce, ciphertext: sealed.dropLast(tagCount), tag: sealed.suffix(tagCount)),
            var opened = try? AES.GCM.open(box, using: key, authenticating: clear)
        else { throw .cannotUnseal(tag: tag.text) }
        defer { opened.resetBytes(in: opened.startIndex..<opened.endIndex) }
        return try SecretBytes.guarded { () throws(SecretMemoryError) in
            try SecretBytes(count: opened.count) { opened.copyBytes(to: $0) }
        }
    }
}
