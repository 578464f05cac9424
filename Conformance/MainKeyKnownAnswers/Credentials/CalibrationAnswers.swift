import KnownAnswers
import MainKey

/// The cost of Argon2id on machines of other speeds and sizes.
enum CalibrationAnswers: AnswerList {
    static func recognises(_ content: JSON) -> Bool { content["cases"].has("rate_ns_per_MiB_pass", "ramMiB") }

    static func check(_ content: JSON, file: AnswerFile, report: inout Report) throws {
        guard let target = content["target_ms"].int else { throw RowError.missing("target_ms") }
        report.check(content["cases"]) { row in
            let machine = Argon2Calibration(
                nanosecondsPerMiB: try row.integer("rate_ns_per_MiB_pass"), memoryMiB: try row.integer("ramMiB"),
                // Zero says that there is none.
                groupLimitMiB: row["cgroupMiB"].int.flatMap { $0 == 0 ? nil : $0 })
            let cost = machine.cost(target: .milliseconds(target))
            row.expect("t", Int(cost.passes), equals: row["t"].int)
            row.expect("mMiB", Int(cost.memoryKiB) >> 10, equals: row["mMiB"].int)
        }
    }
}
