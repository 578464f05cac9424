import AppAttestKnownAnswers
import ForceFieldKnownAnswers
import KnownAnswers
import MainKeyKnownAnswers
import SignerKnownAnswers
import VigilKnownAnswers

/// All topics, in the order in which `--help` lists them.
let topics: [any Topic.Type] = [
    CryptoTopic.self, WireTopic.self, QRTopic.self, RaptorQTopic.self, FramesTopic.self, MainKeyTopic.self,
    VigilTopic.self, ForceFieldTopic.self, GateTopic.self, ProductTopic.self,
]
