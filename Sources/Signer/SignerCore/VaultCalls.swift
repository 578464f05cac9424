import Airgap
import SecretMemory
import Signer
import Substrate

/// What the core asks of a vault, in the values that pages show.
extension Vault {
    func exportedSecret(
        of key: MultiSigner, in network: NetworkKey, password: SecretBytes?
    ) throws -> ExportSecretData {
        let text = try exportSecret(of: key, in: network, password: password)
        guard let stored = try keys().first(where: { $0.signer == key }),
            let specs = try networks().first(where: { $0.key == network })
        else { throw SignerError.keyNotFound("") }
        return ExportSecretData(
            key: KeyCard(stored, in: specs), network: NetworkCard(specs), secret: ShownSecret(text))
    }

    func keySetsCode(of names: [String]) throws -> CodeData {
        CodeData(moving: try keySetsExport(ofSeeds: names))
    }

    func signContent(_ content: CoreState.Content, by key: MultiSigner, password: SecretBytes?) throws -> [UInt8] {
        try vouch(for: updateContent(of: content), with: key, password: password).scaleEncoded
    }

    /// What is signed, as an update carries it.
    func updateContent(of content: CoreState.Content) throws -> UpdatePayload.Content {
        switch content {
        case .specs(let network): try self.content(of: .network(network))
        case .metadata(let name, let version): try self.content(of: .metadata(name: name, version: version))
        case .types: try self.content(of: .types)
        case .refused(let content): content
        }
    }
}
