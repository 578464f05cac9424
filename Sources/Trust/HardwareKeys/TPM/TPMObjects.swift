#if canImport(CTSS2)
    import CTSS2
    import SecretMemory

    /// An object as it leaves the TPM: encrypted under the storage key.
    struct TPMObject: Hashable, Sendable {
        let privatePart: [UInt8]
        let publicArea: [UInt8]
    }

    extension TPMConnection {
        /// Makes an object under `parent`; its authorisation and content cross the bus encrypted.
        func create(
            _ template: [UInt8], sensitive: SecretStructure<TPM2B_SENSITIVE_CREATE>, under parent: TPMStorageKey
        ) throws(HardwareKeyError) -> TPMObject {
            let session = try startSalted(.hmac, with: parent.handle, encrypting: [.command, .response])
            defer { flush(session) }
            var template = try TPM2B_PUBLIC(marshalled: template)
            var outside = TPM2B_DATA()
            var registers = TPML_PCR_SELECTION()
            var privatePart: UnsafeMutablePointer<TPM2B_PRIVATE>?
            var publicPart: UnsafeMutablePointer<TPM2B_PUBLIC>?
            try run("Create", on: .storageKey) {
                tss2.Esys_Create(
                    esys, parent.handle, session, ESYS_TR_NONE, ESYS_TR_NONE, sensitive.pointer, &template, &outside,
                    &registers, &privatePart, &publicPart, nil, nil, nil)
            }
            defer {
                tss2.Esys_Free(privatePart)
                tss2.Esys_Free(publicPart)
            }
            guard let privatePart, let publicPart else { throw .unexpectedResponse(command: "Create", code: 0) }
            return TPMObject(privatePart: privatePart.pointee.bytes, publicArea: try publicPart.pointee.marshalled)
        }

        /// Runs `body` with an object loaded and authorised; both are taken back at its end.
        func withLoaded<R>(
            _ object: TPMObject, under parent: TPMStorageKey, auth: SecretBytes?,
            _ body: (ESYS_TR) throws(HardwareKeyError) -> R
        ) throws(HardwareKeyError) -> R {
            guard object.privatePart.count <= MemoryLayout<TPM2B_PRIVATE>.size - 2 else {
                throw .invalidArgument("a private part of \(object.privatePart.count) bytes is too long for a TPM")
            }
            let auth = try SecretStructure<TPM2B_AUTH>(auth)
            var privatePart = TPM2B_PRIVATE(bytes: object.privatePart)
            var publicPart = try TPM2B_PUBLIC(marshalled: object.publicArea)
            var handle: ESYS_TR = ESYS_TR_NONE
            try run("Load", on: .storageKey) {
                tss2.Esys_Load(
                    esys, parent.handle, ESYS_TR_PASSWORD, ESYS_TR_NONE, ESYS_TR_NONE, &privatePart, &publicPart,
                    &handle)
            }
            defer {
                forgetAuthorisation(of: handle)
                flush(handle)
            }
            guard try name(of: handle) == TPMPublicArea.name(of: object.publicArea) else {
                throw .unavailable(.otherHardware)
            }
            try authorise(handle, with: auth)
            return try body(handle)
        }

        /// The Name of what a handle stands for, as it comes of the public area that the TPM has shown.
        ///
        /// The codes of sessions are over the Name that was said beside that area, and nobody has signed either. So the
        /// two have to be one: else an answer with the area of one index and the Name of another would lead what
        /// follows to the other.
        ///
        /// - Throws: ``HardwareKeyError/Obstacle/otherHardware`` where they are two.
        func name(of handle: ESYS_TR) throws(HardwareKeyError) -> [UInt8] {
            var name: UnsafeMutablePointer<TPM2B_NAME>?
            try run("TR_GetName") { tss2.Esys_TR_GetName(esys, handle, &name) }
            defer { tss2.Esys_Free(name) }
            let computed = name?.pointee.bytes ?? []
            guard try saidName(of: handle) == computed else { throw .unavailable(.otherHardware) }
            return computed
        }

        /// The Name over which sessions make their codes: behind the handle's four bytes in what the library writes of
        /// it (tpm2-tss, `IESYS_RESOURCE`).
        private func saidName(of handle: ESYS_TR) throws(HardwareKeyError) -> [UInt8] {
            var start: UnsafeMutablePointer<UInt8>?
            var count = 0
            try run("TR_Serialize") { tss2.Esys_TR_Serialize(esys, handle, &start, &count) }
            defer { tss2.Esys_Free(start) }
            let bytes = Array(UnsafeBufferPointer(start: start, count: count)).dropFirst(4)
            guard bytes.count >= 2 else { return [] }
            return Array(bytes.dropFirst(2).prefix(Int(bytes[4]) << 8 | Int(bytes[5])))
        }
    }
#endif
