import KnownAnswers
import MainKey
import SecretMemory

/// The list of PINs that are tried first, one a line, in lower case. The library's list has to be the same.
enum PINBlockListAnswers {
    @Sendable static func check(_ file: AnswerFile, report: inout Report) {
        guard let entries = try? file.text().split(separator: "\n"), !entries.isEmpty, entries.allSatisfy(isEntry)
        else {
            report.fail(file.path, because: "no check takes a text of this shape")
            return
        }
        for (index, entry) in entries.enumerated() {
            report.expect("\(file.path)[\(index)] \(entry)", PINBlockList.entries.contains(String(entry)), equals: true)
        }
        let others = Set(PINBlockList.entries).subtracting(entries.map(String.init))
        report.expect("\(file.path) what only the library has", others, equals: [])
    }

    private static func isEntry(_ line: Substring) -> Bool {
        PINPolicy.byteCounts.contains(line.utf8.count)
            && line.utf8.allSatisfy { (0x21...0x7e).contains($0) } && line == line.lowercased()
    }
}
