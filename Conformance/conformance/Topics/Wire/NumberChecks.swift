import KnownAnswers
import SCALE
import Substrate
import TextForms

/// `{"valid": [{bits, value, hex}], "edge": [{bits, hex, value or error}]}`
enum CompactCheck: AnswerList {
    static func recognises(_ content: JSON) -> Bool {
        content.has("valid") && content["valid"].has("bits", "value", "hex")
    }

    static func check(_ content: JSON, file: AnswerFile, report: inout Report) {
        for list in ["valid", "edge", "invalid"] where content.has(list) {
            for (index, item) in content[list].rows.enumerated() {
                check(item, name: file.name("\(list)[\(index)]"), report: &report)
            }
        }
    }

    private static func check(_ item: JSON, name: String, report: inout Report) {
        guard let hex = item["hex"].hex, let bits = item["bits"].int else {
            return report.fail(name, because: "no hex or bits")
        }
        var decoder = ScaleDecoder(hex)
        let value = try? decoder.compact(bits: bits)
        guard item["ok"].bool != false, let expected = item["value"].string else {
            return report.expect(name, value.map(String.init), equals: nil)
        }
        guard let value else { return report.fail(name, because: "refused, expected \(expected)") }
        report.expect(name, String(value), equals: expected)
        var encoder = ScaleEncoder()
        encoder.compact(value)
        report.expect("\(name) encoded", encoder.bytes, equals: Array(hex.prefix(decoder.position)))
    }
}

/// `[{hex, kind, phase, period}]` or `{hex, error}`
enum EraCheck: AnswerList {
    static func recognises(_ content: JSON) -> Bool {
        content.array.first.map { $0.has("hex", "kind") || $0.has("hex", "error") } ?? false
            && content.array.contains { $0.has("phase", "period") }
    }

    static func check(_ content: JSON, file: AnswerFile, report: inout Report) {
        for (index, item) in content.array.enumerated() {
            let name = file.name("[\(index)]")
            guard let hex = item["hex"].hex else {
                report.fail(name, because: "no hex")
                continue
            }
            var decoder = ScaleDecoder(hex)
            do {
                let era = try Era(from: &decoder)
                report.expect(name, decoder.isAtEnd ? describe(era) : "bytes left over", equals: expected(item))
                if era.encoded != hex { report.fail(name, because: "encodes as \(Hex.encode(era.encoded))") }
            } catch {
                report.expect(name, error.code, equals: item["error"].string ?? expected(item))
            }
        }
    }

    private static func describe(_ era: Era) -> String {
        switch era {
        case .immortal: "immortal"
        case .mortal(let phase, let period): "mortal \(phase) \(period)"
        }
    }

    private static func expected(_ item: JSON) -> String {
        item["kind"].string == "mortal"
            ? "mortal \(item["phase"].string ?? "?") \(item["period"].string ?? "?")"
            : item["kind"].string ?? "an error"
    }
}

/// `[{value, decimals, unit, shown}]`
enum BalanceCheck: AnswerList {
    static func recognises(_ content: JSON) -> Bool {
        content.has("value", "decimals", "unit", "shown")
    }

    static func check(_ content: JSON, file: AnswerFile, report: inout Report) {
        for (index, item) in content.array.enumerated() {
            let name = file.name("[\(index)]")
            guard let value = item["value"].string.flatMap({ UInt128($0) }), let unit = item["unit"].string,
                let decimals = item["decimals"].int.flatMap({ UInt8(exactly: $0) })
            else {
                report.fail(name, because: "no value, decimals or unit")
                continue
            }
            let amount = Amount(value, decimals: decimals, unit: unit)
            report.expect(name, amount.description, equals: item["shown"].string ?? "")
        }
    }
}
