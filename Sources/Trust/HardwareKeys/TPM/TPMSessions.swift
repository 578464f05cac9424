#if canImport(CTSS2)
    import CTSS2

    /// The sessions of this room. The code that starts one flushes it.
    extension TPMConnection {
        enum SessionKind: UInt8 {
            case hmac = 0
            case policy = 1
        }

        /// Which parameter of a command is encrypted on the way: the first one sent, the first one answered.
        struct Encrypting: OptionSet {
            let rawValue: UInt8
            /// Neither: of a command without authorisation, for which the TPM takes no session that is of no use.
            static let audit = Encrypting(rawValue: 1 << 7)
            static let command = Encrypting(rawValue: 1 << 5)  // the TPM decrypts
            static let response = Encrypting(rawValue: 1 << 6)
        }

        /// A session whose keys come from a secret that only the TPM with the private half of `parent` learns.
        func startSalted(
            _ kind: SessionKind, with parent: ESYS_TR, encrypting: Encrypting
        ) throws(HardwareKeyError) -> ESYS_TR {
            let session = try start(kind, salt: parent)
            do throws(HardwareKeyError) {
                try run("TRSess_SetAttributes") {
                    // Bit 0: the session goes on after a command.
                    tss2.Esys_TRSess_SetAttributes(esys, session, 1 | encrypting.rawValue, 0xff)
                }
            } catch {
                flush(session)
                throw error
            }
            return session
        }

        private func start(_ kind: SessionKind, salt: ESYS_TR) throws(HardwareKeyError) -> ESYS_TR {
            var cipher = TPMT_SYM_DEF()
            cipher.algorithm = 0x0006  // AES
            cipher.keyBits.aes = 128
            cipher.mode.aes = 0x0043  // CFB
            var session: ESYS_TR = ESYS_TR_NONE
            try run("StartAuthSession") {
                tss2.Esys_StartAuthSession(
                    esys, salt, ESYS_TR_NONE, ESYS_TR_NONE, ESYS_TR_NONE, ESYS_TR_NONE, nil, kind.rawValue, &cipher,
                    TPMConstants.sha256, &session)
            }
            return session
        }

        /// Meets one branch of an index's policy, in a session of its own that the caller flushes.
        ///
        /// - Parameter parent: the key whose TPM alone can take the command and answer it; none for reading what is no
        ///   secret, or what another session proves.
        func session(
            meeting command: UInt32, of index: TPMIndex, saltedWith parent: ESYS_TR = ESYS_TR_NONE
        ) throws(HardwareKeyError) -> ESYS_TR {
            let session = try start(.policy, salt: parent)
            do throws(HardwareKeyError) {
                if index.branches.contains(.commandOnce(command)) {
                    try run("PolicyNvWritten") {
                        tss2.Esys_PolicyNvWritten(esys, session, ESYS_TR_NONE, ESYS_TR_NONE, ESYS_TR_NONE, 0)
                    }
                }
                try run("PolicyCommandCode") {
                    tss2.Esys_PolicyCommandCode(esys, session, ESYS_TR_NONE, ESYS_TR_NONE, ESYS_TR_NONE, command)
                }
                var branches = TPML_DIGEST()
                branches.count = UInt32(index.branches.count)
                branches.digests.0 = TPM2B_DIGEST(bytes: index.branches[0].digest)
                branches.digests.1 = TPM2B_DIGEST(bytes: index.branches[1].digest)
                try run("PolicyOR") {
                    tss2.Esys_PolicyOR(esys, session, ESYS_TR_NONE, ESYS_TR_NONE, ESYS_TR_NONE, &branches)
                }
            } catch {
                flush(session)
                throw error
            }
            return session
        }
    }
#endif
