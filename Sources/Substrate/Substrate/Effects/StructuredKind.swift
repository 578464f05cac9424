/// Kinds of arguments that say more than a number, an account or a text.
enum StructuredKind: Hashable, Sendable {
    /// An XCM location, with its version or without.
    case location
    /// A location that the chain that reads it deposits to.
    case beneficiary
    /// Several locations behind each other.
    case locations
    /// The id of an asset in XCM, also where a pallet takes a location for it.
    case assetID
    /// Several such ids behind each other: the path of a swap.
    case assetIDs
    case asset
    case assets
    /// An XCM program, with its version or without.
    case program
    /// How assets get to another chain: by teleport, or through the chain that keeps their reserve.
    case transferType
    /// How an account votes in a referendum, and with how much.
    case vote
    /// How long a vote is locked for its weight.
    case conviction
    /// A bool that stands for aye or nay.
    case approval
    /// Where rewards of staking go.
    case payee
    /// The origin, of the chain or of a pallet, that dispatches a call.
    case origin
    /// A block, or a number of blocks from now.
    case moment
    /// A call that stands inline as bytes, or is looked up by its hash.
    case callReference

    /// A number of 256 bits, which stands as four of 64, the least significant first.
    case wideNumber

    /// - Parameter typePath: the path of an argument's type, as ``FieldType/path`` has it.
    /// - Returns: nil for a type of another kind. What is `Vec<…>` has no path and is told by the argument's name.
    init?(typePath: String) {
        let segments = typePath.split(separator: " ")
        guard let first = segments.first, let last = segments.last else { return nil }
        if first == "xcm" || first == "staging_xcm" {
            switch last {
            case "VersionedLocation", "VersionedMultiLocation", "Location", "MultiLocation": self = .location
            case "VersionedAssetId", "AssetId": self = .assetID
            case "VersionedAsset", "VersionedMultiAsset", "Asset", "MultiAsset": self = .asset
            case "VersionedAssets", "VersionedMultiAssets", "Assets", "MultiAssets": self = .assets
            case "VersionedXcm", "Xcm": self = .program
            default: return nil
            }
            return
        }
        switch last {
        case "U256" where first == "primitive_types": self = .wideNumber
        case "TransferType" where first == "staging_xcm_executor": self = .transferType
        case "AccountVote": self = .vote
        case "Conviction": self = .conviction
        case "RewardDestination": self = .payee
        case "OriginCaller": self = .origin
        case "DispatchTime": self = .moment
        case "Bounded" where segments.dropLast(2).last == "preimages": self = .callReference
        default: return nil
        }
    }
}
