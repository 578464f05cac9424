import ForceField
import ForceFieldWire
import KnownAnswers

/// Frames that a host refuses, each in the state that the file describes: one unary request open, nothing granted.
enum ViolationAnswers: AnswerList {
    static func recognises(_ content: JSON) -> Bool { content.has("state", "frames") }

    static func check(_ content: JSON, file: AnswerFile, report: inout Report) throws {
        let state = "after HELLO/WELCOME, one unary request id 1 outstanding, no capabilities"
        guard content["state"].string == state else { throw RowError.missing("the state that is made here") }
        report.check(content["frames"]) { row in
            var host = try KnownConversation.host(ChannelTerms(interfaceHash: 0))
            _ = try host.request(MethodID(name: "echo"), .unary(maxReply: 1 << 20), body: [], at: .now)
            let bytes = try row.bytes("hex")
            var outcome = "ok"
            do { _ = try KnownConversation.events(of: bytes, read: &host) } catch ChannelFault.violation(let code) {
                outcome = code.rawValue
            }
            row.expect(try row.text("name"), outcome, equals: try row.text("violation"))
        }
    }
}
