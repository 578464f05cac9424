import HotSideKnownAnswers
import KnownAnswers

/// Payloads, SCALE, metadata, cards: the format of `data/signer-wire`.
enum WireTopic: Topic {
    static let name = "wire"
    static let summary = "payloads, SCALE, metadata, cards"

    static let lists: [any AnswerList.Type] =
        [
            CompactCheck.self, EraCheck.self, BalanceCheck.self, MetadataIndexCheck.self, TypesCheck.self,
            DecodeCheck.self, NetworksCheck.self, AddressesCheck.self, SignatureCheck.self, CaptureCheck.self,
            KeysCheck.self, RejectsCheck.self, ProofCheck.self, DerivationsCheck.self, StoryCheck.self,
            ProfileCheck.self, HotAnswers.self,
        ] + FramesTopic.lists
}
