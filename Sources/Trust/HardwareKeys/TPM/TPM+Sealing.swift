#if canImport(CTSS2)
    import CSodium
    import CTSS2
    import SecretMemory

    /// Sealing: a secret that the TPM releases again when its policy is met.
    extension TPM {
        /// Seals a secret.
        ///
        /// To replace a blob, seal to the counter's next value, write the file, increment the counter, then take the
        /// file into use: at every moment one of the two files opens.
        ///
        /// - Parameters:
        ///   - secret: 1 to 128 bytes.
        ///   - auth: what releasing it takes, at most 32 bytes; nil is the empty authorisation. For
        ///     ``TPMPolicy/limited(counter:value:pin:limit:)`` the PIN index has to have the same.
        ///   - policy: the conditions. The counter's value may be one that it has not reached.
        ///   - registers: what registers have to hold too; nil binds to none. See ``registers(_:)``.
        /// - Throws: ``HardwareKeyError/unavailable(_:)``
        package func seal(
            _ secret: SecretBytes, auth: SecretBytes?, policy: TPMPolicy, registers: TPMRegisterState? = nil
        ) throws(HardwareKeyError) -> TPMSealedBlob {
            guard secret.count > 0 else { throw .invalidArgument("there is nothing to seal") }
            let sensitive = try SecretStructure<TPM2B_SENSITIVE_CREATE>(auth: auth, data: secret)
            return try perform { (connection) throws(HardwareKeyError) in
                try connection.withStorageKey { (parent) throws(HardwareKeyError) in
                    let object = try connection.create(
                        TPMPublicArea.sealedData(policy: policy.digest(with: registers)), sensitive: sensitive,
                        under: parent)
                    return TPMSealedBlob(
                        policy: policy, registers: registers, parent: parent.kind, parentName: parent.name,
                        privatePart: object.privatePart, publicArea: object.publicArea)
                }
            }
        }

        /// Releases what ``seal(_:auth:policy:)`` sealed.
        ///
        /// - Throws: ``HardwareKeyError``: `wrongCredential` (the attempt is counted by the hardware), `lockout`,
        ///   `exhausted`, `rolledBack` when the counter has another value, `registersChanged` before any attempt is
        ///   counted, `dead` when an index is gone, `unavailable` on another TPM.
        package func unseal(_ blob: TPMSealedBlob, auth: SecretBytes?) throws(HardwareKeyError) -> SecretBytes {
            try perform { (connection) throws(HardwareKeyError) in
                try connection.withStorageKey(.named(blob.parentName)) { (parent) throws(HardwareKeyError) in
                    let object = TPMObject(privatePart: blob.privatePart, publicArea: blob.publicArea)
                    return try connection.withLoaded(object, under: parent, auth: auth) {
                        (handle) throws(HardwareKeyError) in
                        let session = try connection.startSalted(.policy, with: parent.handle, encrypting: .response)
                        defer { connection.flush(session) }
                        // Before the PIN is shown: what was started is no reason to spend an attempt.
                        if let registers = blob.registers { try connection.compare(registers, in: session) }
                        try connection.meet(blob.policy, in: session, auth: auth, parent: parent)
                        return try connection.unseal(
                            handle, session: session, on: blob.registers.map { .registers($0.selection) } ?? .object)
                    }
                }
            }
        }
    }

    extension TPM {
        /// Whether this TPM made a blob: what its fields say, such as the indices that it depends on, is then what was
        /// sealed here.
        ///
        /// That it did not is no proof: whoever sits on the bus can find fault in the TPM's place.
        ///
        /// - Throws: what keeps it from being asked, and an answer that says neither.
        package func made(_ blob: TPMSealedBlob) throws(HardwareKeyError) -> Bool {
            do throws(HardwareKeyError) {
                return try perform { (connection) throws(HardwareKeyError) in
                    try connection.withStorageKey(.named(blob.parentName)) { (parent) throws(HardwareKeyError) in
                        let object = TPMObject(privatePart: blob.privatePart, publicArea: blob.publicArea)
                        return try connection.withLoaded(object, under: parent, auth: nil) { _ in true }
                    }
                }
            } catch {
                switch error {
                case .unavailable(.otherHardware): return false
                // It can be loaded nowhere but where it was made.
                case .unexpectedResponse("Load", let code) where TPMResponse.findsFault(code): return false
                default: throw error
                }
            }
        }
    }

    extension TPMConnection {
        fileprivate func meet(
            _ policy: TPMPolicy, in session: ESYS_TR, auth: SecretBytes?, parent: TPMStorageKey
        ) throws(HardwareKeyError) {
            if let pin = policy.pin { try prove(auth, to: pin.index, in: session, parent: parent) }
            if let counter = policy.counter { try compare(.counter(counter.index), with: counter.value, in: session) }
            try run("PolicyAuthValue") {
                tss2.Esys_PolicyAuthValue(esys, session, ESYS_TR_NONE, ESYS_TR_NONE, ESYS_TR_NONE)
            }
        }

        /// Shows a PIN index the authorisation; a wrong one costs an attempt.
        private func prove(
            _ auth: SecretBytes?, to index: UInt32, in session: ESYS_TR, parent: TPMStorageKey
        ) throws(HardwareKeyError) {
            let auth = try SecretStructure<TPM2B_AUTH>(auth)
            try withIndex(index) { (handle) throws(HardwareKeyError) in
                let proof = try startSalted(.hmac, with: parent.handle, encrypting: [.command, .response])
                defer { flush(proof) }
                try authorise(handle, with: auth)
                defer { forgetAuthorisation(of: handle) }
                var nonce = TPM2B_NONCE()
                var command = TPM2B_DIGEST()
                var reference = TPM2B_NONCE()
                var timeout: UnsafeMutablePointer<TPM2B_TIMEOUT>?
                var ticket: UnsafeMutablePointer<TPMT_TK_AUTH>?
                try run("PolicySecret", on: .pinIndex(index)) {
                    tss2.Esys_PolicySecret(
                        esys, handle, session, proof, ESYS_TR_NONE, ESYS_TR_NONE, &nonce, &command, &reference, 0,
                        &timeout,
                        &ticket)
                }
                tss2.Esys_Free(timeout)
                tss2.Esys_Free(ticket)
            }
        }

        private func compare(
            _ counter: TPMIndex, with value: UInt64, in session: ESYS_TR
        ) throws(HardwareKeyError) {
            try withIndex(counter.handle) { (handle) throws(HardwareKeyError) in
                let reading = try self.session(meeting: TPMConstants.Command.policyNV, of: counter)
                defer { flush(reading) }
                var bytes: [UInt8] = []
                bytes.append(bigEndian: value)
                var operand = TPM2B_OPERAND(bytes: bytes)
                try run("PolicyNV", on: .index(counter.handle)) {
                    tss2.Esys_PolicyNV(
                        esys, handle, handle, session, reading, ESYS_TR_NONE, ESYS_TR_NONE, &operand, 0, 0)
                }
            }
        }

        fileprivate func unseal(
            _ object: ESYS_TR, session: ESYS_TR, on subject: TPMResponse.Subject
        ) throws(HardwareKeyError) -> SecretBytes {
            var data: UnsafeMutablePointer<TPM2B_SENSITIVE_DATA>?
            try run("Unseal", on: subject) {
                tss2.Esys_Unseal(esys, object, session, ESYS_TR_NONE, ESYS_TR_NONE, &data)
            }
            guard let data else { throw .unexpectedResponse(command: "Unseal", code: 0) }
            defer {
                sodium_memzero(data, MemoryLayout<TPM2B_SENSITIVE_DATA>.size)
                tss2.Esys_Free(data)
            }
            let start = UnsafeRawPointer(data) + 2
            let count = min(Int(data.pointee.size), MemoryLayout<TPM2B_SENSITIVE_DATA>.size - 2)
            return try SecretBytes.guarded { () throws(SecretMemoryError) in
                try SecretBytes(copying: UnsafeRawBufferPointer(start: start, count: count))
            }
        }
    }
#endif
