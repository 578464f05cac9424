import CertificatePins
import Foundation
import KnownAnswers

/// The names of certificates' keys, and which chains a set of pins allows. The certificates lie in the folder of the
/// list's name, as `NAME.der`.
enum PinAnswers: AnswerList {
    static func recognises(_ content: JSON) -> Bool {
        content.has("pins", "cases") && content["cases"].has("pins", "chain")
    }

    static func check(_ content: JSON, file: AnswerFile, report: inout Report) {
        for (name, pin) in content["pins"].object.sorted(by: { $0.key < $1.key }) {
            report.check(pin, as: name) { row in
                let certificate = try file.inside("\(name).der").bytes()
                row.expect("pin", try SPKIPin(certificate: certificate).description, equals: row.json.string)
            }
        }
        report.check(content["cases"]) { row in
            let chain = try row["chain"].strings.map { try file.inside("\($0).der").bytes() }
            row.expect("verdict", verdict(row["pins"].strings, on: chain), equals: try row.text("expect"))
        }
    }

    private static func verdict(_ pins: [String], on chain: [[UInt8]]) -> String {
        do {
            switch try PinSet(pins).verdict(on: chain, at: Date()) {
            case .allow: return "allow"
            case .deny: return "deny"
            }
        } catch {
            return error.code
        }
    }
}
