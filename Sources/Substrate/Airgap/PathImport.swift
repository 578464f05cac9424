import SCALE
import Substrate

/// Paths of keys to be made below a seed that the person chooses, in one network: the form of imports before there were
/// key sets. It names no keys, so there is nothing to compare.
///
/// Source: `signer-wire` section 1.8.
public struct PathImport: Hashable, Sendable {
    /// The network that the keys are for.
    public var network: NetworkKey
    /// The paths as they came, which may be none at all.
    public var paths: [String]

    package init(network: NetworkKey, paths: [String]) {
        self.network = network
        self.paths = paths
    }

    /// So many paths are read.
    package static let pathLimit = 4096
}

extension PathImport: ScaleCodable {
    /// Reads the SCALE encoding.
    public init(from decoder: inout ScaleDecoder) throws(ScaleError) {
        network = try NetworkKey(from: &decoder)
        let offset = decoder.position
        paths = try decoder.sequence(minimumItemSize: 1) { (decoder) throws(ScaleError) in
            try decoder.boundedText(DerivationLimits.pathByteCount)
        }
        guard paths.count <= Self.pathLimit else {
            throw .lengthExceedsInput(offset: offset, claimed: paths.count, available: Self.pathLimit)
        }
    }

    /// Appends the SCALE encoding.
    public func encode(to encoder: inout ScaleEncoder) {
        encoder.value(network)
        encoder.sequence(paths) { $0.string($1) }
    }

    /// The import with the leading bytes of its kind.
    public var payload: [UInt8] { [Payload.substrateByte, 0xff, PayloadKind.derivations.rawValue] + scaleEncoded }
}
