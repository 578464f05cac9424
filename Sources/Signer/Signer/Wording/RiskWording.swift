import Substrate

extension Risk {
    /// The calls that it is about in brackets, where there are several; empty else.
    ///
    /// - Parameter count: calls of the transaction.
    package func callsInWords(of count: Int?) -> String {
        guard let count, count > 1, !calls.isEmpty else { return "" }
        if calls.count == count { return " (every call)" }
        return " (call \(Self.ranges(calls)))"
    }

    /// Numbers in short form, as `1, 3-5`.
    package static func ranges(_ numbers: [Int]) -> String {
        var runs: [ClosedRange<Int>] = []
        for number in numbers {
            if let last = runs.last, last.upperBound + 1 == number {
                runs[runs.count - 1] = last.lowerBound...number
            } else {
                runs.append(number...number)
            }
        }
        return runs.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)" }
            .joined(separator: ", ")
    }
}

extension RiskRule {
    /// What it is called above its text.
    package var title: String {
        switch self {
        case .unverifiedMetadata: "Nobody vouches for this network"
        case .oldMetadata: "Read with older metadata"
        case .exposedKey: "The key's secret may be out"
        case .derivedOnTheFly: "A key that this network does not have"
        case .lookalikeAddress: "An address that looks like another"
        case .notAnAccount: "The destination is no account"
        case .unknownDestination: "An unknown destination"
        case .wholeBalance: "The account may be left empty"
        case .proxyChange: "Somebody else may act for you"
        case .rightsChange: "Rights go to somebody else"
        case .keyRights: "Keys or rights change"
        case .othersAccount: "What another account has is moved"
        case .openSale: "Anybody may buy it, or take it in exchange"
        case .strandedAssets: "Nobody gets what a program holds"
        case .valueDestroyed: "Something is destroyed for ever"
        case .root: "The rights of the chain itself"
        case .hiddenCall: "A call that cannot be seen"
        case .batch: "Several calls at once"
        case .deepNesting: "Calls deep inside each other"
        case .immortalEra: "The signature never expires"
        case .largeTip: "A large tip"
        case .feeAsset: "The fee is paid in another asset"
        case .foreignOrigin: "It acts for another account, or may"
        case .metadataHashOff: "The chain will not check what you see"
        case .metadataHashMismatch: "Other metadata than those of this vault"
        case .proofInfoMismatch: "The proof writes amounts in its own way"
        case .textInArguments: "Text that may mislead"
        case .notInWords: "Not all of it is in words"
        case .unclassifiedCall: "A call without a rule"
        case .binaryMessage: "A message that is no text"
        }
    }
}
