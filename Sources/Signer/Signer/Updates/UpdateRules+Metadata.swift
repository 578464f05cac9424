import Substrate

extension UpdateRules {
    /// What is asked of metadata before their signer matters, in this order.
    ///
    /// Source: `signer-product` section 2.3.
    private static let metadataRules: [Rule<Update.Metadata>] = [
        { metadata, state in
            state.verifiers[metadata.genesis] == .dead ? .networkBlocked(genesis: metadata.genesis) : nil
        },
        { metadata, state in
            state.verifiers[metadata.genesis] == nil ? .metadataUnknownNetwork(name: metadata.key.name) : nil
        },
        { metadata, state in
            state.networks(of: metadata.genesis).isEmpty
                ? .metadataNoSpecs(name: metadata.key.name, follows: state.follows(metadata.genesis)) : nil
        },
        { metadata, state in
            state.networks(of: metadata.genesis).first { $0.specs.name != metadata.key.name }
                .map { .metadataWrongName(stated: metadata.key.name, known: $0.specs.name) }
        },
        { metadata, state in
            state.otherNetwork(called: metadata.key.name, than: metadata.genesis)
                .map { .networkNameTaken(name: metadata.key.name, genesis: $0) }
        },
        { metadata, state in
            guard let stated = metadata.base58Prefix else { return nil }
            return state.networks(of: metadata.genesis).first { $0.specs.base58Prefix != stated }
                .map { .metadataPrefixDiffers(stated: stated, known: $0.specs.base58Prefix) }
        },
    ]

    static func judge(
        _ metadata: Update.Metadata, signedBy signer: MultiSigner?, by state: TrustState
    ) throws(UpdateRefusal) -> UpdateOutcome {
        try check(metadata, by: state, rules: metadataRules)
        var outcome = UpdateOutcome(from: state)
        if !metadata.describesExtensions { outcome.warn(.metadataExtensionsIncomplete) }
        if try isUnverified(metadata, signedBy: signer, by: state) { outcome.warn(.notVerified) }
        let key = metadata.key
        if let known = state.metadata[key] {
            guard known == metadata.hash else { throw .metadataDiffer(name: key.name, version: key.version) }
            throw .metadataKnown(name: key.name, version: key.version)
        }
        if state.versions(of: key.name).contains(where: { $0.version > key.version }) { outcome.show(.olderMetadata) }
        outcome.put(metadata: key, hash: metadata.hash)
        return outcome
    }

    /// Whether nobody signed metadata that need nobody's signature. Metadata never change a verifier.
    private static func isUnverified(
        _ metadata: Update.Metadata, signedBy signer: MultiSigner?, by state: TrustState
    ) throws(UpdateRefusal) -> Bool {
        let name = metadata.key.name
        switch (state.verifiers[metadata.genesis], signer) {
        case (nil, _): throw .metadataUnknownNetwork(name: name)
        case (.dead, _): throw .networkBlocked(genesis: metadata.genesis)
        case (.valid(.custom(let own)), nil):
            guard let known = own.key else { return true }
            throw .needVerifier(name: name, known)
        case (.valid(.custom(let own)), let signer?):
            guard let known = own.key else { throw .metadataSetsVerifier(name: name, signer) }
            guard known == signer else { throw .metadataVerifierChanged(name: name, known: known, signer: signer) }
            return false
        case (.valid(.general), nil):
            guard let general = state.general else { return true }
            throw .needGeneralVerifier(.network, general)
        case (.valid(.general), let signer?):
            guard let general = state.general else { throw .metadataSetsGeneralVerifier(name: name, signer) }
            guard general == signer else {
                throw .metadataGeneralVerifierChanged(name: name, known: general, signer: signer)
            }
            return false
        }
    }
}
