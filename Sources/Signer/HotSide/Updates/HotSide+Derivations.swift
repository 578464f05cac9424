import Airgap
import Substrate

/// Paths for a vault to make keys at, read from a text with one path a line.
///
/// Source: `signer-product` section 3.7.
public struct PathList: Hashable, Sendable {
    /// A line that no vault would take.
    public struct Dropped: Hashable, Sendable {
        /// From 1.
        public let line: Int
        /// Why.
        public let reason: String
    }

    /// The paths, each once, in their order.
    public private(set) var paths: [String] = []
    /// What was left out.
    public private(set) var dropped: [Dropped] = []

    /// Empty lines are passed over.
    public init(_ text: String) {
        var seen: Set<String> = []
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        for (index, path) in lines.map(String.init).enumerated() {
            guard !path.isEmpty else { continue }
            if let reason = Self.objection(to: path) {
                dropped.append(Dropped(line: index + 1, reason: reason))
            } else if paths.count == PathImport.pathLimit {
                dropped.append(Dropped(line: index + 1, reason: "there are \(PathImport.pathLimit) before it"))
            } else if seen.insert(path).inserted {
                paths.append(path)
            }
        }
    }

    private static func objection(to path: String) -> String? {
        guard DerivationText.split(path).password == nil else { return "it has a password, which must not travel" }
        do throws(SURIError) {
            let junctions = try DerivationPath(parsing: path).junctions
            return junctions.isEmpty ? "it has no part" : nil
        } catch {
            return "\(error)"
        }
    }
}

extension HotSide {
    /// The payload that has a vault make keys at paths, in one network.
    ///
    /// - Parameter title: of the network, as the address book has it.
    public func derivations(_ paths: PathList, titled title: String) throws -> [UInt8] {
        PathImport(network: try specs(titled: title).key, paths: paths.paths).payload
    }
}
