import KnownAnswers

/// What devices make, in the format of `data/appattest-gate`: the part of ``GateTopic`` that needs no gate.
package enum AppAttestTopic: Topic {
    package static let name = "appattest"
    package static let summary = "attestations, assertions and receipts of Apple's devices, and what must be refused"

    package static let lists: [any AnswerList.Type] = [
        DamagedAnswers.self, AttestationRefusals.self, AssertionRefusals.self, AttestationAnswers.self,
        AssertionAnswers.self, ReceiptAnswers.self, MintedAnswers.self,
    ]

    package static let tables: [String: @Sendable (AnswerFile, inout Report) throws -> Void] = [
        "fingerprints-sha256.txt": RootAnswers.check, ".pem": MintedKeyAnswers.check,
    ]
}
