import MetadataDescriptions
import SCALE
import Substrate
import Testing

@testable import Signer

/// A network of the release, with calls and payloads built by the names in its metadata.
struct Chain {
    /// May be changed, to store another record than what the metadata go with.
    var specs: NetworkSpecs
    let blob: [UInt8]
    let runtime: RuntimeMetadata
    private let metadata: FullMetadata

    init(_ name: String) throws {
        let network = try #require(NetworkBundle.shipped().networks.first { $0.specs.name == name })
        try self.init(specs: network.specs, blob: #require(network.metadata.first))
    }

    init(specs: NetworkSpecs, blob: [UInt8]) throws {
        self.specs = specs
        self.blob = blob
        runtime = try RuntimeMetadata(blob)
        metadata = try FullMetadata(blob)
    }

    // MARK: Vaults

    func bundle(_ more: [[UInt8]] = [], verifier: Verifier = Verifier(.sr25519(Person.bob))) -> NetworkBundle {
        NetworkBundle(networks: [.init(specs: specs, metadata: [blob] + more)], generalVerifier: verifier)
    }

    /// A vault with Alice's key, which looks only.
    func vault(bundle: NetworkBundle? = nil, isExposed: Bool = false) throws -> Vault {
        let signer = try #require(MultiSigner(scheme: .sr25519, publicKey: Person.alice))
        return try Vault.lookOnly(bundle ?? self.bundle(), keys: [key(signer, isExposed: isExposed)])
    }

    func key(_ signer: MultiSigner, path: String = "//Alice", isExposed: Bool = false) -> StoredKey {
        StoredKey(
            signer: signer,
            details: AddressDetails(
                seedName: "demo", path: path, hasPassword: false, networks: [specs.key], scheme: specs.scheme,
                secretExposed: isExposed))
    }

    /// The address of an account here.
    func address(_ account: [UInt8]) throws -> String { try SS58.encode(account, prefix: specs.base58Prefix) }

    // MARK: Calls

    func call(_ pallet: String, method: String, arguments: [UInt8]...) throws -> [UInt8] {
        let pallet = try #require(metadata.pallets.first { $0.name == pallet }, "\(pallet)")
        let type = try #require(pallet.callsType)
        guard case .variant(let methods) = metadata.types[Int(type)].definition,
            let found = methods.first(where: { $0.name == method })
        else { throw Missing(call: "\(pallet.name).\(method)") }
        return [pallet.index, found.index] + arguments.joined()
    }

    struct Missing: Error {
        let call: String
    }

    func transfer(
        _ amount: UInt128 = 1_000_000, by method: String = "transfer_keep_alive", to account: [UInt8] = Person.bob
    ) throws -> [UInt8] {
        try call("Balances", method: method, arguments: Value.address(account), Value.compact(amount))
    }

    func batch(_ calls: [[UInt8]]) throws -> [UInt8] {
        try call("Utility", method: "batch_all", arguments: Value.sequence(calls))
    }

    /// Where the proxy is named by an address, as in metadata from 2022 on.
    func proxy(for account: [UInt8], _ inner: [UInt8]) throws -> [UInt8] {
        try call("Proxy", method: "proxy", arguments: Value.address(account), [0], inner)
    }

    func remark(_ text: String) throws -> [UInt8] { try call("System", method: "remark", arguments: Value.text(text)) }

    // MARK: Payloads

    /// What a wallet puts into the extensions.
    struct Choices {
        var tip: UInt128 = 0
        /// The location of the asset that fees are paid in, where the chain lets a wallet choose; nil is its token.
        var feeAsset: [UInt8]?
        var isImmortal = false
        /// nil switches the check off.
        var metadataHash: Hash256?
        var specVersion: UInt32?
    }

    func extensions(_ choices: Choices = Choices()) -> [UInt8] {
        runtime.extensions.flatMap { included($0.identifier, choices) }
            + runtime.extensions.flatMap { additional($0.identifier, choices) }
    }

    private func included(_ identifier: String, _ choices: Choices) -> [UInt8] {
        switch identifier {
        case "CheckMortality": choices.isImmortal ? [0] : [0xb5, 0x01]
        case "CheckNonce": Value.compact(46)
        case "ChargeTransactionPayment": Value.compact(choices.tip)
        case "ChargeAssetTxPayment": Value.compact(choices.tip) + (choices.feeAsset.map { [1] + $0 } ?? [0])
        case "CheckMetadataHash": [choices.metadataHash == nil ? 0 : 1]
        default: []
        }
    }

    private func additional(_ identifier: String, _ choices: Choices) -> [UInt8] {
        switch identifier {
        case "CheckSpecVersion": Value.integer(choices.specVersion ?? runtime.specVersion)
        case "CheckTxVersion": Value.integer(runtime.version.transactionVersion)
        case "CheckGenesis": specs.genesisHash.bytes
        case "CheckMortality":
            choices.isImmortal ? specs.genesisHash.bytes : [UInt8](repeating: 0x53, count: Hash256.byteCount)
        case "CheckMetadataHash": choices.metadataHash.map { [1] + $0.bytes } ?? [0]
        default: []
        }
    }

    /// Call with its length, extensions, genesis: what stands behind the author.
    func body(_ call: [UInt8], _ choices: Choices = Choices()) -> [UInt8] {
        Value.bytes(call) + extensions(choices) + specs.genesisHash.bytes
    }

    /// A transaction of a stored key (code 02).
    func payload(
        _ call: [UInt8], _ choices: Choices = Choices(), by author: [UInt8] = Person.alice
    ) -> [UInt8] {
        [0x53, specs.scheme.rawValue, 0x02] + author + body(call, choices)
    }

    /// A transaction of a key at a path of the seed with a root (code 05).
    func payload(_ call: [UInt8], derivedFrom root: [UInt8], path: String) -> [UInt8] {
        [0x53, specs.scheme.rawValue, 0x05] + root + Value.text(path) + body(call)
    }

    /// Several payloads as one (code 04).
    static func bulk(_ members: [[UInt8]]) -> [UInt8] {
        [0x53, 0xff, 0x04, 0x00] + Value.sequence(members.map { Value.bytes(Array($0.dropFirst())) })
    }

    // MARK: Metadata

    /// The same metadata under another version.
    func blob(version: UInt32) throws -> [UInt8] {
        // Name, name of the implementation, version of the block author's rules; then the version.
        let head = Value.text(specs.name)
        let start = try #require(blob.firstRange(of: head)?.upperBound)
        var decoder = ScaleDecoder(blob, in: start..<blob.count)
        _ = try decoder.string()
        let position = decoder.position + 4
        var changed = blob
        changed.replaceSubrange(position..<position + 4, with: Value.integer(version))
        try #require(RuntimeMetadata(changed).specVersion == version)
        return changed
    }
}
