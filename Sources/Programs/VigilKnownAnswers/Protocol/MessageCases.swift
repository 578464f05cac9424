import CodeMeasurement
import KnownAnswers
import Vigil

/// One message of the other side, and what each side makes of it.
enum MessageCases {
    /// - Parameter good: the conversation that the message is a part of, where the case does not say otherwise.
    static func check(_ row: inout Row, _ good: JSON) throws {
        let name = try row.text("name")
        let outcome = try row.text("side") == "validator" ? validator(row) : client(row, good)
        row.expect(name, outcome, equals: try row.text("expect"))
    }

    private static func validator(_ row: Row) throws -> String {
        let check = RequestCheck(
            challenge: try row.bytes("challenge"), pin: try pin(row, "pinnedApp"),
            expectedHash: try row.digest("expectedAppHash"), epoch: try row.integer("epoch"))
        let message = try row.bytes("message")
        do throws(Refusal) { _ = try check.accept(message) } catch { return "\(error.reason)" }
        return "ok"
    }

    private static func client(_ row: Row, _ good: JSON) throws -> String {
        let request = row["request"].isNull ? good["request"].hex : row["request"].hex
        guard let request else { throw RowError.missing("request") }
        let check = ResponseCheck(
            challenge: try row.bytes("challenge"), request: request, pin: try pin(row, "pinnedValidator"),
            expectedHash: try row.digest("expectedValidatorHash"), epoch: try row.integer("epoch"))
        let message = try row.bytes("message")
        do throws(Refusal) {
            switch try check.accept(message) {
            case .valid: return "ok"
            case .invalid(_, let reason): return "remote:\(reason)"
            }
        } catch {
            return "\(error.reason)"
        }
    }

    private static func pin(_ row: Row, _ key: String) throws -> Pin {
        if row[key].isNull || row[key].string == "" { return .none }
        return .active(try row.publicKey(key), .software)
    }
}
