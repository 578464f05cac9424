import CodeMeasurement
import KnownAnswers

/// Files of `/proc` that were captured from a demo program, clean and attacked, with the verdicts that they lead to.
package enum ProcessAnswers: AnswerList {
    package static func recognises(_ content: JSON) -> Bool {
        content.has("bundleRoot", "images", "scenarios")
    }

    package static var members: Set<String>? { ["bundleRoot", "images", "allowedExternalPrefixes", "scenarios"] }

    package static func check(_ content: JSON, file: AnswerFile, report: inout Report) {
        // How each was made, and a reading of the kernel that is not used.
        report.check(content["scenarios"].array, of: file.path, besides: ["cmdline", "scenario", "smapsReduced"]) {
            row in
            let scenario = try CapturedProcess(row, of: content)
            let verdict = try scenario.verdict()
            row.expect("result", "\(verdict.reason)", equals: row["expect"]["result"].string)
            row.expect("rule", verdict.ruleID, equals: row["expect"]["rule"].string)
            if let mapping = row["expect"]["mapping"].string {
                row.expect("mapping", verdict.finding?.path, equals: mapping)
            }
            row.expect(
                "executableDeleted", verdict.flags.contains(.executableDeleted),
                equals: row["expect"]["flags"].strings.contains("executableDeleted"))
            row.expect("pid", ProcessStat(try scenario.text("stat"))?.process, equals: row["pid"].int.map(Int32.init))
            row.expect("path of the program", scenario.mappedPath, equals: row["exeLink"].string)
        }
    }
}
