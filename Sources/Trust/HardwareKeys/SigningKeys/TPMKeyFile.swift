#if canImport(CTSS2)
    import Cryptography
    import SecretMemory

    /// The file of a key in a TPM.
    ///
    /// `VGTK` ‖ version 1 ‖ kind 1 ‖ length of the tag (2) ‖ tag ‖ parent (4; 0: made each time) ‖ authorisation,
    /// public area, private part, each behind its length (2) ‖ policy 0 ‖ length 0 (2) ‖ SHA-256 of all before.
    ///
    /// Keys bound to boot measurements (policy 1) are not made, and refused.
    ///
    /// Source: `vigil` section 5.2.
    struct TPMKeyFile {
        let parent: TPMSealedBlob.Parent
        let auth: SecretBytes
        let object: TPMObject

        private static let head: [UInt8] = Array("VGTK".utf8) + [1, 1]
        private static let withoutPolicy: [UInt8] = [0, 0, 0]

        func serialised(tag: KeyTag) throws(HardwareKeyError) -> SecretBytes {
            var before = Self.head + tag.field
            before.append(bigEndian: parent == .persistent ? TPMConstants.persistentStorageKey : 0)
            before.append(bigEndian: UInt16(auth.count))
            var behind: [UInt8] = []
            behind.append(sized: object.publicArea)
            behind.append(sized: object.privatePart)
            behind += Self.withoutPolicy
            let content = try SecretBytes.joining([.plain(before), .secret(auth), .plain(behind)])
            let hash = content.withUnsafeBytes { SHA256Hash.of($0) }
            return try SecretBytes.joining([.secret(content), .plain(hash)])
        }
    }

    extension TPMKeyFile {
        /// - Throws: ``HardwareKeyError``: `malformed`, or `cannotUnseal` for another tag.
        init(parsing file: SecretBytes, tag: KeyTag) throws(HardwareKeyError) {
            self = try ByteReader.read(file, as: .tpmKeyFile) { (reader) throws(HardwareKeyError) in
                try TPMKeyFile(from: &reader, tag: tag)
            }
        }

        private init(from reader: inout ByteReader, tag: KeyTag) throws(HardwareKeyError) {
            try reader.expect(Self.head, "VGTK, version 1, kind 1")
            let stored = try reader.sized(limit: 100)
            switch try reader.integer(UInt32.self) {
            case 0: parent = .transient
            case TPMConstants.persistentStorageKey: parent = .persistent
            default: throw reader.malformed("parent 0 or 0x81000001 expected")
            }
            auth = try reader.takeSecret(try reader.count(limit: 32))
            let publicArea = try reader.sized(limit: 256)
            guard TPMPublicArea.point(of: publicArea, after: TPMPublicArea.signingKeyHead) != nil else {
                throw reader.malformed("the public area is not that of a P-256 signing key")
            }
            object = TPMObject(privatePart: try reader.sized(limit: 512), publicArea: publicArea)
            try reader.expect(Self.withoutPolicy, "a key without policy")
            let hash = SHA256Hash.of(reader.before)
            try reader.expect(hash, "the SHA-256 of all before")
            guard stored == Array(tag.text.utf8) else { throw .cannotUnseal(tag: tag.text) }
        }
    }
#endif
