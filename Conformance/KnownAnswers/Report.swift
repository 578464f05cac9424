/// Counts what a topic has checked and prints each failure as it happens.
package struct Report {
    package private(set) var passed = 0
    package private(set) var failed = 0
    package private(set) var skipped = 0
    private var skipReasons: [String: Int] = [:]
    private var notes: [String] = []

    package init() {}

    package mutating func pass() { passed += 1 }

    /// - Parameter name: file and case, as `sr25519.json verify[3]`.
    package mutating func fail(_ name: String, because reason: String) {
        failed += 1
        print("FAIL \(name): \(reason)")
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
