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
        let published: Published =
            switch content {
            case .specs(let network): .network(network)
            case .metadata(let name, let version): .metadata(name: name, version: version)
            case .types: .types
            }
        return try vouch(for: self.content(of: published), with: key, password: password).scaleEncoded
    }
}
