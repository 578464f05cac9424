import BasicFoundation

/// The rules of a product, as they stand in the signed `vigil-behaviour.json`. Signatures are checked before.
///
/// Source: `vigil` section 9.3.
public struct BehaviourProfile: Hashable, Sendable {
    /// The rules, in the order in which they are checked.
    package let rules: [BehaviourRule]

    /// A profile without rules.
    public static let empty = BehaviourProfile(rules: [])

    /// The size of the largest profile, in bytes of JSON.
    package static let maximumSize = 256 << 10
    /// How many rules a profile may have.
    package static let maximumRuleCount = 256

    /// - Parameter rules: in the order in which they are checked.
    package init(rules: [BehaviourRule]) {
        self.rules = rules
    }

    /// Reads a profile. Members that are not known are passed over, as in the manifest; a field or an operation that is
    /// not known is an error, since the rule would not be kept.
    ///
    /// - Throws: ``BehaviourProfileError``.
    public init(json: [UInt8]) throws(BehaviourProfileError) {
        guard json.count <= Self.maximumSize else { throw .tooLarge }
        guard let form = try? JSONDecoder().decode(ProfileForm.self, from: Data(json)) else { throw .malformed }
        guard form.version == 2 else { throw .unsupportedVersion(form.version) }
        guard form.rules.count <= Self.maximumRuleCount else { throw .tooLarge }
        var rules: [BehaviourRule] = []
        for (index, rule) in form.rules.enumerated() {
            let rule = try rule.rule(index: index)
            guard !rules.contains(where: { $0.id == rule.id }) else {
                throw .rule(index: index, "the id is not unique")
            }
            rules.append(rule)
        }
        self.rules = rules
    }

    /// The profile as JSON, for people to read and to sign.
    public var json: [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let form = ProfileForm(version: 2, rules: rules.map(RuleForm.init))
        return (try? encoder.encode(form)).map(Array.init) ?? []
    }
}

/// Why a profile is not taken.
public enum BehaviourProfileError: Error, Hashable, Sendable, CustomStringConvertible {
    case tooLarge
    /// The bytes are not JSON, or not of this form.
    case malformed
    case unsupportedVersion(Int)
    case rule(index: Int, String)

    /// What is wrong, with which rule.
    public var description: String {
        switch self {
        case .tooLarge: "the profile is longer than 256 KiB or has more than 256 rules"
        case .malformed: "the profile is not JSON of the form {\"version\": 2, \"rules\": […]}"
        case .unsupportedVersion(let version): "the profile has version \(version); this program knows version 2"
        case .rule(let index, let reason): "rule \(index) of the profile: \(reason)"
        }
    }
}
