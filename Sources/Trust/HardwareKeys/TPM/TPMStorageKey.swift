#if canImport(CTSS2)
    import CTSS2

    /// The storage key, ready for use.
    struct TPMStorageKey {
        let handle: ESYS_TR
        let name: [UInt8]
        let kind: TPMSealedBlob.Parent

        fileprivate func meets(_ choice: TPMConnection.StorageKeyChoice) -> Bool {
            switch choice {
            case .any: true
            case .named(let expected): name == expected
            case .exactly(let expected): kind == expected
            }
        }
    }

    extension TPMConnection {
        enum StorageKeyChoice: Equatable {
            /// The pinned one; else the persistent one where it is of the template, else one made for the occasion.
            case any
            /// Whichever of the two has this Name.
            case named([UInt8])
            case exactly(TPMSealedBlob.Parent)
        }

        /// Runs `body` with the storage key.
        ///
        /// - Throws: ``HardwareKeyError/Obstacle/otherHardware`` where the one that is asked for cannot be had.
        func withStorageKey<R>(
            _ choice: StorageKeyChoice = .any, _ body: (TPMStorageKey) throws(HardwareKeyError) -> R
        ) throws(HardwareKeyError) -> R {
            let choice = choice == .any ? storageKeyName.map(StorageKeyChoice.named) ?? .any : choice
            if choice != .exactly(.transient), let key = try persistentStorageKey() {
                defer { close(key.handle) }
                if key.meets(choice) { return try body(key) }
            }
            guard choice != .exactly(.persistent) else { throw .unavailable(.otherHardware) }
            let key = try makeStorageKey()
            defer { flush(key.handle) }
            guard key.meets(choice) else { throw .unavailable(.otherHardware) }
            return try body(key)
        }

        private func persistentStorageKey() throws(HardwareKeyError) -> TPMStorageKey? {
            let persistent = TPMConstants.persistentStorageKey
            guard try handles(in: persistent...persistent) == [persistent] else { return nil }
            var handle: ESYS_TR = ESYS_TR_NONE
            try run("ReadPublic") {
                tss2.Esys_TR_FromTPMPublic(esys, persistent, ESYS_TR_NONE, ESYS_TR_NONE, ESYS_TR_NONE, &handle)
            }
            do throws(HardwareKeyError) {
                let bytes = try publicArea(of: handle)
                guard TPMPublicArea.point(of: bytes, after: TPMPublicArea.storageKeyHead) != nil
                else {
                    close(handle)
                    return nil
                }
                // Sessions are salted for the key that the handle was made of, so that one has to be the one looked at.
                let name = TPMPublicArea.name(of: bytes)
                guard try self.name(of: handle) == name else { throw .unavailable(.otherHardware) }
                return TPMStorageKey(handle: handle, name: name, kind: .persistent)
            } catch {
                close(handle)
                throw error
            }
        }

        private func makeStorageKey() throws(HardwareKeyError) -> TPMStorageKey {
            let key = try makePrimary(TPMPublicArea.storageKey, in: ESYS_TR_RH_OWNER, subject: .owner)
            return TPMStorageKey(handle: key.handle, name: key.name, kind: .transient)
        }

        /// The public area of a loaded object.
        ///
        /// - Parameter session: whose key proves who answers; none for what is believed.
        func publicArea(
            of handle: ESYS_TR, in session: ESYS_TR = ESYS_TR_NONE
        ) throws(HardwareKeyError) -> [UInt8] {
            var area: UnsafeMutablePointer<TPM2B_PUBLIC>?
            try run("ReadPublic") {
                tss2.Esys_ReadPublic(esys, handle, session, ESYS_TR_NONE, ESYS_TR_NONE, &area, nil, nil)
            }
            defer { tss2.Esys_Free(area) }
            guard let bytes = try area?.pointee.marshalled else {
                throw .unexpectedResponse(command: "ReadPublic", code: 0)
            }
            return bytes
        }

        /// Makes a key of a hierarchy, which is the same each time; the caller flushes it.
        func makePrimary(
            _ template: [UInt8], in hierarchy: ESYS_TR, subject: TPMResponse.Subject
        ) throws(HardwareKeyError) -> (handle: ESYS_TR, name: [UInt8]) {
            let nothing = try SecretStructure<TPM2B_SENSITIVE_CREATE>(auth: nil, data: nil)
            var template = try TPM2B_PUBLIC(marshalled: template)
            var outside = TPM2B_DATA()
            var registers = TPML_PCR_SELECTION()
            var handle: ESYS_TR = ESYS_TR_NONE
            var area: UnsafeMutablePointer<TPM2B_PUBLIC>?
            try run("CreatePrimary", on: subject) {
                tss2.Esys_CreatePrimary(
                    esys, hierarchy, ESYS_TR_PASSWORD, ESYS_TR_NONE, ESYS_TR_NONE, nothing.pointer, &template,
                    &outside, &registers, &handle, &area, nil, nil, nil)
            }
            defer { tss2.Esys_Free(area) }
            do throws(HardwareKeyError) {
                guard let bytes = try area?.pointee.marshalled else {
                    throw .unexpectedResponse(command: "CreatePrimary", code: 0)
                }
                return (handle, TPMPublicArea.name(of: bytes))
            } catch {
                flush(handle)
                throw error
            }
        }

        /// Forgets what the library knows of a persistent object; the TPM keeps it.
        func close(_ handle: ESYS_TR) {
            var handle = handle
            _ = tss2.Esys_TR_Close(esys, &handle)
        }
    }
#endif
