#if canImport(CTSS2)
    import Synchronization

    /// The TPM at an address.
    ///
    /// Every operation opens the device, and closes it with everything flushed: several processes can share a software
    /// TPM, which serves one at a time, and no key stays loaded between uses. Operations of one process wait for each
    /// other, whichever value of this type they use.
    ///
    ///     let tpm = try TPM(at: .standard)
    ///     let counter = try tpm.defineCounter(auth: key)
    ///     let blob = try tpm.seal(secret, auth: pin, policy: .counter(index: counter.index, value: counter.value))
    ///
    /// Source: `mainkey` section 17, `vigil` section 5.2.
    package final class TPM: Sendable {
        package let address: TPMAddress
        /// The storage key that every session is salted with; nil for the one that answers.
        package let storageKeyName: [UInt8]?

        /// How long each answer of one that is reached by a socket may take.
        private let limit: Duration

        private static let oneAtATime = Mutex(())

        /// Asks the TPM at `address` whether it is there and does what this room needs.
        ///
        /// - Parameters:
        ///   - greetingLimit: how long one that is a program may take for that; the slowest TPMs take two minutes for a
        ///     command.
        ///   - limit: how long each of its answers may take then.
        /// - Throws: ``HardwareKeyError/unavailable(_:)``
        package init(
            at address: TPMAddress, within greetingLimit: Duration = .seconds(180),
            answersWithin limit: Duration = .seconds(180)
        ) throws(HardwareKeyError) {
            self.address = address
            self.limit = limit
            storageKeyName = nil
            guard address.isSoftware else {
                try perform(TPM.greet)
                return
            }
            // Without the lock, which a silent one would keep from all others: nothing is loaded.
            try SoftwareTPMGreeting.run(at: address, within: greetingLimit) {
                Result { () throws(HardwareKeyError) -> Void in
                    let connection = try TPMConnection(to: address, within: nil)
                    defer { connection.close() }
                    try TPM.greet(connection)
                }
            }
        }

        private static func greet(_ connection: TPMConnection) throws(HardwareKeyError) {
            try connection.start()
            guard try connection.supportsP256() else { throw .unavailable(.noP256) }
        }

        private init(pinning tpm: TPM, to storageKeyName: [UInt8]) {
            address = tpm.address
            limit = tpm.limit
            self.storageKeyName = storageKeyName
        }

        /// The same TPM, which gets nothing that is secret unless it has the storage key of this Name.
        ///
        /// Without that a session is salted with whatever key answers first, and who sits on the bus could answer: with
        /// a pinned one nobody else learns what is encrypted in a session, nor makes an answer in it, also one that
        /// says what an index holds.
        package func pinned(to storageKeyName: [UInt8]) -> TPM { TPM(pinning: self, to: storageKeyName) }

        /// Runs an operation on a connection of its own, when no other runs in this process.
        func perform<R: Sendable>(
            _ operation: (TPMConnection) throws(HardwareKeyError) -> R
        ) throws(HardwareKeyError) -> R {
            try Self.oneAtATime.withLock { (_) throws(HardwareKeyError) in
                let connection = try TPMConnection(to: address, storageKeyName: storageKeyName, within: limit)
                defer { connection.close() }
                return try operation(connection)
            }
        }
    }
#endif
