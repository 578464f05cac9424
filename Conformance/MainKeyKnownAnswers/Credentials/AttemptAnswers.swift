import KnownAnswers
import MainKey

/// How long wrong credentials have to wait, and the file that counts them.
enum AttemptAnswers: AnswerList {
    static func recognises(_ content: JSON) -> Bool {
        content.has("vaultID", "schedule_s") || content["remaining"].has("failed", "lastFailureBoottimeMs")
    }

    static func check(_ content: JSON, file: AnswerFile, report: inout Report) throws {
        guard let vault = content["vaultID"].hex else { throw RowError.missing("vaultID") }
        checkSchedule(content["schedule_s"], of: "\(file.path) schedule_s", report: &report)
        // What is done about a record that is not there is up to the vault, which the tests of MainKey have.
        content.leave("onMissingOrMalformed")
        report.check(content["remaining"]) { row in
            try checkRemaining(&row, vault)
        }
        report.check(content["files"]) { row in try checkFile(&row, vault) }
    }

    private static func checkSchedule(_ schedule: JSON, of list: String, report: inout Report) {
        for (failures, delay) in schedule.object.sorted(by: { $0.key < $1.key }) {
            guard let count = UInt32(failures) else {
                report.fail("\(list)[\(failures)]", because: "this is no number of failures")
                continue
            }
            report.expect(
                "\(list)[\(failures)]", Int(AttemptRecord.delaySeconds(afterFailures: count)), equals: delay.int)
        }
    }

    private static func checkRemaining(_ row: inout Row, _ vault: [UInt8]) throws {
        let record = AttemptRecord(
            vaultID: vault, failed: try row.integer("failed"),
            lastFailure: BootInstant(
                bootID: try row.bytes("bootID"), milliseconds: try row.integer("lastFailureBoottimeMs")))
        let now = BootInstant(bootID: try row.bytes("nowBootID"), milliseconds: try row.integer("nowBoottimeMs"))
        row.expect("remainingMs", record.remainingMilliseconds(at: now), equals: try row.integer("remainingMs"))
    }

    private static func checkFile(_ row: inout Row, _ vault: [UInt8]) throws {
        let bytes = try row.bytes("hex")
        guard let record = try row.outcome({ try AttemptRecord(parsing: bytes, vaultID: vault) }) else { return }
        let expected = AttemptRecord(
            vaultID: vault, failed: try row.integer("failed"),
            lastFailure: BootInstant(
                bootID: try row.bytes("bootID"), milliseconds: try row.integer("lastFailureBoottimeMs")))
        row.expect("record", record, equals: expected)
        row.expect("written", record.encoded, equals: bytes)
    }
}
