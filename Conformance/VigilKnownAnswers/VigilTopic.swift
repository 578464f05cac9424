import KnownAnswers

/// The format of `data/vigil`. `conformance vigil` runs this.
package enum VigilTopic: Topic {
    package static let name = "vigil"
    package static let summary = "digests of executable images, captured processes, messages, manifests, key files"

    package static let lists: [any AnswerList.Type] = [
        BundleAnswers.self, VerityAnswers.self, TamperAnswers.self, ProcessAnswers.self, ProtocolAnswers.self,
        ManifestAnswers.self, SoftwareKeyAnswers.self, TPMExchangeAnswers.self, ImageAnswers.self,
    ]
}
