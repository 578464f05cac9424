import KnownAnswers
import MainKeyKnownAnswers

/// All topics, in the order in which `--help` lists them.
let topics: [any Topic.Type] = [
    CryptoTopic.self, WireTopic.self, QRTopic.self, RaptorQTopic.self, FramesTopic.self, MainKeyTopic.self,
]
