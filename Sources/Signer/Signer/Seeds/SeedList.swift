import SecretMemory
import Substrate

/// The content of the file while it is open.
struct SeedList {
    struct NamedSeed {
        var name: String
        var mnemonic: Mnemonic
    }

    var entries: [NamedSeed]

    init(entries: [NamedSeed]) {
        self.entries = entries
    }

    /// The encoding that is sealed. For each seed: length of the name (one byte), name, length of the entropy (one
    /// byte), entropy.
    func sealedForm() throws -> SecretBytes {
        let count = entries.reduce(0) { $0 + 2 + $1.name.utf8.count + $1.mnemonic.entropy.count }
        do throws(SecretMemoryError) {
            return try SecretBytes(count: count) { output in
                var position = 0
                func put(_ byte: UInt8) {
                    output[position] = byte
                    position += 1
                }
                for entry in entries {
                    put(UInt8(entry.name.utf8.count))
                    entry.name.utf8.forEach(put)
                    put(UInt8(entry.mnemonic.entropy.count))
                    entry.mnemonic.entropy.withUnsafeBytes { $0.forEach(put) }
                }
            }
        } catch {
            throw SignerError.memory(error)
        }
    }

    /// - Returns: nil if the bytes are not such a list.
    init?(sealedForm plain: SecretBytes) {
        var entries: [NamedSeed] = []
        let isWhole = plain.withUnsafeBytes { bytes -> Bool in
            var position = 0
            func field() -> UnsafeRawBufferPointer? {
                guard position < bytes.count else { return nil }
                let end = position + 1 + Int(bytes[position])
                guard end <= bytes.count else { return nil }
                defer { position = end }
                return UnsafeRawBufferPointer(rebasing: bytes[position + 1..<end])
            }
            while position < bytes.count {
                guard let name = field().flatMap({ String(validating: $0, as: UTF8.self) }), let entropy = field()
                else {
                    return false
                }
                guard let mnemonic = try? Mnemonic(entropy: SecretBytes(copying: entropy)) else { return false }
                entries.append(NamedSeed(name: name, mnemonic: mnemonic))
            }
            return true
        }
        guard isWhole else { return nil }
        self.entries = entries
    }
}
