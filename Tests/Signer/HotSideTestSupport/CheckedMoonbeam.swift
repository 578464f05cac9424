import Foundation
import HotSideKnownAnswers
import MetadataDescriptions
import SCALE
import StrictJSON
import Substrate
import TextForms

/// Moonbeam 2700, as it would be if its chain checked the metadata hash. No captured chain of Ethereum's accounts does,
/// so the extension is added to captured metadata.
package enum CheckedMoonbeam {
    package static let genesis = "fe58ea77779b7abda7da4ec526d14db9b1e9cd40a217c34892af80a9b332b76d"

    /// A node of it.
    ///
    /// - Parameter folder: that of the data.
    package static func node(in folder: URL) throws -> CapturedNode {
        try CapturedNode(
            blob: metadata(Array(Data(contentsOf: folder.appending(path: "metadata/moonbeam_v15.scale")))),
            genesis: genesis, prefix: 1284, token: (18, "GLMR"))
    }

    private static func metadata(_ blob: [UInt8]) throws -> [UInt8] {
        let types = try FullMetadata(blob).types
        guard let mode = types.firstIndex(where: { $0.definition == .primitive(.u8) }),
            let hash = types.firstIndex(where: { $0.path == ["Option"] && holdsHash($0, types) }),
            // The list of extensions stands behind the types, whose paths name them too.
            let first = blob.ranges(of: string("CheckNonZeroSender")).last?.lowerBound, blob[first - 1] == 8 << 2,
            let last = blob.ranges(of: string("ChargeTransactionPayment")).last?.upperBound
        else { throw CocoaError(.fileReadCorruptFile) }
        var decoder = ScaleDecoder(blob, in: last..<blob.count)
        _ = try (decoder.compact32(), decoder.compact32())
        var added = ScaleEncoder()
        added.string(TransactionExtensions.metadataHashIdentifier)
        added.compact(mode)
        added.compact(hash)
        return blob[..<(first - 1)] + [9 << 2] + blob[first..<decoder.position] + added.bytes
            + blob[decoder.position...]
    }

    private static func string(_ text: String) -> [UInt8] {
        var encoder = ScaleEncoder()
        encoder.string(text)
        return encoder.bytes
    }

    private static func holdsHash(_ option: TypeDescription, _ types: [TypeDescription]) -> Bool {
        guard case .variant(let variants) = option.definition, let field = variants.last?.fields.first else {
            return false
        }
        let held = types[Int(field.type)]
        if case .array(length: 32, let item) = held.definition { return types[Int(item)].definition == .primitive(.u8) }
        return held.path.last == "H256"
    }
}
