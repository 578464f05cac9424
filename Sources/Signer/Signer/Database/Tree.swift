/// The ordered maps of the cold database (`signer-product` section 1.1). The names are part of its digest.
package enum Tree: String, CaseIterable, Sendable {
    case addresses
    case chainspecs
    case contacts
    case history
    case metadata
    case settings
    case transaction
    case verifiers

    /// The trees that a file of this schema has.
    static func all(ofSchema schema: UInt32) -> [Tree] {
        schema < ColdDatabase.schemaVersion ? allCases.filter { $0 != .contacts } : allCases
    }
}

/// Keys of the tree `settings`.
enum Setting: String {
    case types
    case generalVerifier = "general_verifier"
    case dangerousEncounter = "dangerous_encounter"
    case schemaVersion = "schema_version"

    var key: [UInt8] { Array(rawValue.utf8) }
}
