#if canImport(CTSS2)
    import CTSS2

    /// Registers that the start of the machine is measured into.
    extension TPM {
        /// What registers hold now: what a TPM that is pinned says, and nobody else.
        ///
        /// - Throws: ``HardwareKeyError/invalidArgument(_:)`` for none, for registers that this TPM does not keep, and
        ///   for one into which nothing was measured: it would be the same on every machine that measures nothing,
        ///   whatever was started.
        package func registers(_ selection: TPMRegisterSelection) throws(HardwareKeyError) -> TPMRegisterState {
            guard !selection.isEmpty else { throw .invalidArgument("no register is named") }
            let values = try perform { (connection) throws(HardwareKeyError) in
                try connection.withProver { (parent) throws(HardwareKeyError) in
                    try connection.read(selection, provenBy: parent)
                }
            }
            for (number, value) in zip(selection.numbers, values) where value.allSatisfy({ $0 == 0 }) {
                throw .invalidArgument(
                    "nothing is measured into the TPM's register \(number) on this machine, so that binding to it would "
                        + "protect nothing")
            }
            return TPMRegisterState(selection, values: values)
        }
    }

    extension TPMConnection {
        /// The values, by ascending number. A TPM gives eight at a time.
        ///
        /// - Parameter parent: whose TPM alone can answer in a session that is salted with it; nil to believe anyone.
        fileprivate func read(
            _ selection: TPMRegisterSelection, provenBy parent: TPMStorageKey?
        ) throws(HardwareKeyError) -> [[UInt8]] {
            let proof = try parent.map { (parent) throws(HardwareKeyError) in
                try startSalted(.hmac, with: parent.handle, encrypting: .audit)
            }
            defer { if let proof { flush(proof) } }
            var left = selection
            var values: [[UInt8]] = []
            while !left.isEmpty {
                let part = try readSome(of: left, in: proof ?? ESYS_TR_NONE)
                guard let last = part.last?.number, part.map(\.number) == Array(left.numbers.prefix(part.count)) else {
                    throw .invalidArgument("this TPM keeps no SHA-256 registers \(left)")
                }
                values += part.map(\.value)
                left = TPMRegisterSelection(bitmap: left.numbers.filter { $0 > last }.reduce(0) { $0 | 1 << $1 })
            }
            return values
        }

        private func readSome(
            of selection: TPMRegisterSelection, in session: ESYS_TR
        ) throws(HardwareKeyError) -> [(number: Int, value: [UInt8])] {
            var wanted = TPML_PCR_SELECTION(selection)
            var counter: UInt32 = 0
            var given: UnsafeMutablePointer<TPML_PCR_SELECTION>?
            var digests: UnsafeMutablePointer<TPML_DIGEST>?
            try run("PCR_Read") {
                tss2.Esys_PCR_Read(esys, session, ESYS_TR_NONE, ESYS_TR_NONE, &wanted, &counter, &given, &digests)
            }
            defer {
                tss2.Esys_Free(given)
                tss2.Esys_Free(digests)
            }
            guard let given, let digests, given.pointee.count == 1 else { return [] }
            let select = given.pointee.pcrSelections.0.pcrSelect
            let numbers = TPMRegisterSelection(bitmap: UInt16(select.0) | UInt16(select.1) << 8).numbers
            let values = withUnsafeBytes(of: digests.pointee.digests) { raw in
                Array(raw.bindMemory(to: TPM2B_DIGEST.self).prefix(Int(digests.pointee.count)).map(\.bytes))
            }
            guard numbers.count == values.count, values.allSatisfy({ $0.count == TPMRegisterState.digestByteCount })
            else { return [] }
            return zip(numbers, values).map { (number: $0, value: $1) }
        }

        /// Shows a policy session that registers hold what they are to hold.
        func compare(_ registers: TPMRegisterState, in session: ESYS_TR) throws(HardwareKeyError) {
            var selection = TPML_PCR_SELECTION(registers.selection)
            var digest = TPM2B_DIGEST(bytes: registers.digest)
            try run("PolicyPCR", on: .registers(registers.selection)) {
                tss2.Esys_PolicyPCR(esys, session, ESYS_TR_NONE, ESYS_TR_NONE, ESYS_TR_NONE, &digest, &selection)
            }
        }
    }

    extension TPML_PCR_SELECTION {
        /// The selection of registers of the SHA-256 bank.
        fileprivate init(_ selection: TPMRegisterSelection) {
            self.init()
            count = 1
            pcrSelections.0.hash = TPMConstants.sha256
            pcrSelections.0.sizeofSelect = 3
            pcrSelections.0.pcrSelect.0 = UInt8(truncatingIfNeeded: selection.bitmap)
            pcrSelections.0.pcrSelect.1 = UInt8(truncatingIfNeeded: selection.bitmap >> 8)
        }
    }
#endif
