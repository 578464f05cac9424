import HardwareKeys
import KnownAnswers

/// The Names of a TPM's indices and the digests of policies.
enum TPMPolicyAnswers: AnswerList {
    static func recognises(_ content: JSON) -> Bool { content["cases"].has("counterIndex", "pinIndex", "template1") }

    static func check(_ content: JSON, file: AnswerFile, report: inout Report) {
        report.check(content["cases"]) { row in
            let counter: UInt32 = try row.integer("counterIndex")
            let pin: UInt32 = try row.integer("pinIndex")
            let value: UInt64 = try row.integer("counterValue")
            for (name, index) in [("counter", TPMIndex.counter(counter)), ("pin", TPMIndex.pin(pin))] {
                row.expect("\(name)Attributes", index.writtenAttributes, equals: try row.integer("\(name)Attributes"))
                row.expect("\(name)AuthPolicy", index.authPolicy, equals: try row.bytes("\(name)AuthPolicy"))
                row.expect("\(name)Name", index.name, equals: try row.bytes("\(name)Name"))
            }
            let policies: [TPMPolicy] = [
                .authorisation, .counter(index: counter, value: value),
                // The limit is no part of the digest.
                .limited(counter: counter, value: value, pin: pin, limit: 1),
            ]
            for policy in policies {
                let name = "template\(policy.template)"
                row.expect(name, policy.digest, equals: try row.bytes(name))
            }
        }
    }
}
