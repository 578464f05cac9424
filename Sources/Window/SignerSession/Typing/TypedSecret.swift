import Screens
import SecretMemory

/// What is typed of a secret, in locked memory: after each key all of it anew, and the old is zeros.
package struct TypedSecret {
    /// What may be typed.
    package enum Signs {
        /// All that a keyboard writes.
        case all
        /// Small letters, and a blank between words; capitals are taken for small ones.
        case words
        /// Small letters.
        case letters

        fileprivate func taken(_ sign: Unicode.Scalar) -> Unicode.Scalar? {
            switch self {
            case .all: return sign
            case .words where sign == " ": return sign
            case .words, .letters:
                let small = "A"..."Z" ~= sign ? Unicode.Scalar(UInt8(sign.value) | 0x20) : sign
                return "a"..."z" ~= small ? small : nil
            }
        }
    }

    package let signs: Signs
    /// Signs at the most.
    package let limit: Int
    /// UTF-8; nil where nothing is typed.
    package private(set) var bytes: SecretBytes?
    /// How many signs are typed.
    package private(set) var count = 0

    package init(_ signs: Signs, limit: Int) { (self.signs, self.limit) = (signs, limit) }

    /// - Returns: false where the sign is not taken, or no more are.
    package mutating func type(_ sign: Unicode.Scalar) throws -> Bool {
        guard let sign = signs.taken(sign), count < limit else { return false }
        let utf8 = Unicode.UTF8.encode(sign)
        guard let utf8 else { return false }
        let old = bytes
        bytes = try SecretBytes(count: (old?.count ?? 0) + utf8.count) { buffer in
            var place = 0
            old?.withUnsafeBytes { old in
                buffer.copyMemory(from: old)
                place = old.count
            }
            for byte in utf8 {
                buffer[place] = byte
                place += 1
            }
        }
        count += 1
        return true
    }

    package mutating func deleteLast() throws {
        guard let old = bytes else { return }
        let rest = old.withUnsafeBytes { bytes in
            // The last sign begins at the last byte that goes on with none.
            (bytes.lastIndex { $0 & 0xc0 != 0x80 }) ?? 0
        }
        bytes = rest == 0 ? nil : try old.part(0..<rest)
        count = rest == 0 ? 0 : count - 1
    }

    package mutating func clear() { (bytes, count) = (nil, 0) }

    /// Takes the place of what was typed.
    ///
    /// - Parameter secret: UTF-8.
    package mutating func replace(by secret: SecretBytes) {
        bytes = secret.count == 0 ? nil : secret
        count = secret.withUnsafeBytes { $0.count { $0 & 0xc0 != 0x80 } }
    }

    /// All of it in memory of its own.
    package func copy() throws -> SecretBytes {
        guard let bytes else { return try SecretBytes(count: 0) { _ in } }
        return try bytes.part(0..<bytes.count)
    }

    /// All of it; nothing is left here.
    package mutating func take() throws -> SecretBytes {
        defer { clear() }
        return try bytes ?? SecretBytes(count: 0) { _ in }
    }
}

extension Field.Secret {
    package var signs: TypedSecret.Signs {
        switch self {
        case .newCredential, .credential, .password, .passphrase: .all
        case .writtenWord: .letters
        case .word: .words
        }
    }

    /// Signs at the most: a passphrase of many words, or a word with room for what is wrong in it.
    package var limit: Int {
        switch self {
        case .newCredential, .credential, .password, .passphrase: 256
        case .writtenWord, .word: 32
        }
    }

    /// Whether what is typed can be read on the screen: a word has to be compared with the guesses.
    package var isShown: Bool { if case .word = self { true } else { false } }

    /// Whether a keypad begins with digits.
    package var beginsWithDigits: Bool {
        switch self {
        case .newCredential, .credential: true
        case .password, .passphrase, .writtenWord, .word: false
        }
    }
}
