/// What a TPM says about itself, for a judgement of how well it guards a PIN.
///
/// Source: `mainkey` section 17.
package struct TPMProperties: Hashable, Sendable {
    /// The manufacturer in four letters, such as `IBM ` for the software TPM.
    package let manufacturer: String
    /// The number of wrong authorisations that are not forgiven yet.
    package let lockoutCounter: UInt32
    /// The number of wrong authorisations at which the TPM locks.
    package let maxAuthFail: UInt32
    /// Seconds after which one wrong authorisation is forgiven.
    package let lockoutInterval: UInt32
    /// Seconds after which a failed use of the lockout authorisation is forgiven.
    package let lockoutRecovery: UInt32
    package let ownerAuthSet: Bool
    package let endorsementAuthSet: Bool
    /// Whether the lockout authorisation is set. Where it is not, root or another system that is booted resets the
    /// lockout, and so guesses without limit.
    package let lockoutAuthSet: Bool
    package let inLockout: Bool

    enum Number {
        static let manufacturer: UInt32 = 0x105
        static let permanent: UInt32 = 0x200
        static let lockoutCounter: UInt32 = 0x20e
        static let maxAuthFail: UInt32 = 0x20f
        static let lockoutInterval: UInt32 = 0x210
        static let lockoutRecovery: UInt32 = 0x211
    }
}

#if canImport(CTSS2)
    import CTSS2

    extension TPM {
        /// - Throws: ``HardwareKeyError/unavailable(_:)``
        package func properties() throws(HardwareKeyError) -> TPMProperties {
            try perform { (connection) throws(HardwareKeyError) in
                let permanent = try connection.property(TPMProperties.Number.permanent)
                let manufacturer = try connection.property(TPMProperties.Number.manufacturer)
                return TPMProperties(
                    manufacturer: String(
                        decoding: withUnsafeBytes(of: manufacturer.bigEndian) { $0.filter { $0 != 0 } }, as: UTF8.self),
                    lockoutCounter: try connection.property(TPMProperties.Number.lockoutCounter),
                    maxAuthFail: try connection.property(TPMProperties.Number.maxAuthFail),
                    lockoutInterval: try connection.property(TPMProperties.Number.lockoutInterval),
                    lockoutRecovery: try connection.property(TPMProperties.Number.lockoutRecovery),
                    ownerAuthSet: permanent & 1 != 0,
                    endorsementAuthSet: permanent & 1 << 1 != 0,
                    lockoutAuthSet: permanent & 1 << 2 != 0,
                    inLockout: permanent & 1 << 9 != 0)
            }
        }
    }

    extension TPMConnection {
        func property(_ number: UInt32) throws(HardwareKeyError) -> UInt32 {
            let answer = try capability(6, from: number, count: 1) { $0.tpmProperties.tpmProperty.0 }
            guard answer.property == number else {
                throw .unexpectedResponse(command: "GetCapability", code: number)
            }
            return answer.value
        }

        func supportsP256() throws(HardwareKeyError) -> Bool {
            try capability(8, from: 0, count: 64) { (data: TPMU_CAPABILITIES) in
                let curves = data.eccCurves
                return withUnsafeBytes(of: curves.eccCurves) {
                    $0.bindMemory(to: UInt16.self).prefix(Int(curves.count)).contains(0x0003)
                }
            }
        }

        /// The handles of a range that something is defined at.
        ///
        /// - Parameter session: whose key proves who answers; none for what is believed.
        func handles(
            in range: ClosedRange<UInt32>, in session: ESYS_TR = ESYS_TR_NONE
        ) throws(HardwareKeyError) -> [UInt32] {
            try Self.handles(in: range) { (first) throws(HardwareKeyError) in
                try capability(1, from: first, count: Self.pageSize, in: session) { (data: TPMU_CAPABILITIES) in
                    let handles = data.handles
                    return withUnsafeBytes(of: handles.handle) {
                        Array($0.bindMemory(to: UInt32.self).prefix(Int(handles.count)))
                    }
                }
            }
        }

        /// How many handles are asked for at a time.
        static let pageSize: UInt32 = 64

        /// The handles of a range, page by page; it ends whatever the pages hold.
        ///
        /// - Parameter page: those from a handle on, which may go beyond the range.
        static func handles(
            in range: ClosedRange<UInt32>, page: (_ first: UInt32) throws(HardwareKeyError) -> [UInt32]
        ) throws(HardwareKeyError) -> [UInt32] {
            var found: [UInt32] = []
            var next = range.lowerBound
            while true {
                let page = try page(next)
                found += page.filter(range.contains)
                guard let last = page.last, page.count == pageSize, last >= next, last < range.upperBound else {
                    return found
                }
                next = last + 1
            }
        }

        private func capability<R>(
            _ capability: UInt32, from first: UInt32, count: UInt32, in session: ESYS_TR = ESYS_TR_NONE,
            _ read: (TPMU_CAPABILITIES) -> R
        ) throws(HardwareKeyError) -> R {
            var more: TPMI_YES_NO = 0
            var data: UnsafeMutablePointer<TPMS_CAPABILITY_DATA>?
            try run("GetCapability") {
                tss2.Esys_GetCapability(
                    esys, session, ESYS_TR_NONE, ESYS_TR_NONE, capability, first, count, &more, &data)
            }
            defer { tss2.Esys_Free(data) }
            guard let data else { throw .unexpectedResponse(command: "GetCapability", code: 0) }
            return read(data.pointee.data)
        }
    }
#endif
