import CForceField
import Glibc
import KnownAnswers

/// What profile `compute` says of each system call, written down apart from the code.
package struct CallTable: Sendable {
    package enum Action: Equatable, Sendable {
        case allow
        case fail(Int32)
        case kill
    }

    package struct Row: Sendable {
        package let name: String
        package let x86: UInt32?
        package let aarch64: UInt32?
        package let isConditional: Bool
        /// What the filter does with the call; for a conditional one, where its condition does not hold.
        package let action: Action
        package let isForExec: Bool

        package func number(_ architecture: UInt32) -> UInt32? {
            architecture == CFORCEFIELD_X86_64 ? x86 : aarch64
        }
    }

    package let rows: [Row]

    package static let errors: [String: Int32] = [
        "EPERM": EPERM, "ENOENT": ENOENT, "EACCES": EACCES, "EINVAL": EINVAL, "ENOTTY": ENOTTY, "ENOSYS": ENOSYS,
    ]

    /// - Parameter lines: of `seccomp_compute.tsv`.
    package init(_ lines: [String]) throws {
        var rows: [Row] = []
        var isForExec = false
        for line in lines {
            if line.hasPrefix("#") {
                isForExec = line.contains("exec mode only")
                continue
            }
            let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            guard fields.count == 6 else { throw RowError.missing("six columns in “\(line)”") }
            if fields[0].hasPrefix("(") { continue }
            let isStricter = CallCondition.stricterThanTable.contains(fields[0])
            let isConditional = fields[3] == "ALLOW_IF" || isStricter
            let action =
                isStricter
                ? "KILL" : isConditional ? fields[4].split(separator: ";").last.map(String.init) ?? "" : fields[3]
            rows.append(
                Row(
                    name: fields[0], x86: try Self.number(fields[1]), aarch64: try Self.number(fields[2]),
                    isConditional: isConditional,
                    action: try Self.action(action), isForExec: isForExec))
        }
        self.rows = rows
    }

    /// - Returns: nil for a call that the architecture does not have.
    private static func number(_ text: String) throws -> UInt32? {
        if text == "-" { return nil }
        guard let number = UInt32(text) else { throw RowError.missing("a number of a call, not “\(text)”,") }
        return number
    }

    private static func action(_ text: String) throws -> Action {
        let words = text.split(separator: " ").drop { $0 == "else" }
        switch words.first {
        case "ALLOW": return .allow
        case "KILL": return .kill
        case "ERRNO":
            guard let error = words.dropFirst().first.flatMap({ errors[String($0)] }) else {
                throw RowError.missing("an action in “\(text)”")
            }
            return .fail(error)
        default: throw RowError.missing("an action in “\(text)”")
        }
    }
}
