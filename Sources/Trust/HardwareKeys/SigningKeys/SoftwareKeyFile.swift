import SecretMemory

/// The file of a software key.
///
/// `VGSK` ‖ version 1 ‖ 0 ‖ length of the tag (2) ‖ tag ‖ salt (32) ‖ nonce (12) ‖ AES-256-GCM of the scalar (32 + 16).
/// All before the ciphertext is authenticated with it.
///
/// Source: `vigil` section 5.3.
package enum SoftwareKeyFile {
    private static let head: [UInt8] = Array("VGSK".utf8) + [1, 0]
    package static let label = Array("vigil/softkey/v1\0".utf8)
    private static let saltCount = 32
    private static let nonceCount = 12

    static func seal(_ scalar: SecretBytes, tag: KeyTag, machine: MachineIdentity) throws(HardwareKeyError) -> [UInt8] {
        let salt = KernelRandom.bytes(saltCount)
        let nonce = KernelRandom.bytes(nonceCount)
        let clear = head + tag.field + salt + nonce
        let key = try machine.key(salt: salt, info: label + Array(tag.text.utf8))
        return clear + (try SealedBytes.seal(scalar, key: key, nonce: nonce, authenticating: clear))
    }

    /// - Throws: ``HardwareKeyError``: `malformed`, or `cannotUnseal` for another machine, user, tag or content.
    package static func open(_ file: SecretBytes, tag: KeyTag, machine: MachineIdentity) throws(HardwareKeyError)
        -> SoftwareSigningKey
    {
        let scalar = try ByteReader.read(file, as: .softwareKeyFile) { (reader) throws(HardwareKeyError) in
            try reader.expect(head, "VGSK, version 1")
            let stored = try reader.sized(limit: 100)
            let salt = try reader.take(saltCount)
            let nonce = try reader.take(nonceCount)
            let clear = Array(reader.before)
            let sealed = try reader.take(32 + SealedBytes.tagCount)
            guard stored == Array(tag.text.utf8) else { throw .cannotUnseal(tag: tag.text) }
            let key = try machine.key(salt: salt, info: label + stored)
            return try SealedBytes.open(sealed, key: key, nonce: nonce, authenticating: clear, tag: tag)
        }
        guard let key = SoftwareSigningKey(scalar: scalar) else { throw .cannotUnseal(tag: tag.text) }
        return key
    }
}
