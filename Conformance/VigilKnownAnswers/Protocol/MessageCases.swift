import CodeMeasurement
import KnownAnswers
import Vigil

/// One message of the other side, and what each side makes of it.
enum MessageCases {
    /// - Parameter good: the conversation that the message is a part of, where the case does not say otherwise.
    static func check(_ row: inout Row, _ good: JSON) throws {
        let name = try row.text("name")
        let isOfValidator = try row.choice("side", ["validator": true, "client": false])
        let outcome = try isOfValidator ? validator(row) : client(row, good)
        row.expect(name, outcome, equals: try row.text("expect"))
    }

    private static func validator(_ row: Row) throws -> String {
        let known = try Known(row, pin: "pinnedApp", hash: "expectedAppHash")
        do {
            let check = RequestCheck(
                challenge: try Sent(Received(known.challenge)), pin: known.pin, expectedHash: known.hash,
                epoch: known.epoch)
            _ = try check.accept(try Sent(Received(known.message)))
        } catch {
            return "\(error.reason)"
        }
        return "ok"
    }

    private static func client(_ row: Row, _ good: JSON) throws -> String {
        let request = row["request"].isNull ? good["request"].hex : row["request"].hex
        guard let request else { throw RowError.missing("request") }
        let known = try Known(row, pin: "pinnedValidator", hash: "expectedValidatorHash")
        do {
            let check = ResponseCheck(
                challenge: try Sent(Received(known.challenge)), request: try Sent(Received(request)), pin: known.pin,
                expectedHash: known.hash, epoch: known.epoch)
            switch try check.accept(try Sent(Received(known.message))) {
            case .valid: return "ok"
            case .invalid(_, let reason): return "remote:\(reason)"
            }
        } catch {
            return "\(error.reason)"
        }
    }

    /// What one side knows, and what it receives.
    private struct Known {
        let challenge, message: [UInt8]
        let pin: Pin
        let hash: Bytes32
        let epoch: UInt32

        init(_ row: Row, pin: String, hash: String) throws {
            challenge = try row.bytes("challenge")
            message = try row.bytes("message")
            self.pin = try MessageCases.pin(row, pin)
            self.hash = try row.digest(hash)
            epoch = try row.integer("epoch")
        }
    }

    private static func pin(_ row: Row, _ key: String) throws -> Pin {
        if row[key].isNull || row[key].string == "" { return .none }
        return .active(try row.publicKey(key), .software)
    }
}

extension Row {
    /// A message of a conversation, read as one that was received.
    func sent<Message: WireMessage>(_ key: String, as _: Message.Type) throws -> Sent<Message> {
        try Sent(Received(try bytes(key)))
    }
}
