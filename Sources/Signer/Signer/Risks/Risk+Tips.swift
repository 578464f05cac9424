import Substrate
import TextForms

extension Risk {
    /// What a person should know of the tips of several transactions that are signed together: each may be small, and
    /// all of them a large one. A tip that is large by itself is judged with its own transaction.
    static func ofTips(in members: [Answer]) -> [Risk] {
        let small = members.filter { member in !member.risks.contains { $0.rule == .largeTip } }
        guard small.count(where: { $0.tip > 0 }) > 1 else { return [] }
        return MemberTotals.all(of: small).compactMap { total in
            guard let network = total.member.network,
                network.isLarge(tip: total.tips, besides: total.sums.amounts)
            else { return nil }
            let tips = AnswerWording.text(of: total.tipAmount, on: network)
            let title = ForeignName.shown(network.title, as: .title)
            let message = "Tips of \(tips) in all, on \(title), go to whoever makes the blocks."
            var confirmation = Confirmation(
                rule: .largeTip, kind: .amount, text: network.digits(of: total.tips), call: 1)
            (confirmation.network, confirmation.message) = (network, message)
            return Risk(rule: .largeTip, calls: [], message: message, confirmations: [confirmation])
        }
    }
}

extension NetworkSpecs {
    /// Whether a tip is large: above one unit of the network, or above one hundredth of what is sent of its token.
    func isLarge(tip: UInt128, besides sums: [AssetAmount]) -> Bool {
        let sent = sums.first { $0.asset == .native }?.value ?? 0
        return oneUnit.map { tip > $0 } ?? false || sent > 0 && tip > sent / 100
    }

    /// An amount of the network's token as it is shown, without zeros at the end: `25` of `25.000 DOT`.
    func digits(of value: UInt128) -> String {
        let number = Amount(value, decimals: decimals, unit: unit).number
        guard number.contains(".") else { return number }
        let kept = number.reversed().drop { $0 == "0" }.drop { $0 == "." }
        return String(kept.reversed())
    }

    /// One of the network's token in its smallest unit; nil where 128 bits do not hold it.
    private var oneUnit: UInt128? {
        var unit: UInt128 = 1
        for _ in 0..<decimals {
            let (product, overflow) = unit.multipliedReportingOverflow(by: 10)
            guard !overflow else { return nil }
            unit = product
        }
        return unit
    }
}
