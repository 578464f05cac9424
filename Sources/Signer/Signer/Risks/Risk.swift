import Substrate

/// What a person should know before signing: a rule of `signer-product` section 12.1 that holds for a transaction.
public struct Risk: Hashable, Sendable {
    public enum Severity: String, Comparable, Sendable, CaseIterable {
        case notice
        case warn
        /// The transaction is signed only after the person has typed ``Risk/confirmations``.
        case danger
        /// The transaction is not signed.
        case refuse

        public static func < (left: Self, right: Self) -> Bool {
            guard let l = allCases.firstIndex(of: left), let r = allCases.firstIndex(of: right) else { return false }
            return l < r
        }
    }

    public var rule: RiskRule
    /// Numbers of the calls it holds for, from 1; empty where it holds for the transaction as a whole.
    public var calls: [Int]
    /// What was found, in plain words.
    public var message: String
    /// What the person types to show that the danger was seen; empty below ``Severity/danger``.
    public var confirmations: [Confirmation]

    /// The severity of the rule, or a lower one where what was found is less.
    public var severity: Severity

    init(
        rule: RiskRule, calls: [Int], message: String, confirmations: [Confirmation], severity: Severity? = nil
    ) {
        self.rule = rule
        self.calls = calls
        self.message = message
        self.confirmations = confirmations
        self.severity = severity ?? rule.severity
    }
}

/// The rules, in the order in which they are listed.
public enum RiskRule: String, CaseIterable, Sendable {
    case unverifiedMetadata = "UnverifiedMetadata"
    case oldMetadata = "OldMetadata"
    case exposedKey = "ExposedKey"
    case derivedOnTheFly = "DerivedOnTheFly"
    case lookalikeAddress = "LookalikeAddress"
    case notAnAccount = "NotAnAccount"
    case unknownDestination = "UnknownDestination"
    case wholeBalance = "WholeBalance"
    case proxyChange = "ProxyChange"
    case rightsChange = "RightsChange"
    case keyRights = "KeyRights"
    case othersAccount = "OthersAccount"
    case valueDestroyed = "ValueDestroyed"
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
    case notInWords = "NotInWords"
    case unclassifiedCall = "UnclassifiedCall"
    case binaryMessage = "BinaryMessage"

    /// The most severe that it can be: a call without a rule is a notice where it holds nothing that could be judged.
    public var severity: Risk.Severity {
        switch self {
        case .metadataHashMismatch: .refuse
        case .exposedKey, .derivedOnTheFly, .lookalikeAddress, .notAnAccount, .proxyChange, .rightsChange,
            .valueDestroyed, .root,
            .hiddenCall, .largeTip:
            .danger
        case .unverifiedMetadata, .oldMetadata, .wholeBalance, .keyRights, .othersAccount, .deepNesting, .immortalEra,
            .foreignOrigin, .textInArguments, .notInWords, .unclassifiedCall:
            .warn
        case .unknownDestination, .batch, .metadataHashOff, .binaryMessage: .notice
        }
    }
}
