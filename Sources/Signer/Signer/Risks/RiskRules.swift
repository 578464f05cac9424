import Substrate
import TextForms

extension RiskContext {
    /// Every rule that holds, the most severe first.
    func risks() -> [Risk] {
        let findings = CallFindings(of: self)
        return RiskRule.allCases.compactMap { rule in
            if let found = findings[rule] { return found.risk(rule) }
            return finding(rule).map { message in
                var confirmation = confirmation(rule)
                confirmation?.message = message
                return Risk(rule: rule, calls: [], message: message, confirmations: [confirmation].compactMap(\.self))
            }
        }.sorted { $0.severity > $1.severity }
    }

    /// What confirms a danger of the transaction as a whole.
    private func confirmation(_ rule: RiskRule) -> Confirmation? {
        switch rule {
        case .exposedKey, .derivedOnTheFly: .signer(signer?.text ?? "", rule)
        case .largeTip: Confirmation(rule: rule, kind: .amount, text: network.digits(of: extensions.tip ?? 0), call: 1)
        default: nil
        }
    }

    // MARK: The transaction as a whole

    private func finding(_ rule: RiskRule) -> String? {
        switch rule {
        case .unverifiedMetadata where metadata.isUnverified:
            "Nobody vouches for what this vault knows of \(title): what is shown may be a lie."
        case .oldMetadata where metadata.used < metadata.latest:
            "Read with version \(metadata.used) of the metadata; version \(metadata.latest) is stored."
        case .exposedKey where isKeyExposed:
            Risk.exposedKeyMessage
        case .derivedOnTheFly:
            onTheFly.map { key in
                let path = key.path.isEmpty ? "(none: the root itself)" : ForeignName.shown(key.path, as: .title)
                return "Signed by a key that is derived on the fly and not enabled in \(title): seed "
                    + "\(ForeignName.shown(key.seed, as: .title)) with the root \(key.root.text), path \(path), address "
                    + "\(key.address.text)."
            }
        case .batch where effects.leaves.count > 1: "\(effects.leaves.count) calls in one transaction\(totals)."
        case .immortalEra where extensions.isImmortal:
            "The signature never expires: if this is not sent now, it can be sent years later."
        case .largeTip: largeTip
        case .feeAsset: feeAsset
        case .metadataHashOff where extensions.checksMetadataHash == false:
            "The chain will not check that it was shown as it is: the wallet switched the check of the metadata hash off."
        case .metadataHashMismatch: extensions.hashMismatch?.description
        default: nil
        }
    }

    private var title: String { ForeignName.shown(network.title, as: .title) }

    /// An amount, fit for a sentence of this program's.
    func shown(_ amount: AssetAmount) -> String { AnswerWording.text(of: amount, on: network) }

    private var totals: String {
        let texts = effects.totals.map(shown)
        let leftOut = effects.sums.leftOut.map { ForeignName.shown("\($0)", as: .sentence) }
        return (texts.isEmpty ? "" : ", together \(texts.joined(separator: " and "))")
            + (leftOut.isEmpty ? "" : ", not counted: \(leftOut.joined(separator: ", "))")
    }

    private var feeAsset: String? {
        guard let asset = extensions.feeAsset else { return nil }
        let name = ForeignName.shown(asset.title(on: network), as: .sentence)
        let what = extensions.tip.map { $0 > 0 } == true ? "The fee and the tip are" : "The fee is"
        return "\(what) paid in \(name), at the price of the moment and without a limit: a total does not count it."
    }

    private var largeTip: String? {
        guard let tip = extensions.tip, network.isLarge(tip: tip, besides: effects.totals) else { return nil }
        return "A tip of \(shown(AssetAmount(asset: .native, value: tip))) goes to whoever makes the block."
    }
}
