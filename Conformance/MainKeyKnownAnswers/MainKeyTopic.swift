import KnownAnswers
import SecretMemory

/// The format of `data/mainkey`. `conformance mainkey` and `mainkey selftest vectors` run this.
package enum MainKeyTopic: Topic {
    package static let name = "mainkey"
    package static let summary = "key files, slots, sealed values, encrypted files, pins"

    package static let lists: [any AnswerList.Type] = [
        Argon2idAnswers.self, SubkeyAnswers.self, SlotAnswers.self, KeyFileAnswers.self, SealedAnswers.self,
        BlindIndexAnswers.self, FileAnswers.self, AttemptAnswers.self, RecoveryAnswers.self, AutolockAnswers.self,
        PINPolicyAnswers.self, CalibrationAnswers.self, TPMPolicyAnswers.self, TPMVaultAnswers.self, PinAnswers.self,
        KeymakerAnswers.self, SampleVaultAnswers.self, WycheproofAnswers.self,
    ]

    package static let tables: [String: @Sendable (AnswerFile, inout Report) throws -> Void] = [
        "pin-blocklist.txt": PINBlockListAnswers.check, ".key.pem": CertificateKeyAnswers.check,
    ]

    package static func start() throws { try Sodium.start() }
}
