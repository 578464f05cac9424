import MetadataDescriptions

@testable import Substrate

/// Every call of some metadata, with the arguments that may move value or give rights.
struct CallCensus {
    private(set) var calls: [Call] = []

    struct Call {
        var pallet: String
        var method: String
        var arguments: [String] = []
        /// Each kind at each path once.
        var values: [Value] = []

        var name: String { "\(pallet).\(method)" }
    }

    struct Value: Hashable {
        enum Kind: Hashable {
            case account, amount, location, call
        }

        var kind: Kind
        /// The argument, and the names of fields inside it.
        var path: [String]
    }

    init(_ blob: [UInt8]) throws {
        if try TextMetadata.formatVersions.contains(MetadataHead.statedVersion(of: blob)) {
            try self.init(TextMetadata(blob))
        } else {
            try self.init(FullMetadata(blob))
        }
    }

    private init(_ metadata: FullMetadata) throws {
        let walk = TypeCensus(metadata)
        for pallet in metadata.pallets {
            guard let type = pallet.callsType, case .variant(let methods) = metadata.types[Int(type)].definition
            else { continue }
            for method in methods {
                var call = Call(
                    pallet: pallet.name, method: method.name, arguments: method.fields.compactMap(\.name))
                for field in method.fields {
                    for value in walk.values(field, at: [field.name ?? ""]) where !call.values.contains(value) {
                        call.values.append(value)
                    }
                }
                calls.append(call)
            }
        }
    }

    private init(_ metadata: TextMetadata) {
        for pallet in metadata.pallets {
            for index in 0..<(pallet.callCount ?? 0) {
                guard let found = metadata.call(index: UInt8(index), of: pallet) else { continue }
                let values = found.arguments.compactMap { argument in
                    Value.Kind(text: argument.type.description).map { Value(kind: $0, path: [argument.name]) }
                }
                calls.append(
                    Call(
                        pallet: pallet.name, method: found.name, arguments: found.arguments.map(\.name),
                        values: values))
            }
        }
    }
}

extension CallCensus.Value.Kind {
    /// What a type of metadata 12 or 13 is called.
    fileprivate init?(text: String) {
        if text.contains("AccountId") || text.contains("StaticLookup") || text.contains("MultiSigner")
            || text.contains("H160") || text.contains("EthereumAddress") || text.contains("RewardDestination")
        {
            self = .account
        } else if text.contains("Location") || text.contains("MultiAsset") || text.contains("Xcm") {
            self = .location
        } else if text.contains("Balance") || text.contains("VestingInfo") || text.contains("AccountVote") {
            self = .amount
        } else if text.contains("Call>") || text.contains("::Call") || text.contains("Proposal>") {
            self = .call
        } else {
            return nil
        }
    }
}

/// Walks over the types of metadata 14 to 16.
private struct TypeCensus {
    private let metadata: FullMetadata
    private let callTypes: Set<UInt32>

    init(_ metadata: FullMetadata) {
        self.metadata = metadata
        callTypes = Set(metadata.pallets.compactMap(\.callsType))
    }

    func values(_ field: TypeDescription.Field, at path: [String]) -> [CallCensus.Value] {
        values(field, at: path, isAmount: false, inside: [])
    }

    private func values(
        _ field: TypeDescription.Field, at path: [String], isAmount: Bool, inside: Set<UInt32>
    ) -> [CallCensus.Value] {
        let amount = field.typeName.map { Self.amounts.contains($0) } ?? isAmount
        return values(field.type, at: path, isAmount: amount, inside: inside)
    }

    private static let amounts: Set = [
        "Balance", "T::Balance", "BalanceOf<T>", "ExtendedBalance", "BalanceOf<T, I>", "DepositBalance",
        "PalletBalanceOf<T>",
    ]
    private static let accounts: Set = ["AccountId32", "AccountId20", "MultiAddress", "H160", "EthereumAddress"]
    private static let currencies: Set = ["CurrencyId", "PoolId"]
    private static let places: Set = [
        "Location", "MultiLocation", "VersionedLocation", "VersionedMultiLocation", "Assets", "MultiAssets", "Asset",
        "MultiAsset", "VersionedAssets", "VersionedMultiAssets", "VersionedAsset", "VersionedMultiAsset", "AssetId",
        "VersionedAssetId", "Xcm", "VersionedXcm",
    ]

    private func values(
        _ id: UInt32, at path: [String], isAmount: Bool, inside: Set<UInt32>
    ) -> [CallCensus.Value] {
        let type = metadata.types[Int(id)]
        let name = type.path.last ?? ""
        if Self.accounts.contains(name) { return [.init(kind: .account, path: path)] }
        if Self.places.contains(name), type.path.contains(where: { $0.contains("xcm") }) {
            return [.init(kind: .location, path: path)]
        }
        // An address in there is that of a contract which keeps a token: the whole names an asset.
        guard !Self.currencies.contains(name), !inside.contains(id) else { return [] }
        let inner = inside.union([id])
        func of(_ fields: [TypeDescription.Field]) -> [CallCensus.Value] {
            fields.flatMap { field in
                values(field, at: path + (field.name.map { [$0] } ?? []), isAmount: isAmount, inside: inner)
            }
        }
        switch type.definition {
        case .composite(let fields): return of(fields)
        case .variant(let variants):
            // The outer call: each variant holds the calls of a pallet.
            if variants.contains(where: { $0.fields.count == 1 && callTypes.contains($0.fields[0].type) }) {
                return [.init(kind: .call, path: path)]
            }
            return variants.flatMap { of($0.fields) }
        case .sequence(let item), .array(_, let item), .compact(let item):
            return values(item, at: path, isAmount: isAmount, inside: inner)
        case .tuple(let items):
            return items.flatMap { values($0, at: path, isAmount: isAmount, inside: inner) }
        case .primitive(let primitive):
            return isAmount && primitive.unsignedBits != nil ? [.init(kind: .amount, path: path)] : []
        case .bitSequence: return []
        }
    }
}
