import Airgap
import Signer
import Substrate
import Testing
import TextForms

extension Provocation {
    /// What is wrong with metadata that somebody publishes.
    static let ofMetadata: [Provocation] = [
        Provocation(.notMeta) { try scan(metadata { $0[0] = 0x6e }, in: makeCore()) },
        Provocation(.versionIncompatible, ["version": "9"]) { try scan(metadata { $0[4] = 9 }, in: makeCore()) },
        Provocation(.noSystemPallet) {
            // Name and prefix of the pallet stand beside each other.
            try scan(metadata { try $0.rename("System", to: "Sistem") }, in: makeCore())
        },
        Provocation(.noVersionInConstants) {
            try scan(metadata { try $0.rename("Version", to: "Vorsion") }, in: makeCore())
        },
        Provocation(.runtimeVersionNotDecodable) {
            try scan(
                metadata {
                    try $0.rename("westend", to: "westen\u{7f}")
                    $0.breakVersion()
                }, in: makeCore())
        },
        Provocation(.base58PrefixNotDecodable) { try scan(metadata { try $0.widenPrefix() }, in: makeCore()) },
        Provocation(.base58PrefixSpecsMismatch, ["metadata": "42", "specs": "43"]) {
            try scan(metadata(), in: makeCore { $0.changeWestend { $0.base58Prefix = 43 } })
        },
        Provocation(.unableToDecode, ["what": anything]) {
            try scan(metadata { $0.removeLast() }, in: makeCore())
        },
    ]

    /// What is wrong with an update by what the vault holds.
    static let ofUpdates: [Provocation] = [
        Provocation(.importantSpecsChanged, ["name": "westend"]) {
            try scan(specs(shipped("westend").specs) { $0.decimals = 11 }, in: makeCore())
        },
        Provocation(.specsKnown, ["name": "westend", "encryption": "sr25519"]) {
            try scan(specs(shipped("westend").specs), in: makeCore())
        },
        Provocation(.addSpecsDifferentName, ["known": "westend", "given": "eastend"]) {
            try scan(specs(shipped("westend").specs) { $0.name = "eastend" }, in: makeCore())
        },
        Provocation(.addSpecsDifferentBase58, ["known": "42", "given": "43"]) {
            try scan(specs(shipped("westend").specs) { $0.base58Prefix = 43 }, in: makeCore())
        },
        Provocation(.specsMalformed, ["reason": "39 decimal places are more than 38"]) {
            try scan(specs(orion) { $0.decimals = 39 }, in: makeCore())
        },
        Provocation(.needVerifier, ["name": "orion", "known": text(2)]) {
            try scan(specs(orion) { $0.title = "Orion 2" }, in: withOrion(by: 2))
        },
        Provocation(.addSpecsVerifierChanged, ["name": "orion", "known": text(2), "signer": text(3)]) {
            try scan(specs(orion, by: 3) { $0.title = "Orion 2" }, in: withOrion(by: 2))
        },
        Provocation(.needGeneralVerifier, ["content": "network", "known": text(1)]) {
            try scan(specs(shipped("westend").specs) { $0.title = "West" }, in: makeCore(general: 1))
        },
        Provocation(.needGeneralVerifier, ["content": "types", "known": text(1)]) {
            try scan(update(.types(types)), in: makeCore(general: 1))
        },
        Provocation(.generalVerifierChanged, ["content": "network", "known": text(1), "signer": text(3)]) {
            try scan(specs(shipped("westend").specs, by: 3) { $0.title = "West" }, in: makeCore(general: 1))
        },
        Provocation(.typesKnown) { try scan(update(.types(types)), in: makeCore { $0.types = types }) },
        Provocation(.loadMetaUnknownNetwork, ["name": "westend"]) {
            try scan(metadata(), in: makeCore { $0.removeWestend() })
        },
        Provocation(.loadMetaNoSpecs, ["name": "westend", "verifier": text(1)]) {
            let test = try makeCore(general: 1)
            try openVault(test).removeNetwork(shipped("westend").specs.genesisHash)
            return try scan(metadata(by: 1), in: test)
        },
        Provocation(.loadMetaWrongGenesisHash, ["metadata": "westend", "specs": "polkadot"]) {
            try scan(metadata(of: shipped("polkadot").specs.genesisHash), in: makeCore())
        },
        Provocation(.loadMetaSetVerifier, ["name": "westend", "signer": text(3)]) {
            try scan(metadata(by: 3), in: withWestend(by: nil))
        },
        Provocation(.loadMetaVerifierChanged, ["name": "westend", "known": text(2), "signer": text(3)]) {
            try scan(metadata(by: 3), in: withWestend(by: 2))
        },
        Provocation(.loadMetaSetGeneralVerifier, ["name": "westend", "signer": text(3)]) {
            try scan(metadata(by: 3), in: makeCore())
        },
        Provocation(.loadMetaGeneralVerifierChanged, ["name": "westend", "known": text(1), "signer": text(3)]) {
            try scan(metadata(by: 3), in: makeCore(general: 1))
        },
        Provocation(.metadataKnown, ["name": "westend", "version": "9122"]) {
            try scan(metadata(), in: makeCore(hasMetadata: true))
        },
        Provocation(.sameNameVersionDifferentMeta, ["name": "westend", "version": "9122"]) {
            try scan(metadata { try $0.rename("Vesting", to: "Resting") }, in: makeCore(hasMetadata: true))
        },
        Provocation(.networkBlocked, ["genesis": westendGenesis]) {
            let test = try makeCore()
            try openVault(test).blockNetwork(shipped("westend").specs.genesisHash)
            return try scan(specs(shipped("westend").specs), in: test)
        },
    ]

    /// As long as what somebody signs has to be.
    static let types = TypesTable(entries: (10..<40).map { .init(name: "Weight\($0)", description: .alias("u64")) })

    /// A core with the network, under a verifier of its own.
    private static func withOrion(by signer: UInt8) throws -> TestCore {
        let test = try makeCore(general: 1)
        try take(specs(orion, by: signer), in: test)
        return test
    }

    /// A core to which Westend came by an update.
    private static func withWestend(by signer: UInt8?) throws -> TestCore {
        let test = try makeCore(general: 1) { $0.removeWestend() }
        try take(specs(shipped("westend").specs, by: signer), in: test)
        return test
    }
}

extension NetworkBundle {
    fileprivate mutating func removeWestend() { networks.removeAll { $0.specs.name == "westend" } }

    fileprivate mutating func changeWestend(_ change: (inout NetworkSpecs) -> Void) {
        for index in networks.indices where networks[index].specs.name == "westend" { change(&networks[index].specs) }
    }
}

extension [UInt8] {
    /// Makes the length of the runtime's name, at the start of the constant that states its version, too long.
    fileprivate mutating func breakVersion() {
        if let range = firstRange(of: [0x1c] + Array("westen\u{7f}".utf8)) { self[range.lowerBound] = 0xfc }
    }

    /// Gives the constant of the prefix three bytes.
    fileprivate mutating func widenPrefix() throws {
        let name = try #require(firstRange(of: [0x28] + Array("SS58Prefix".utf8)))
        let value = try #require(self[name.upperBound...].firstRange(of: [0x08, 0x2a, 0x00]))
        replaceSubrange(value, with: [0x0c, 0x2a, 0x00, 0x00])
    }
}
