import Substrate
import TestSupport
import Testing
import TextForms

@testable import Signer

/// Chains that are not shipped, by their metadata of `substrate-crypto/rfc78`.
extension Chain {
    static let hasOthers = SharedData.has("substrate-crypto/rfc78/metadata/acala.scale")

    static func acala() throws -> Chain {
        try other(
            "acala", prefix: 10, unit: "ACA",
            genesis: "fc41b9bd8ef8fe53d58c7ea67c794c7ec9a73daf05e6d54b14ff6342c99ba64c"
        )
    }

    static func hydra() throws -> Chain {
        try other(
            "hydradx", prefix: 63, unit: "HDX",
            genesis: "afdc188f45c71dacbaa0b62e16a91f726c7b8699a9748cdf715459de6b7f366d")
    }

    /// The same chain where a pallet has another name of as many characters.
    func renaming(_ name: String, to other: String) throws -> Chain {
        let (old, new) = (Value.text(name), Value.text(other))
        var changed = blob
        while let range = changed.firstRange(of: old) { changed.replaceSubrange(range, with: new) }
        return try Chain(specs: specs, blob: changed)
    }

    private static func other(_ name: String, prefix: UInt16, unit: String, genesis: String) throws -> Chain {
        var specs = try Chain("kusama").specs
        specs.base58Prefix = prefix
        specs.genesisHash = try #require(Hex.decode(genesis).flatMap { Hash256($0) })
        (specs.name, specs.pathID, specs.title, specs.unit, specs.decimals) = (name, "//" + name, name, unit, 12)
        return try Chain(specs: specs, blob: SharedData.bytes("substrate-crypto/rfc78/metadata/\(name).scale"))
    }
}
