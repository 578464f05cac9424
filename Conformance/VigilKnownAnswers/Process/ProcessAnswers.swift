import CodeMeasurement
import ExecutableImage
import KnownAnswers

/// Files of `/proc` that were captured from a demo program, clean and attacked, with the verdicts that they lead to.
package enum ProcessAnswers: AnswerList {
    package static func recognises(_ content: JSON) -> Bool {
        content.has("bundleRoot", "images", "scenarios")
    }

    package static func check(_ content: JSON, file: AnswerFile, report: inout Report) {
        if file.beside("app").exists { report.check(content["images"], checkImage) }
        // How each was made, and a reading of the kernel that is not used.
        report.check(content["scenarios"], besides: ["cmdline", "scenario", "smapsReduced"]) { row in
            let scenario = try CapturedProcess(row, of: content)
            let verdict = try scenario.verdict()
            row.expect("result", "\(verdict.reason)", equals: row["expect"]["result"].string)
            row.expect("rule", verdict.ruleID, equals: row["expect"]["rule"].string)
            if let mapping = row["expect"]["mapping"].string {
                row.expect("mapping", verdict.finding?.path, equals: mapping)
            }
            let flags = verdict.flags.contains(.executableDeleted) ? ["executableDeleted"] : []
            row.expect("flags", flags, equals: row["expect"]["flags"].strings)
            if let path = row["expect"]["manifestPath"].string, let root = content["bundleRoot"].string {
                row.expect("path in the manifest", scenario.mappedPath, equals: "\(root)/\(path)")
            }
            row.expect("pid", ProcessStat(try scenario.text("stat"))?.process, equals: row["pid"].int.map(Int32.init))
            row.expect("path of the program", scenario.mappedPath, equals: row["exeLink"].string)
        }
    }

    /// The program's files, which lie beside the list under the last part of their paths.
    private static func checkImage(_ row: inout Row) throws {
        let name = try row.text("path").split(separator: "/").last.map(String.init) ?? ""
        let parsed = try ExecutableFile(parsing: BytesInMemory(row.file(named: name)))
        row.expect(
            "text2", try parsed.digests([.text2]).images.map { $0.text2?.description }, equals: [row["text2"].string])
        let segments = parsed.images.flatMap(\.coveredSegments).map(JSON.init(segment:))
        row.expect("segments", segments, equals: row["segments"].array)
    }
}
