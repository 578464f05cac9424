import KnownAnswers

/// The format of `data/forcefield`. `conformance forcefield` runs this.
package enum ForceFieldTopic: Topic {
    package static let name = "forcefield"
    package static let summary =
        "codec, frames, violations, hashes, the filter, verdicts about workers, attempts to get out"

    package static let lists: [any AnswerList.Type] = [
        CodecAnswers.self, FrameAnswers.self, ViolationAnswers.self, HashAnswers.self,
    ]

    package static let tables: [String: @Sendable (AnswerFile, inout Report) throws -> Void] = [
        "termination_cases.tsv": TerminationAnswers.check, "seccomp_compute.tsv": FilterAnswers.check,
        "audit_probes.tsv": AuditAnswers.check, "swift_runtime_calls.tsv": RuntimeCallAnswers.check,
    ]
}
