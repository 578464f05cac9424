#if canImport(CTSS2)
    import CTSS2
    import Cryptography
    import SecretMemory

    /// Signing keys: made in the TPM, stored outside encrypted under its storage key, loaded for each use.
    extension TPM {
        /// - Parameter auth: what using the key takes; at most 32 bytes.
        func makeSigningKey(auth: SecretBytes) throws(HardwareKeyError) -> TPMKeyFile {
            let sensitive = try SecretStructure<TPM2B_SENSITIVE_CREATE>(auth: auth, data: nil)
            return try perform { (connection) throws(HardwareKeyError) in
                try connection.withStorageKey { (parent) throws(HardwareKeyError) in
                    let object = try connection.create(TPMPublicArea.signingKey, sensitive: sensitive, under: parent)
                    return TPMKeyFile(parent: parent.kind, auth: auth, object: object)
                }
            }
        }

        /// Loads the key once, so that a file of another TPM is found out before it is needed.
        func check(_ key: TPMKeyFile) throws(HardwareKeyError) {
            try perform { (connection) throws(HardwareKeyError) in
                try connection.withStorageKey(.exactly(key.parent)) { (parent) throws(HardwareKeyError) in
                    try connection.withLoaded(key.object, under: parent, auth: nil) { (_) throws(HardwareKeyError) in }
                }
            }
        }

        /// - Returns: r, then s, 32 bytes each.
        func sign(_ digest: [UInt8], with key: TPMKeyFile) throws(HardwareKeyError) -> [UInt8] {
            try perform { (connection) throws(HardwareKeyError) in
                try connection.withStorageKey(.exactly(key.parent)) { (parent) throws(HardwareKeyError) in
                    try connection.withLoaded(key.object, under: parent, auth: key.auth) {
                        (handle) throws(HardwareKeyError) in
                        let session = try connection.startSalted(.hmac, with: parent.handle, encrypting: .command)
                        defer { connection.flush(session) }
                        return try connection.sign(digest, with: handle, session: session)
                    }
                }
            }
        }
    }

    extension TPMConnection {
        fileprivate func sign(_ digest: [UInt8], with key: ESYS_TR, session: ESYS_TR) throws(HardwareKeyError)
            -> [UInt8]
        {
            var digest = TPM2B_DIGEST(bytes: digest)
            var scheme = TPMT_SIG_SCHEME()
            scheme.scheme = 0x0010  // that of the key
            var ticket = TPMT_TK_HASHCHECK()
            ticket.tag = 0x8024
            ticket.hierarchy = 0x4000_0007
            var signature: UnsafeMutablePointer<TPMT_SIGNATURE>?
            try run("Sign") {
                tss2.Esys_Sign(esys, key, session, ESYS_TR_NONE, ESYS_TR_NONE, &digest, &scheme, &ticket, &signature)
            }
            defer { tss2.Esys_Free(signature) }
            guard let signature, signature.pointee.sigAlg == 0x0018 else {
                throw .unexpectedResponse(command: "Sign", code: 0)
            }
            let ecdsa = signature.pointee.signature.ecdsa
            return TPMPublicArea.padded(ecdsa.signatureR.bytes) + TPMPublicArea.padded(ecdsa.signatureS.bytes)
        }
    }
#endif
