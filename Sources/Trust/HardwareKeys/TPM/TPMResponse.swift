/// What the response codes of a TPM mean here.
///
/// Source: `mainkey` section 17 (table), `vigil` section 5.2 (response codes).
package enum TPMResponse {
    package static let alreadyStarted: UInt32 = 0x100
    /// The codes for a command to be sent again: retry, yielded, testing.
    static let retry: Set<UInt32> = [0x922, 0x908, 0x90a]
    static let indexDefined: UInt32 = 0x14c
    /// No memory, or no handle, for one more object or session: a TPM without a resource manager keeps what killed
    /// programs had loaded. That is no reason to take a weaker key, as that there is no TPM is.
    static let full: ClosedRange<UInt32> = 0x902...0x906

    /// The answer did not come in time: a code of ``SoftwareTPMTransport`` among the library's for its transports. That
    /// is no reason to take a weaker key either: the TPM was there.
    static let silent: UInt32 = 0xa_ffff

    /// What a command was about.
    package enum Subject: Equatable {
        case object
        case owner
        /// The storage key, while something is made or loaded under it.
        case storageKey
        case index(UInt32)
        case pinIndex(UInt32)
        case registers(TPMRegisterSelection)
    }

    package enum Meaning: Equatable {
        case known(HardwareKeyError)
        /// The TPM has to be asked for how long.
        case lockout
        /// The bytes did not get through.
        case transport
        case unknown
    }

    /// Whether a response finds fault with what the command was given: format 1, of the TPM itself. That it has no
    /// memory or is busy, and what a layer in between says, is not about that.
    package static func findsFault(_ code: UInt32) -> Bool { code >> 16 == 0 && code & 0x80 != 0 }

    /// Whether the TPM itself refuses a command for good: no layer in between, and no warning that it cannot do it now.
    package static func refuses(_ code: UInt32) -> Bool {
        findsFault(code) || code >> 16 == 0 && code & 0x900 == 0x100
    }

    package static func meaning(of code: UInt32, on subject: Subject) -> Meaning {
        let layer = code >> 16
        if layer != 0 { return layer == 0xa && code != silent ? .transport : .unknown }
        // Format 1 carries which handle, parameter or session is meant; what is wrong with it are these bits.
        let problem = code & 0x80 != 0 ? code & 0xbf : code
        switch (problem, subject) {
        case (0x101, _): return .known(.unavailable(.failureMode))
        case (0x921, _): return .lockout
        case (0x14b, _): return .known(.noNVSpace)
        case (0x126, _), (0x9d, _): return .known(.rolledBack)
        // The digest is another; or the registers were extended between two commands of one session.
        case (0x84, .registers(let selection)), (0x128, .registers(let selection)):
            return .known(.registersChanged(selection))
        case (0x12f, .pinIndex): return .known(.exhausted)
        case (0x8e, .owner), (0xa2, .owner): return .known(.unavailable(.ownerAuthorisationSet))
        // It has none of ours: somebody made another key in its place, or set one.
        case (0x8e, .storageKey), (0xa2, .storageKey): return .known(.unavailable(.storageKeyAuthorisationSet))
        case (0x8e, _), (0xa2, _): return .known(.wrongCredential)
        case (0x8b, .index(let handle)), (0x8b, .pinIndex(let handle)): return .known(.dead(index: handle))
        case (0x9f, .storageKey): return .known(.unavailable(.otherHardware))
        default: return .unknown
        }
    }
}
