import Substrate

/// What a person should know before signing: a rule of `signer-product` section 12.1 that holds for a transaction.
public struct Risk: Hashable, Sendable {
    public enum Severity: String, Comparable, Sendable, CaseIterable {
        case notice
        case warn
        /// Signed only after the person has typed ``Risk/confirmations``.
        case danger
        /// Not signed.
        case refuse

        public static func < (left: Self, right: Self) -> Bool {
            guard let l = allCases.firstIndex(of: left), let r = allCases.firstIndex(of: right) else { return false }
            return l < r
        }
    }

    public var rule: RiskRule
    /// Numbers of the calls it holds for, from 1; empty where it holds for the transaction as a whole.
    public var calls: [Int]
    /// In plain words, with what was found.
    public var message: String
    /// What the person types to show that the danger was seen; empty below ``Severity/danger``.
    public var confirmations: [Confirmation]

    public var severity: Severity { rule.severity }
}

/// What a person types before something dangerous is signed.
public struct Confirmation: Hashable, Sendable {
    public enum Kind: String, Sendable {
        /// The last five characters of the address.
        case destination
        /// The name of the method, where there is no destination.
        case method
        /// The last five characters of the address that signs.
        case author
    }

    public var kind: Kind
    public var text: String
    /// The number of the call that it is taken from.
    public var call: Int
    /// The number, from 1, of the transaction in a bulk; nil outside of one.
    public var member: Int?

    static let characters = 5
}

/// The rules, in the order in which they are listed.
public enum RiskRule: String, CaseIterable, Sendable {
    case unverifiedMetadata = "UnverifiedMetadata"
    case oldMetadata = "OldMetadata"
    case exposedKey = "ExposedKey"
    case derivedOnTheFly = "DerivedOnTheFly"
    case lookalikeAddress = "LookalikeAddress"
    case unknownDestination = "UnknownDestination"
    case wholeBalance = "WholeBalance"
    case proxyChange = "ProxyChange"
    case keyRights = "KeyRights"
    case root = "Root"
    case hiddenCall = "HiddenCall"
    case batch = "Batch"
    case deepNesting = "DeepNesting"
    case immortalEra = "ImmortalEra"
    case largeTip = "LargeTip"
    case foreignOrigin = "ForeignOrigin"
    case metadataHashOff = "MetadataHashOff"
    case metadataHashMismatch = "MetadataHashMismatch"
    case textInArguments = "TextInArguments"

    public var severity: Risk.Severity {
        switch self {
        case .metadataHashMismatch: .refuse
        case .exposedKey, .derivedOnTheFly, .lookalikeAddress, .proxyChange, .root, .hiddenCall, .largeTip: .danger
        case .unverifiedMetadata, .oldMetadata, .wholeBalance, .keyRights, .deepNesting, .immortalEra, .foreignOrigin,
            .textInArguments:
            .warn
        case .unknownDestination, .batch, .metadataHashOff: .notice
        }
    }
}
