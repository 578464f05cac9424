/// One known answer that was checked.
package struct CheckedRow: Sendable {
    /// File, list and place, as `sr25519.json verify[3]`.
    package var name: String
    /// What the row calls itself; nil where it has no name.
    package var id: String?
    /// What did not fit; empty where all does.
    package var differences: [String]
    /// Why this build does not check it.
    package var skipReason: String?
}

/// Counts what a topic has checked and prints each failure as it happens.
package struct Report {
    package private(set) var passed = 0
    /// Each as it was printed or told.
    package private(set) var failures: [String] = []
    package var failed: Int { failures.count }
    package private(set) var skipped = 0
    private var skipReasons: [String: Int] = [:]
    private var notes: [String] = []

    private let each: (@Sendable (CheckedRow) -> Void)?

    /// - Parameter each: called for each answer with what came of it, in the place of what is printed of failures.
    package init(each: (@Sendable (CheckedRow) -> Void)? = nil) { self.each = each }

    package mutating func pass() { passed += 1 }

    /// - Parameter name: file and case, as `sr25519.json verify[3]`.
    package mutating func fail(_ name: String, because reason: String) { fail(name, id: nil, because: [reason]) }

    private mutating func fail(_ name: String, id: String?, because reasons: [String]) {
        failures.append("\(name): \(reasons.joined(separator: "; "))")
        guard let each else { return print("FAIL \(failures[failures.count - 1])") }
        each(CheckedRow(name: name, id: id, differences: reasons))
    }

    /// Counts a row that has been checked.
    package mutating func close(_ row: Row, _ name: String) {
        if let reason = row.skipReason {
            skip(name, because: reason)
            each?(CheckedRow(name: name, id: row.identifier, differences: [], skipReason: reason))
        } else if row.mismatches.isEmpty {
            pass()
            each?(CheckedRow(name: name, id: row.identifier, differences: []))
        } else {
            fail(name, id: row.identifier, because: row.mismatches)
        }
    }

    package mutating func skip(_ name: String, because reason: String) {
        skipped += 1
        skipReasons[reason, default: 0] += 1
    }

    /// Says something at the end that is neither a pass nor a failure.
    package mutating func note(_ text: String) { notes.append(text) }

    /// Passes if both are equal, else fails with both.
    package mutating func expect<T: Equatable>(_ name: String, _ found: T, equals expected: T) {
        if found == expected { pass() } else { fail(name, because: "expected \(expected), found \(found)") }
    }

    package func printSummary() {
        for note in notes { print("note: \(note)") }
        for (reason, count) in skipReasons.sorted(by: { $0.key < $1.key }) { print("skipped \(count): \(reason)") }
        print(
            skipped == 0
                ? "\(passed) passed, \(failed) failed" : "\(passed) passed, \(failed) failed, \(skipped) skipped")
    }
}
