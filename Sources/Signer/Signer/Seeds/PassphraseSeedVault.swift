import CSodium
import Foundation
import SCALE
import SecretMemory
import Substrate

/// Seeds in one file, sealed with XChaCha20-Poly1305 under a key that Argon2id makes from a PIN or passphrase.
///
///     magic "CMSEEDS1" · passes u32 · memory u64 · salt[16] · nonce[24] · commitment[32] · sealed
///
/// Everything before `sealed` is authenticated with it. The commitment, a keyed hash of magic, cost and salt, tells a wrong
/// credential from a damaged file, and binds the file to one key. Numbers are little-endian.
public struct PassphraseSeedVault: SeedVault {
    /// Bytes of a credential at the least.
    public static let credentialLeast = 4

    private static let magic = Array("CMSEEDS1".utf8)
    private static let nonceByteCount = 24
    private static let commitmentByteCount = 32
    private static let tagByteCount = 16
    /// Bytes of the file at the most: thousands of seeds.
    private static let fileLimit = 1 << 20

    private let path: String
    private let cost: PasswordHashCost

    /// - Parameter cost: for files written from now on; a file is read with the cost that it names.
    public init(path: String, cost: PasswordHashCost = .standard) {
        self.path = path
        self.cost = cost
    }

    /// Makes the file, without seeds.
    public func create(credential: SecretBytes) throws {
        try write(SeedList(entries: []), credential: credential)
    }

    public func names(credential: SecretBytes) throws -> [String] {
        try read(credential: credential).entries.map(\.name)
    }

    public func mnemonic(named name: String, credential: SecretBytes) throws -> Mnemonic {
        guard let entry = try read(credential: credential).entries.first(where: { $0.name == name }) else {
            throw SignerError.seedNotFound(name: name)
        }
        return entry.mnemonic
    }

    public func add(_ mnemonic: Mnemonic, named name: String, credential: SecretBytes) throws {
        var list = try read(credential: credential)
        guard !list.entries.contains(where: { $0.name == name }) else { throw SignerError.seedNameTaken(name: name) }
        if let same = list.entries.first(where: { $0.mnemonic.entropy == mnemonic.entropy }) {
            throw SignerError.seedAlreadyExists(name: same.name)
        }
        list.entries.append(SeedList.Entry(name: name, mnemonic: mnemonic))
        list.entries.sort { Array($0.name.utf8).lexicographicallyPrecedes(Array($1.name.utf8)) }
        try write(list, credential: credential)
    }

    public func remove(_ name: String, credential: SecretBytes) throws {
        var list = try read(credential: credential)
        guard let index = list.entries.firstIndex(where: { $0.name == name }) else {
            throw SignerError.seedNotFound(name: name)
        }
        list.entries.remove(at: index)
        try write(list, credential: credential)
    }

    public func changeCredential(from old: SecretBytes, to new: SecretBytes) throws {
        try write(try read(credential: old), credential: new)
    }

    // MARK: File

    private func write(_ list: SeedList, credential: SecretBytes) throws {
        guard credential.count >= Self.credentialLeast else {
            throw SignerError.credentialTooWeak(least: Self.credentialLeast)
        }
        let salt = Self.random(SealingKeys.saltByteCount)
        let nonce = Self.random(Self.nonceByteCount)
        var header = ScaleEncoder()
        header.raw(Self.magic)
        header.integer(cost.passes)
        header.integer(cost.memory)
        header.raw(salt)
        let keys = try SealingKeys(credential: credential, salt: salt, cost: cost)
        let commitment = keys.commitment(to: header.bytes)
        header.raw(nonce)
        header.raw(commitment)
        let plain = try list.sealedForm()
        var sealed = [UInt8](repeating: 0, count: plain.count + Self.tagByteCount)
        plain.withUnsafeBytes { plain in
            keys.withKey { key in
                _ = crypto_aead_xchacha20poly1305_ietf_encrypt(
                    &sealed, nil, plain.asBytes, UInt64(plain.count), header.bytes, UInt64(header.bytes.count), nil,
                    nonce,
                    key.asBytes)
            }
        }
        try AtomicFile.replace(path, with: header.bytes + sealed)
    }

    private static func random(_ count: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        randombytes_buf(&bytes, count)
        return bytes
    }

    private func read(credential: SecretBytes) throws -> SeedList {
        guard let bytes = try AtomicFile.read(path, limit: Self.fileLimit) else { throw damaged("it is missing") }
        var decoder = ScaleDecoder(bytes)
        let cost: PasswordHashCost
        let salt: [UInt8]
        let nonce: [UInt8]
        let commitment: [UInt8]
        let committed: Int
        do throws(ScaleError) {
            guard try decoder.array(Self.magic.count) == Self.magic else {
                throw .invalidEnumIndex(offset: 0, found: bytes[0], type: "file")
            }
            cost = PasswordHashCost(passes: try decoder.uint32(), memory: try decoder.uint64())
            salt = try decoder.array(SealingKeys.saltByteCount)
            committed = decoder.position
            nonce = try decoder.array(Self.nonceByteCount)
            commitment = try decoder.array(Self.commitmentByteCount)
        } catch {
            throw damaged("it does not begin as a seed file of this version does")
        }
        guard cost.isAllowed else { throw damaged("it asks for a cost of opening that is not allowed") }
        guard decoder.remaining >= Self.tagByteCount else { throw damaged("it is cut off") }
        let keys = try SealingKeys(credential: credential, salt: salt, cost: cost)
        let expected = keys.commitment(to: Array(bytes[..<committed]))
        guard sodium_memcmp(expected, commitment, expected.count) == 0 else { throw SignerError.wrongCredential }
        return try open(bytes, headerEnd: decoder.position, nonce: nonce, keys: keys)
    }

    private func open(_ bytes: [UInt8], headerEnd: Int, nonce: [UInt8], keys: SealingKeys) throws -> SeedList {
        let header = Array(bytes[..<headerEnd])
        let sealed = Array(bytes[headerEnd...])
        var opened: CInt = -1
        let plain: SecretBytes
        do throws(SecretMemoryError) {
            plain = try SecretBytes(count: sealed.count - Self.tagByteCount) { output in
                keys.withKey { key in
                    opened = crypto_aead_xchacha20poly1305_ietf_decrypt(
                        output.asBytes, nil, nil, sealed, UInt64(sealed.count), header, UInt64(header.count), nonce,
                        key.asBytes)
                }
            }
        } catch {
            throw SignerError.memory(error)
        }
        guard opened == 0 else { throw damaged("it was changed after it was written") }
        guard let list = SeedList(sealedForm: plain) else { throw damaged("its content is malformed") }
        return list
    }

    private func damaged(_ reason: String) -> SignerError {
        .databaseDamaged(.file(path: path, reason: reason))
    }
}

/// The content of the file while it is open.
struct SeedList {
    struct Entry {
        var name: String
        var mnemonic: Mnemonic
    }

    var entries: [Entry]

    init(entries: [Entry]) {
        self.entries = entries
    }

    /// For each seed: length of the name (one byte), name, length of the entropy (one byte), entropy.
    func sealedForm() throws(SignerError) -> SecretBytes {
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
            throw .memory(error)
        }
    }

    /// - Returns: nil if the bytes are not such a list.
    init?(sealedForm plain: SecretBytes) {
        var entries: [Entry] = []
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
                entries.append(Entry(name: name, mnemonic: mnemonic))
            }
            return true
        }
        guard isWhole else { return nil }
        self.entries = entries
    }
}
