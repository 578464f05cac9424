import Testing

@testable import SignerCore

/// Every code of `signer-product` section 9, provoked by what a person, a wallet or a publisher could send.
@Suite("Codes of errors")
struct ErrorCodeTests {
    /// Codes that this vault cannot come to, with why.
    static let unreachable: [ErrorCode: String] = [
        .mutexPoisoned: "A crash inside an action ends the process here: no later action finds the state half done.",
        .qrTooLarge: "What does not fit one code is shown as a moving one, which holds 2 GiB.",
        .credentialsDiffer: "Whoever asks for a credential twice compares the two: the terminal as secretsDiffer.",
    ]

    static let provocations =
        Provocation.ofPayloads + Provocation.ofMetadata + Provocation.ofUpdates + Provocation.ofKeys
        + Provocation.ofSigning + Provocation.ofVault

    @Test("an error has its code, its parameters and a text that says what to do", arguments: provocations)
    func provoked(_ provocation: Provocation) throws {
        let failure = try provocation.provoke()
        #expect(failure.code == provocation.code.name)
        var expected = provocation.parameters
        for (name, value) in expected where value == Provocation.anything {
            expected[name] = failure.parameters[name]
            #expect(failure.parameters[name]?.isEmpty == false, "\(provocation.code.name) \(name)")
        }
        #expect(failure.parameters == expected, "\(provocation.code.name)")
        #expect(failure.text.count >= 20 && !failure.text.contains("Internal"))
        for value in [Provocation.password, TestCore.phrase] { #expect(!failure.text.contains(value)) }
    }

    @Test("every code is provoked, or said to be out of reach")
    func complete() {
        let provoked = Set(Self.provocations.map(\.code))
        let missing = ErrorCode.allCases.filter { !provoked.contains($0) && Self.unreachable[$0] == nil }
        #expect(missing == [])
        #expect(provoked.isDisjoint(with: Self.unreachable.keys))
        #expect(ErrorCode.allCases.count == 101)
    }

    @Test("two codes never have one name, and what is spelled otherwise elsewhere is no code of the list")
    func names() {
        #expect(Set(ErrorCode.allCases.map(\.name)).count == ErrorCode.allCases.count)
        let names = Set(ErrorCode.allCases.map(\.name))
        #expect(ErrorCode.spellings.keys.filter { names.contains($0) } == [])
    }
}
