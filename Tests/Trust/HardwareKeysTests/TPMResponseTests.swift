import Testing

@testable import HardwareKeys

@Suite("Response codes")
struct TPMResponseTests {
    @Test(
        "each code means what the table says",
        arguments: [
            (0x98e, TPMResponse.Subject.object, TPMResponse.Meaning.known(.wrongCredential)),
            (0x9a2, .pinIndex(1), .known(.wrongCredential)),
            (0x9a2, .index(1), .known(.wrongCredential)),
            (0x9a2, .owner, .known(.unavailable(.ownerAuthorisationSet))),
            (0x921, .object, .lockout),
            (0x12f, .pinIndex(1), .known(.exhausted)),
            (0x12f, .object, .unknown),
            (0x126, .index(1), .known(.rolledBack)),
            (0x99d, .object, .known(.rolledBack)),
            (0x18b, .index(7), .known(.dead(index: 7))),
            (0x18b, .pinIndex(8), .known(.dead(index: 8))),
            (0x18b, .object, .unknown),
            (0x101, .object, .known(.unavailable(.failureMode))),
            (0x14b, .owner, .known(.noNVSpace)),
            (0x1df, .storageKey, .known(.unavailable(.otherHardware))),
            (0x9a2, .storageKey, .known(.unavailable(.storageKeyAuthorisationSet))),
            (0x98e, .storageKey, .known(.unavailable(.storageKeyAuthorisationSet))),
            (0x902, .object, .unknown),
            (0xa_000a, .object, .transport),
            (0xa_ffff, .object, .unknown),
            (0x7_000b, .object, .unknown),
        ] as [(UInt32, TPMResponse.Subject, TPMResponse.Meaning)])
    func table(code: UInt32, subject: TPMResponse.Subject, meaning: TPMResponse.Meaning) {
        #expect(TPMResponse.meaning(of: code, on: subject) == meaning)
    }

    @Test(
        "of a TPM that is full it is told how to empty it",
        arguments: [
            (0x902, true), (0x903, true), (0x904, true), (0x905, true), (0x906, true), (0x901, false), (0x907, false),
        ] as [(UInt32, Bool)])
    func full(code: UInt32, isFull: Bool) {
        let text = "\(HardwareKeyError.unexpectedResponse(command: "CreatePrimary", code: code))"
        #expect(text.contains("tpm2_flushcontext -t") == isFull && text.contains("CreatePrimary"), "\(text)")
    }

    @Test(
        "what a TPM refuses for good is told from what it cannot do now, and from what a layer in between says",
        arguments: [
            (0x182, true), (0x9a2, true), (0x12f, true), (0x14b, true), (0x922, false), (0x902, false),
            (0xa_000a, false), (0xa_ffff, false), (0x7_0182, false),
        ] as [(UInt32, Bool)])
    func refuses(code: UInt32, isForGood: Bool) {
        #expect(TPMResponse.refuses(code) == isForGood)
    }

    #if canImport(CTSS2)
        @Test("a list of handles ends, whatever its pages hold")
        func handles() throws {
            let range: ClosedRange<UInt32> = 0x0180_4d00...0x0180_4dff
            let full = (range.lowerBound..<range.lowerBound + 63).map { $0 }
            for (last, asked) in [(UInt32.max, 1), (range.upperBound, 1), (0, 1), (range.lowerBound + 63, 2)] {
                var count = 0
                let found = try TPMConnection.handles(in: range) { (first) throws(HardwareKeyError) in
                    count += 1
                    return first == range.lowerBound ? full + [last] : [first]
                }
                #expect(count == asked && found.starts(with: full) && found.allSatisfy(range.contains))
            }
        }
    #endif

    @Test(
        "only a fault of what was given tells that another TPM made it",
        arguments: [
            (0x1df, true), (0x2c5, true), (0x902, false), (0x904, false), (0x920, false), (0x921, false),
            (0x101, false), (0x7_000b, false), (0x8_00df, false), (0xb_01df, false),
        ] as [(UInt32, Bool)])
    func faults(code: UInt32, finds: Bool) {
        #expect(TPMResponse.findsFault(code) == finds)
    }
}
