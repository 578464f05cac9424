import SCALE
import Substrate

/// A wallet that lies: it has bytes signed which the chain reads as one transaction, and brings a metadata proof that reads them as
/// another.
///
/// The proof names its own types and its own list of extensions, so everything that makes a proof count can stand inside a remark
/// of the true call. What the wallet chooses is drawn from a script, which tests fill at random and the fuzzer by its inputs.
/// (The fuzz targets use this file too.)
public struct ForgedProof {
    /// Call and extensions: what is signed.
    public let signable: [UInt8]
    /// Where the proof has the call end.
    public let callLength: Int
    /// A `MetadataProof`, encoded.
    public let proof: [UInt8]

    /// What a payload holds behind the author: proof, call with its length, extensions, genesis.
    public func body(genesis: Hash256) -> [UInt8] {
        var encoder = ScaleEncoder()
        encoder.raw(proof)
        encoder.byteSequence(Array(signable[..<callLength]))
        encoder.raw(signable[callLength...] + genesis.bytes)
        return encoder.bytes
    }

    /// The chain that is lied about: Polkadot Asset Hub as the product ships it.
    public struct Victim: Sendable {
        public let metadata: RuntimeMetadata
        public let network: NetworkSpecs
        /// Of the chain's own metadata.
        public let hash: Hash256
        /// Of the block that transactions are valid from: nobody can choose one.
        public let blockHash = Hash256([UInt8](repeating: 0x11, count: Hash256.byteCount))!

        public init(metadata: RuntimeMetadata, network: NetworkSpecs) throws {
            self.metadata = metadata
            self.network = network
            hash = try MerkleizedMetadata(metadata).digest(MetadataExtraInfo(metadata, network)).hash
        }

        /// What the chain takes the bytes for; nil where it would refuse them.
        ///
        /// It reads a call from the first byte on, then the extensions to the end, and puts its own values where extensions add
        /// something to the signed bytes: a signature over others is not valid.
        public func reading(of signable: [UInt8]) -> (call: DecodedCall, extensions: TransactionExtensions)? {
            let decoder = TransactionDecoder(metadata: metadata, network: network)
            var end = signable.count
            do throws(DecodingError) {
                _ = try decoder.readCall(signable)
            } catch {
                guard case .someDataNotUsedMethod(let offset, _) = error else { return nil }
                end = offset
            }
            guard let call = try? decoder.readCall(signable, in: 0..<end),
                let extensions = try? decoder.decodeExtensions(signable, in: end..<signable.count),
                [blockHash, network.genesisHash].contains(extensions.blockHash),
                let part = extensions.part(TransactionExtensions.metadataHashIdentifier)
            else { return nil }
            let isChecked = signable[part.included] == [1]
            guard signable[part.additional] == (isChecked ? [1] + hash.bytes[...] : [0]) else { return nil }
            return (call, extensions)
        }
    }

    // MARK: What the wallet chooses

    /// Choices one after the other; all zero when it is used up.
    public struct Script {
        private var bytes: ArraySlice<UInt8>

        public init(_ bytes: some Sequence<UInt8>) {
            self.bytes = Array(bytes)[...]
        }

        mutating func choice(below limit: Int) -> Int { Int(bytes.popFirst() ?? 0) % limit }

        mutating func isSo() -> Bool { choice(below: 2) == 1 }
    }

    /// How the signed bytes end, where the chain looks for its metadata hash.
    private enum End: CaseIterable {
        /// The check is off: the chain compares nothing.
        case off
        /// The hash of the forged proof.
        case forged
        /// The hash of the chain.
        case true_
    }

    /// An extension as the forged proof lists it.
    private struct Extension {
        var identifier: String
        var included: Reference
        var additional: Reference
        /// What the wallet writes for it into the remark.
        var includedBytes: [UInt8] = []
        var additionalBytes: [UInt8] = []
    }

    /// A reference to a type, encoded.
    private struct Reference {
        var bytes: [UInt8]

        static let void = Reference(bytes: [0x15])
        static let u32 = Reference(bytes: [5])
        static let compactU32 = Reference(bytes: [0x11])
        static let compactU128 = Reference(bytes: [0x13])

        static func type(_ id: Int) -> Reference {
            var encoder = ScaleEncoder()
            encoder.integer(UInt8(0x16))
            encoder.compact(id)
            return Reference(bytes: encoder.bytes)
        }
    }

    /// Ids of the made-up types.
    private enum TypeID: Int, CaseIterable {
        case outerCall, calls, account, accountBytes, head, includedRest, additionalRest
        /// Makes the leaves a power of two, which all stand on one level of the tree.
        case padding
    }

    public init(_ script: Script, against victim: Victim) throws {
        var script = script
        let end = End.allCases[script.choice(below: End.allCases.count)]
        let restIsIncluded = script.isSo()
        let restStandsBeforeHash = script.isSo()
        let rotation = script.choice(below: 8)
        let shownAmount = UInt128(1 + script.choice(below: 255)) * 10_000_000_000
        let remarkMethod = UInt8(script.isSo() ? 7 : 0)
        let hidden = script.choice(below: 3)
        let lengthMove = script.isSo() ? script.choice(below: 8) - 4 : 0

        // What the chain runs: a remark that holds all that the forged proof wants to read, then what the wallet is after.
        let thief = [UInt8](repeating: 0x66, count: 32)
        let theft: [UInt8] =
            switch hidden {
            case 0: [0x0a, 0x04, 0x00] + thief + [0]
            case 1: [0x0a, 0x03, 0x00] + thief + Self.compact(500_000_000_000)
            default: [0x00, remarkMethod, 0]
            }
        func signedBytes(_ remark: [UInt8], _ hash: Hash256) -> (bytes: [UInt8], head: Int, rest: Int) {
            let head = [0x28, 0x02, 0x08, 0x00, remarkMethod] + Self.compact(UInt128(remark.count))
            let info = victim.metadata.version
            let isChecked = end != .off
            let rest =
                theft + [0, 0, 0, 0, isChecked ? 1 : 0] + Self.integer(info.specVersion)
                + Self.integer(info.transactionVersion) + victim.network.genesisHash.bytes
                + victim.network.genesisHash.bytes
                + (isChecked ? [1] + (end == .forged ? hash : victim.hash).bytes : [0])
            return (head + remark + rest, head.count, rest.count)
        }

        func remark(_ extensions: [Extension], _ hash: Hash256) -> (bytes: [UInt8], callPart: Int) {
            let call = [UInt8](repeating: 0x77, count: 32) + Self.compact(shownAmount)
            let stated = extensions.flatMap(\.includedBytes) + extensions.flatMap(\.additionalBytes)
            let zero = [1] + [UInt8](repeating: 0, count: Hash256.byteCount)
            let filled = stated.firstRange(of: zero).map { place in
                Array(stated[..<place.lowerBound]) + [1] + hash.bytes + stated[place.upperBound...]
            }
            return (call + (filled ?? stated), call.count)
        }

        // The list has everything that a proof must state; what is left of the bytes goes to an extension that no chain has.
        var extensions = Self.statements(victim)
        extensions = Array(extensions[(rotation % extensions.count)...] + extensions[..<(rotation % extensions.count)])
        let unfilled = remark(extensions, Hash256([UInt8](repeating: 0, count: 32))!)
        let layout = signedBytes(unfilled.bytes, victim.hash)
        let hashPlace = extensions.firstIndex { $0.identifier == TransactionExtensions.metadataHashIdentifier } ?? 0
        extensions.insert(
            Extension(
                identifier: "StorageWeightReclaim",
                included: restIsIncluded ? .type(TypeID.includedRest.rawValue) : .void,
                additional: restIsIncluded ? .void : .type(TypeID.additionalRest.rawValue)),
            at: restStandsBeforeHash ? hashPlace : extensions.count)
        proof = Self.proof(
            extensions, head: layout.head - 2, rest: layout.rest, firstBytes: Array(layout.bytes.prefix(2)), victim)
        let hash = try MetadataProof(proof).digest().hash
        let filled = remark(extensions, hash)
        signable = signedBytes(filled.bytes, hash).bytes
        callLength = min(max(2, layout.head + filled.callPart + lengthMove), signable.count)
    }

    private static func statements(_ victim: Victim) -> [Extension] {
        let genesis = victim.network.genesisHash.bytes
        let version = victim.metadata.version
        return [
            Extension(
                identifier: "CheckMortality", included: .void, additional: .void, includedBytes: [0],
                additionalBytes: genesis),
            Extension(identifier: "CheckNonce", included: .compactU32, additional: .void, includedBytes: [0]),
            Extension(
                identifier: TransactionExtensions.metadataHashIdentifier, included: .void, additional: .void,
                includedBytes: [1], additionalBytes: [1] + [UInt8](repeating: 0, count: Hash256.byteCount)),
            Extension(identifier: "CheckGenesis", included: .void, additional: .void, additionalBytes: genesis),
            Extension(
                identifier: "CheckSpecVersion", included: .void, additional: .u32,
                additionalBytes: integer(version.specVersion)),
            Extension(
                identifier: "CheckTxVersion", included: .void, additional: .u32,
                additionalBytes: integer(version.transactionVersion)),
        ]
    }

    // MARK: The proof

    private static func proof(
        _ extensions: [Extension], head: Int, rest: Int, firstBytes: [UInt8], _ victim: Victim
    ) -> [UInt8] {
        let leaves = [
            variant(
                ["asset_hub_polkadot_runtime", "RuntimeCall"], "Balances", firstBytes[0],
                [(nil, .type(TypeID.calls.rawValue))], .outerCall),
            variant(
                ["pallet_balances", "pallet", "Call"], "transfer_keep_alive", firstBytes[1],
                [
                    (nil, .type(TypeID.head.rawValue)), ("dest", .type(TypeID.account.rawValue)),
                    ("value", .compactU128),
                ], .calls),
            composite(["sp_core", "crypto", "AccountId32"], .type(TypeID.accountBytes.rawValue), .account),
            array(32, .accountBytes), array(head, .head), array(rest, .includedRest), array(rest, .additionalRest),
            array(1, .padding),
        ]
        var encoder = ScaleEncoder()
        encoder.sequence(leaves) { $0.raw($1) }
        encoder.sequence(leaves.indices.map { UInt32(leaves.count - 1 + $0) }) { $0.integer($1) }
        encoder.sequence([[UInt8]]()) { $0.raw($1) }
        encoder.integer(UInt8(4))
        for reference in [Reference.void, .type(TypeID.outerCall.rawValue), .void] { encoder.raw(reference.bytes) }
        encoder.sequence(extensions) { encoder, item in
            encoder.string(item.identifier)
            encoder.raw(item.included.bytes + item.additional.bytes)
        }
        encoder.value(MetadataExtraInfo(victim.metadata, victim.network))
        return encoder.bytes
    }

    private static func leaf(_ path: [String], _ definition: [UInt8], _ id: TypeID) -> [UInt8] {
        var encoder = ScaleEncoder()
        encoder.sequence(path) { $0.string($1) }
        encoder.raw(definition)
        encoder.compact(id.rawValue)
        return encoder.bytes
    }

    private static func fields(_ fields: [(name: String?, type: Reference)]) -> [UInt8] {
        var encoder = ScaleEncoder()
        encoder.sequence(fields) { encoder, field in
            encoder.option(field.name) { $0.string($1) }
            encoder.raw(field.type.bytes + [0])
        }
        return encoder.bytes
    }

    private static func variant(
        _ path: [String], _ name: String, _ index: UInt8, _ content: [(String?, Reference)], _ id: TypeID
    ) -> [UInt8] {
        var encoder = ScaleEncoder()
        encoder.integer(UInt8(1))
        encoder.string(name)
        encoder.raw(fields(content.map { (name: $0.0, type: $0.1) }))
        encoder.compact(Int(index))
        return leaf(path, encoder.bytes, id)
    }

    private static func composite(_ path: [String], _ only: Reference, _ id: TypeID) -> [UInt8] {
        leaf(path, [0] + fields([(nil, only)]), id)
    }

    private static func array(_ length: Int, _ id: TypeID) -> [UInt8] {
        // Of the primitive u8.
        leaf([], [3] + integer(UInt32(length)) + [3], id)
    }

    private static func integer(_ value: UInt32) -> [UInt8] {
        var encoder = ScaleEncoder()
        encoder.integer(value)
        return encoder.bytes
    }

    private static func compact(_ value: UInt128) -> [UInt8] {
        var encoder = ScaleEncoder()
        encoder.compact(value)
        return encoder.bytes
    }
}
