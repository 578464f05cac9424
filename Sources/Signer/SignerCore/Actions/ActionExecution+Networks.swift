import Navigator
import Signer
import Substrate

/// Networks, metadata and types.
extension ActionExecution {
    /// The network that is shown, with all that is stored of it.
    func shownNetwork() throws -> StoredNetwork {
        guard let key = state.shownNetwork,
            let network = try vault().networkList().first(where: { $0.specs.key == key })
        else { throw CoreError.networkUnknown(key: "") }
        return network
    }

    func versionIsKnown() -> Bool {
        succeeds {
            let versions = try shownNetwork().metadata.map(\.version)
            guard let version = UInt32(data), versions.contains(version) else {
                throw CoreError.metadataUnknown(version: data)
            }
        }
    }

    func removesTypes() -> Bool { succeeds { try vault().removeTypes() } }

    func removesNetwork() -> Bool {
        succeeds { try vault().removeNetwork(shownNetwork().specs.genesisHash) }
    }

    func removesMetadata() -> Bool {
        succeeds {
            guard let version = state.shownMetadata else { throw CoreError.metadataUnknown(version: "") }
            try vault().removeMetadata(name: shownNetwork().specs.name, version: version)
        }
    }

    func blockNetwork() throws { try vault().blockNetwork(shownNetwork().specs.genesisHash) }
}
