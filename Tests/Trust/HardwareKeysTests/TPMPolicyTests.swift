import Foundation
import TestSupport
import Testing

@testable import HardwareKeys

@Suite("TPM policies")
struct TPMPolicyTests {
    @Test("names and digests are those that a TPM computed", arguments: 0..<4)
    func knownAnswers(number: Int) throws {
        let known = try Fixture.json("tpm-policy")["cases"][number]
        let counter = try UInt32(#require(known["counterIndex"].int))
        let pin = try UInt32(#require(known["pinIndex"].int))
        let value = try UInt64(#require(known["counterValue"].int))

        #expect(
            TPMIndex.counter(counter).attributes | TPMConstants.Index.written
                == UInt32(try #require(known["counterAttributes"].int)))
        #expect(TPMIndex.counter(counter).authPolicy == known["counterAuthPolicy"].hex)
        #expect(TPMIndex.counter(counter).name == known["counterName"].hex)
        #expect(
            TPMIndex.pin(pin).attributes | TPMConstants.Index.written
                == UInt32(try #require(known["pinAttributes"].int)))
        #expect(TPMIndex.pin(pin).authPolicy == known["pinAuthPolicy"].hex)
        #expect(TPMIndex.pin(pin).name == known["pinName"].hex)
        #expect(TPMPolicy.authorisation.digest == known["template1"].hex)
        #expect(TPMPolicy.counter(index: counter, value: value).digest == known["template2"].hex)
        #expect(TPMPolicy.limited(counter: counter, value: value, pin: pin, limit: 9).digest == known["template3"].hex)
    }
}
