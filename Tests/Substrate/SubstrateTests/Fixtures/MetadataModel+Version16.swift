import MetadataDescriptions
import SCALE
import Substrate

/// What version 16 says beside what 15 says: the same for every model, most of it of the pallet System.
extension MetadataModel {
    static let deprecatedCalls = [
        (variantIndex: UInt8(0), deprecation: Deprecation.deprecatedWithoutNote),
        (variantIndex: 1, deprecation: .deprecated(note: "Use something else.", since: nil)),
        (variantIndex: 2, deprecation: .notDeprecated),
    ]
    static let deprecatedStorage = Deprecation.deprecated(note: "Ask the view function.", since: "1.2.0")
    static let deprecatedMethod = Deprecation.deprecatedWithoutNote
    static let deprecatedAPI = Deprecation.deprecated(note: "Old.", since: "3")
    static let apiVersion: UInt32 = 1_000_000
    static let viewFunctionID = [UInt8](repeating: 0x77, count: 32)

    static func deprecation(ofConstant name: String) -> Deprecation {
        name == "SS58Prefix" ? .deprecatedWithoutNote : .notDeprecated
    }

    static func deprecation(ofPallet name: String) -> Deprecation {
        name == "Historical" ? .deprecated(note: "Gone.", since: nil) : .notDeprecated
    }

    func write(_ deprecation: Deprecation, to encoder: inout ScaleEncoder) {
        switch deprecation {
        case .notDeprecated: encoder.integer(UInt8(0))
        case .deprecatedWithoutNote: encoder.integer(UInt8(1))
        case .deprecated(let note, let since):
            encoder.integer(UInt8(2))
            encoder.string(note)
            encoder.option(since) { $0.string($1) }
        }
    }

    func write(_ variants: [(variantIndex: UInt8, deprecation: Deprecation)], to encoder: inout ScaleEncoder) {
        encoder.sequence(variants) { encoder, variant in
            encoder.integer(variant.variantIndex)
            write(variant.deprecation, to: &encoder)
        }
    }

    func writeExtensionSets(to encoder: inout ScaleEncoder) {
        var sets = extensionSets
        if sets.isEmpty { sets = [(version: 0, positions: Array(extensions.indices))] }
        encoder.sequence(sets) { encoder, set in
            encoder.integer(set.version)
            encoder.sequence(set.positions) { $0.compact($1) }
        }
    }

    /// An associated type and a view function of the pallet System; none of any other.
    func writeAdditions(isSystem: Bool, to encoder: inout ScaleEncoder) {
        encoder.sequence(isSystem ? ["Hash"] : []) { encoder, name in
            encoder.string(name)
            encoder.compact(id("H256"))
            write(["What hashes are."], to: &encoder)
        }
        encoder.sequence(isSystem ? ["balance"] : []) { encoder, name in
            encoder.raw(Self.viewFunctionID)
            encoder.string(name)
            encoder.compact(1)
            encoder.string("account")
            encoder.compact(id("AccountId32"))
            encoder.compact(id("u128"))
            write(["What an account has."], to: &encoder)
            write(Deprecation.deprecated(note: "Soon.", since: "4"), to: &encoder)
        }
    }
}
