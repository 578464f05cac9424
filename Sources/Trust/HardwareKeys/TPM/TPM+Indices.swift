#if canImport(CTSS2)
    import CTSS2
    import SecretMemory

    /// Counters and PIN indices.
    extension TPM {
        /// The indices of this room that are defined, of whichever vault.
        package func definedIndices() throws(HardwareKeyError) -> [UInt32] {
            try perform { (connection) throws(HardwareKeyError) in try connection.handles(in: TPMConstants.indices) }
        }

        /// Defines a counter that only goes up, whatever is deleted and defined again.
        ///
        /// - Parameters:
        ///   - auth: what incrementing takes; at most 32 bytes.
        ///   - intending: writes down the index that is going to be made: of one that a killed process made and did not
        ///     write to, ``undefineUnwritten(_:)`` takes it away again. Called once more where another process takes
        ///     that index first.
        ///   - defined: called when it is made, before anything is written to it.
        /// - Returns: its index, beside which a PIN index has room, and its first value.
        /// - Throws: ``HardwareKeyError/noNVSpace``
        package func defineCounter(
            auth: SecretBytes, intending: (UInt32) throws(HardwareKeyError) -> Void = { _ in },
            defined: (UInt32) throws(HardwareKeyError) -> Void = { _ in }
        ) throws(HardwareKeyError) -> (index: UInt32, value: UInt64) {
            try perform { (connection) throws(HardwareKeyError) in
                let index = try connection.define(auth: auth, intending: intending) {
                    (taken) throws(HardwareKeyError) in
                    let free = TPMConstants.indices.first {
                        $0 % 2 == 0 && !taken.contains($0) && !taken.contains($0 + 1)
                    }
                    guard let free else { throw .noNVSpace }
                    return .counter(free)
                }
                return try connection.undefining(
                    index,
                    unless: { () throws(HardwareKeyError) in
                        try defined(index.handle)
                        // A counter has no value until it is incremented.
                        try connection.increment(index, auth: auth)
                        let value = try connection.withStorageKey { (parent) throws(HardwareKeyError) in
                            try connection.readCounter(index, provenBy: parent)
                        }
                        return (index.handle, value)
                    })
            }
        }

        /// - Throws: ``HardwareKeyError/dead(index:)``, of a TPM that is pinned only where that one says so.
        package func readCounter(_ index: UInt32) throws(HardwareKeyError) -> UInt64 {
            try perform { (connection) throws(HardwareKeyError) in
                try connection.withProver { (parent) throws(HardwareKeyError) in
                    do throws(HardwareKeyError) {
                        return try connection.readCounter(.counter(index), provenBy: parent)
                    } catch {
                        if case .dead = error, let parent {
                            try connection.proveAbsence(of: .counter(index), by: parent)
                        }
                        throw error
                    }
                }
            }
        }

        /// Counts up, which makes every blob bound to the value before useless for ever.
        ///
        /// That it returns is proof that the counter moved. That it throws proves nothing, for whoever sits on the bus
        /// can put an error in place of the answer: ``readCounter(_:)`` of a TPM that is pinned tells.
        ///
        /// - Throws: ``HardwareKeyError/wrongCredential``, ``HardwareKeyError/dead(index:)``
        package func incrementCounter(_ index: UInt32, auth: SecretBytes) throws(HardwareKeyError) {
            try perform { (connection) throws(HardwareKeyError) in
                try connection.increment(.counter(index), auth: auth)
            }
        }

        /// Defines an index that refuses every authorisation, for ever, after `limit` wrong ones in a row.
        ///
        /// - Parameters:
        ///   - auth: the authorisation; at most 32 bytes.
        ///   - limit: wrong attempts allowed, from 1.
        ///   - counter: of the same vault: the index beside it is taken where it is free.
        ///   - intending: as for ``defineCounter(auth:intending:defined:)``.
        ///   - defined: the same.
        /// - Throws: ``HardwareKeyError/noNVSpace``
        package func definePINIndex(
            auth: SecretBytes, limit: UInt32, beside counter: UInt32? = nil,
            intending: (UInt32) throws(HardwareKeyError) -> Void = { _ in },
            defined: (UInt32) throws(HardwareKeyError) -> Void = { _ in }
        ) throws(HardwareKeyError) -> UInt32 {
            guard limit > 0 else { throw .invalidArgument("a PIN index needs at least one attempt") }
            return try perform { (connection) throws(HardwareKeyError) in
                let index = try connection.define(auth: auth, intending: intending) {
                    (taken) throws(HardwareKeyError) in
                    let odd = TPMConstants.indices.filter { $0 % 2 == 1 && !taken.contains($0) }
                    let neighbour = counter.flatMap { counter in odd.first { $0 == counter | 1 } }
                    guard let free = neighbour ?? odd.first else { throw .noNVSpace }
                    return .pin(free)
                }
                return try connection.undefining(
                    index,
                    unless: { () throws(HardwareKeyError) in
                        try defined(index.handle)
                        try connection.withStorageKey { (parent) throws(HardwareKeyError) in
                            try connection.writeLimit(limit, to: index, provenBy: parent)
                            // Nothing else says what the limit is: policies know the index, and not what it holds.
                            guard try connection.read(index, provenBy: parent) == TPMIndex.content(limit: limit) else {
                                throw .unexpectedResponse(command: "NV_Write", code: 0)
                            }
                        }
                        return index.handle
                    })
            }
        }

        /// How many wrong attempts in a row a PIN index has seen, and how many it allows.
        ///
        /// - Throws: ``HardwareKeyError/dead(index:)``
        package func pinAttempts(_ index: UInt32) throws(HardwareKeyError) -> (wrong: UInt32, limit: UInt32) {
            try perform { (connection) throws(HardwareKeyError) in
                let bytes = try connection.withProver { (parent) throws(HardwareKeyError) in
                    try connection.read(.pin(index), provenBy: parent)
                }
                return (
                    bytes.prefix(4).reduce(0) { $0 << 8 | UInt32($1) },
                    bytes.suffix(4).reduce(0) { $0 << 8 | UInt32($1) }
                )
            }
        }

        /// Deletes an index of this room; what was sealed with it is lost.
        ///
        /// - Throws: ``HardwareKeyError/dead(index:)`` if it is not there, of a TPM that is pinned only where that one
        ///   says so.
        package func undefine(_ index: UInt32) throws(HardwareKeyError) {
            try Self.checkIsOwn(index)
            try perform { (connection) throws(HardwareKeyError) in
                try connection.withProver { (parent) throws(HardwareKeyError) in
                    do throws(HardwareKeyError) { try connection.undefine(index) } catch {
                        if case .dead = error, let parent, try connection.isDefined(index, provenBy: parent) {
                            throw .unexpectedResponse(command: "NV_ReadPublic", code: 0)
                        }
                        throw error
                    }
                }
            }
        }

        /// Deletes an index of this room to which nothing was ever written, if there is one: nobody depends on it.
        ///
        /// - Returns: whether there is none now. One that was written to stays: nothing tells whose it is.
        package func undefineUnwritten(_ index: UInt32) throws(HardwareKeyError) -> Bool {
            try Self.checkIsOwn(index)
            let unwritten: TPMIndex = index.isMultiple(of: 2) ? .counter(index) : .pin(index)
            return try perform { (connection) throws(HardwareKeyError) in
                do throws(HardwareKeyError) {
                    try connection.undefine(index, named: unwritten.unwrittenName)
                    return true
                } catch {
                    guard case .dead = error else { throw error }
                    return try connection.withStorageKey { (parent) throws(HardwareKeyError) in
                        try !connection.isDefined(index, provenBy: parent)
                    }
                }
            }
        }

        private static func checkIsOwn(_ index: UInt32) throws(HardwareKeyError) {
            guard TPMConstants.indices.contains(index) else {
                throw .invalidArgument("the index 0x\(String(index, radix: 16)) is not one of this program")
            }
        }
    }

    extension TPMConnection {
        /// Defines an index at a handle that `choose` picks, knowing those that are taken, and that `intending` is told
        /// before. Another process may take the same one first; then it picks again.
        fileprivate func define(
            auth: SecretBytes, attempts: Int = 4, intending: (UInt32) throws(HardwareKeyError) -> Void,
            _ choose: ([UInt32]) throws(HardwareKeyError) -> TPMIndex
        ) throws(HardwareKeyError) -> TPMIndex {
            // Nothing is loaded here: killed while that is written down, a process leaves nothing in the TPM.
            let index = try choose(try handles(in: TPMConstants.indices))
            try intending(index.handle)
            do throws(HardwareKeyError) { try define(index, auth: auth) } catch {
                guard case .unexpectedResponse(_, TPMResponse.indexDefined) = error, attempts > 1 else { throw error }
                return try define(auth: auth, attempts: attempts - 1, intending: intending, choose)
            }
            return index
        }

        private func define(_ index: TPMIndex, auth: SecretBytes) throws(HardwareKeyError) {
            let auth = try SecretStructure<TPM2B_AUTH>(auth)
            try withStorageKey { (parent) throws(HardwareKeyError) in
                let session = try startSalted(.hmac, with: parent.handle, encrypting: .command)
                defer { flush(session) }
                var area = try TPM2B_NV_PUBLIC(marshalled: index.publicArea)
                var handle: ESYS_TR = ESYS_TR_NONE
                try run("NV_DefineSpace", on: .owner) {
                    tss2.Esys_NV_DefineSpace(
                        esys, ESYS_TR_RH_OWNER, session, ESYS_TR_NONE, ESYS_TR_NONE, auth.pointer, &area, &handle)
                }
                forgetAuthorisation(of: handle)
                close(handle)
            }
        }

        /// Takes a new index away again if it cannot be completed.
        fileprivate func undefining<R>(
            _ index: TPMIndex, unless body: () throws(HardwareKeyError) -> R
        ) throws(HardwareKeyError) -> R {
            do throws(HardwareKeyError) { return try body() } catch {
                try? undefine(index.handle)
                throw error
            }
        }

        /// - Parameter expected: the Name that it has to have; nil for any.
        fileprivate func undefine(_ index: UInt32, named expected: [UInt8]? = nil) throws(HardwareKeyError) {
            try withStorageKey { (parent) throws(HardwareKeyError) in
                let handle = try open(.index(index), at: index)
                // The library forgets the index itself where this succeeds.
                do throws(HardwareKeyError) {
                    if let expected, try name(of: handle) != expected { throw .dead(index: index) }
                    // Salted: that it is gone is believed from the TPM only, and of the index that was opened.
                    let session = try startSalted(.hmac, with: parent.handle, encrypting: [])
                    defer { flush(session) }
                    try run("NV_UndefineSpace", on: .owner) {
                        tss2.Esys_NV_UndefineSpace(
                            esys, ESYS_TR_RH_OWNER, handle, session, ESYS_TR_NONE, ESYS_TR_NONE)
                    }
                } catch {
                    close(handle)
                    throw error
                }
            }
        }

        fileprivate func increment(_ index: TPMIndex, auth: SecretBytes) throws(HardwareKeyError) {
            let auth = try SecretStructure<TPM2B_AUTH>(auth)
            try withStorageKey { (parent) throws(HardwareKeyError) in
                try withIndex(index.handle) { (handle) throws(HardwareKeyError) in
                    let session = try startSalted(.hmac, with: parent.handle, encrypting: [])
                    defer { flush(session) }
                    try authorise(handle, with: auth)
                    defer { forgetAuthorisation(of: handle) }
                    try run("NV_Increment", on: .index(index.handle)) {
                        tss2.Esys_NV_Increment(esys, handle, handle, session, ESYS_TR_NONE, ESYS_TR_NONE)
                    }
                }
            }
        }

        /// Runs `body` with the storage key of the TPM that has to be the one that answers; with none where any may.
        func withProver<R>(
            _ body: (TPMStorageKey?) throws(HardwareKeyError) -> R
        ) throws(HardwareKeyError) -> R {
            guard storageKeyName != nil else { return try body(nil) }
            return try withStorageKey { (parent) throws(HardwareKeyError) in try body(parent) }
        }

        fileprivate func readCounter(
            _ index: TPMIndex, provenBy parent: TPMStorageKey?
        ) throws(HardwareKeyError) -> UInt64 {
            let value = try read(index, provenBy: parent).reduce(0) { $0 << 8 | UInt64($1) }
            let values = TPMConstants.counterValues
            // The last one has no next one, to which something could be bound.
            guard values.contains(value), value < values.upperBound else {
                throw .unexpectedResponse(command: "NV_Read", code: 0)
            }
            return value
        }

        /// The eight bytes of an index, which anyone may read.
        ///
        /// An index of another kind at the same handle, which whoever owns the TPM can define, is not it. The Name is
        /// that of the very index that is read, and the session's code is over it: what is opened twice could be two.
        ///
        /// - Parameter parent: whose TPM alone can answer in a session that is salted with it; nil to believe anyone.
        fileprivate func read(
            _ index: TPMIndex, provenBy parent: TPMStorageKey?
        ) throws(HardwareKeyError) -> [UInt8] {
            try withIndex(index.handle) { (handle) throws(HardwareKeyError) in
                guard try name(of: handle) == index.name else { throw .dead(index: index.handle) }
                let proof = try parent.map { (parent) throws(HardwareKeyError) in
                    try startSalted(.hmac, with: parent.handle, encrypting: .response)
                }
                defer { if let proof { flush(proof) } }
                let session = try session(meeting: TPMConstants.Command.nvRead, of: index)
                defer { flush(session) }
                var content: UnsafeMutablePointer<TPM2B_MAX_NV_BUFFER>?
                try run("NV_Read", on: .index(index.handle)) {
                    tss2.Esys_NV_Read(
                        esys, handle, handle, session, proof ?? ESYS_TR_NONE, ESYS_TR_NONE, TPMIndex.size, 0,
                        &content)
                }
                defer { tss2.Esys_Free(content) }
                guard let bytes = content?.pointee.bytes, bytes.count == Int(TPMIndex.size) else {
                    throw .unexpectedResponse(command: "NV_Read", code: 0)
                }
                return bytes
            }
        }

        /// Whether there is an index at a handle, by a session that only the TPM of `parent` can answer in.
        fileprivate func isDefined(_ index: UInt32, provenBy parent: TPMStorageKey) throws(HardwareKeyError) -> Bool {
            let session = try startSalted(.hmac, with: parent.handle, encrypting: .audit)
            defer { flush(session) }
            return try !handles(in: index...index, in: session).isEmpty
        }

        /// Asks once more, in a session that only the TPM of `parent` can answer in, for an index that is said not to
        /// be there, or to be of another kind.
        ///
        /// - Throws: ``HardwareKeyError/unexpectedResponse(command:code:)`` if it is there.
        fileprivate func proveAbsence(of index: TPMIndex, by parent: TPMStorageKey) throws(HardwareKeyError) {
            guard try isDefined(index.handle, provenBy: parent) else { return }
            let session = try startSalted(.hmac, with: parent.handle, encrypting: .audit)
            defer { flush(session) }
            let isOther = try? withIndex(index.handle) { (handle) throws(HardwareKeyError) in
                // The session's code is over the Name that is claimed.
                try run("NV_ReadPublic", on: .index(index.handle)) {
                    tss2.Esys_NV_ReadPublic(esys, handle, session, ESYS_TR_NONE, ESYS_TR_NONE, nil, nil)
                }
                return try name(of: handle) != index.name
            }
            guard isOther == true else { throw .unexpectedResponse(command: "NV_ReadPublic", code: 0) }
        }

        /// Writes a PIN index, which its policy allows once: no attempt used, of `limit`.
        ///
        /// - Parameter parent: with which the session is salted: without a key anybody could change the limit on the
        ///   way.
        fileprivate func writeLimit(
            _ limit: UInt32, to index: TPMIndex, provenBy parent: TPMStorageKey
        ) throws(HardwareKeyError) {
            try withIndex(index.handle) { (handle) throws(HardwareKeyError) in
                let session = try session(
                    meeting: TPMConstants.Command.nvWrite, of: index, saltedWith: parent.handle)
                defer { flush(session) }
                var content = TPM2B_MAX_NV_BUFFER(bytes: TPMIndex.content(limit: limit))
                try run("NV_Write", on: .index(index.handle)) {
                    tss2.Esys_NV_Write(esys, handle, handle, session, ESYS_TR_NONE, ESYS_TR_NONE, &content, 0)
                }
            }
        }

        /// Runs `body` with an index that has to be defined.
        func withIndex<R>(
            _ index: UInt32, _ body: (ESYS_TR) throws(HardwareKeyError) -> R
        ) throws(HardwareKeyError) -> R {
            let handle = try open(.index(index), at: index)
            defer { close(handle) }
            return try body(handle)
        }

        private func open(_ subject: TPMResponse.Subject, at index: UInt32) throws(HardwareKeyError) -> ESYS_TR {
            var handle: ESYS_TR = ESYS_TR_NONE
            try run("NV_ReadPublic", on: subject) {
                tss2.Esys_TR_FromTPMPublic(esys, index, ESYS_TR_NONE, ESYS_TR_NONE, ESYS_TR_NONE, &handle)
            }
            do throws(HardwareKeyError) { _ = try name(of: handle) } catch {
                close(handle)
                throw error
            }
            return handle
        }
    }
#endif
