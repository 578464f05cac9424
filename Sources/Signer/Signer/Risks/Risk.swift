import Substrate

/// What a person should know before signing: a rule of `signer-product` section 12.1 that holds for a transaction.
public struct Risk: Hashable, Sendable {
    /// How grave a risk is.
    public enum Severity: String, Comparable, Sendable, CaseIterable {
        /// Worth knowing.
        case notice
        /// Worth looking at again.
        case warn
        /// The transaction is signed only after the person has typed ``Risk/confirmations``.
        case danger
        /// The transaction is not signed.
        case refuse

        /// Whether the left one is less grave.
        public static func < (left: Self, right: Self) -> Bool {
            guard let l = allCases.firstIndex(of: left), let r = allCases.firstIndex(of: right) else { return false }
            return l < r
        }
    }

    /// The rule that found it.
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
    /// Nobody signed the network's metadata.
    case unverifiedMetadata = "UnverifiedMetadata"
    /// The vault has newer metadata than the transaction was made for.
    case oldMetadata = "OldMetadata"
    /// The key's secret left the vault, or follows from one that did and from public keys.
    case exposedKey = "ExposedKey"
    /// The key is derived on the fly and not enabled in the network.
    case derivedOnTheFly = "DerivedOnTheFly"
    /// An address looks like one of the vault's own.
    case lookalikeAddress = "LookalikeAddress"
    /// Value goes where no account of a person is.
    case notAnAccount = "NotAnAccount"
    /// The destination is neither an address of this vault nor a contact.
    case unknownDestination = "UnknownDestination"
    /// All of an account's balance leaves.
    case wholeBalance = "WholeBalance"
    /// Somebody else may act for an account.
    case proxyChange = "ProxyChange"
    /// Who may act for an account changes.
    case rightsChange = "RightsChange"
    /// Who holds keys or rights changes.
    case keyRights = "KeyRights"
    /// Somebody else's account loses something.
    case othersAccount = "OthersAccount"
    /// Value is destroyed.
    case valueDestroyed = "ValueDestroyed"
    /// Anybody may buy what the account has, or take it in exchange.
    case openSale = "OpenSale"
    /// An XCM program leaves assets to nobody.
    case strandedAssets = "StrandedAssets"
    /// The call acts with the rights of the chain itself.
    case root = "Root"
    /// Only the hash or the bytes of a call are given.
    case hiddenCall = "HiddenCall"
    /// Several calls are signed at once.
    case batch = "Batch"
    /// Calls stand deep inside each other.
    case deepNesting = "DeepNesting"
    /// The transaction is valid for ever.
    case immortalEra = "ImmortalEra"
    /// The tip is large.
    case largeTip = "LargeTip"
    /// The fee is paid in another asset than the network's token.
    case feeAsset = "FeeAsset"
    /// The call acts for another account than the signer's.
    case foreignOrigin = "ForeignOrigin"
    /// The chain will not check what the transaction was shown with.
    case metadataHashOff = "MetadataHashOff"
    /// The metadata hash that is signed is not the vault's.
    case metadataHashMismatch = "MetadataHashMismatch"
    /// The metadata proof writes amounts or addresses otherwise than the vault's record of the network.
    case proofInfoMismatch = "ProofInfoMismatch"
    /// Arguments hold text that may be meant to mislead.
    case textInArguments = "TextInArguments"
    /// Arguments could not be put in words.
    case notInWords = "NotInWords"
    /// Nothing is known of what the call does.
    case unclassifiedCall = "UnclassifiedCall"
    /// The message is no text.
    case binaryMessage = "BinaryMessage"

    /// The most severe that it can be: a call without a rule is a notice where it holds nothing that could be judged.
    public var severity: Risk.Severity {
        switch self {
        case .metadataHashMismatch: .refuse
        case .exposedKey, .derivedOnTheFly, .lookalikeAddress, .notAnAccount, .proxyChange, .rightsChange,
            .valueDestroyed, .root,
            .hiddenCall, .largeTip:
            .danger
        case .unverifiedMetadata, .oldMetadata, .wholeBalance, .keyRights, .othersAccount, .openSale,
            .strandedAssets, .deepNesting, .immortalEra, .feeAsset, .foreignOrigin, .proofInfoMismatch,
            .textInArguments,
            .notInWords, .unclassifiedCall:
            .warn
        case .unknownDestination, .batch, .metadataHashOff, .binaryMessage: .notice
        }
    }
}
