/// Watches a process that is known to be good, and writes down what it does at most.
///
/// Source: `vigil` section 9.3, `vigil-validator learn`.
package struct BehaviourLearning: Hashable, Sendable {
    /// What a profile bounds from above.
    private static let counted: [BehaviourField] = [
        .threads, .coreDumping, .dumpable, .foreignExecutable, .writableExecutable, .anonymousExecutable, .descriptors,
        .networkSockets, .coreSize,
    ]
    /// What a process must not fall below.
    private static let required: [BehaviourField] = [.seccomp, .seccompFilters, .noNewPrivileges]
    /// What a process must not exceed, bit by bit.
    private static let bits: [BehaviourField] = [.effectiveCapabilities, .permittedCapabilities]
    /// What has to be one of the values that were seen.
    private static let seen: [BehaviourField] = [.effectiveUser, .executablePath]

    private var maxima: [BehaviourField: UInt64] = [:]
    private var minima: [BehaviourField: UInt64] = [:]
    private var unions: [BehaviourField: UInt64] = [:]
    private var values: [BehaviourField: [BehaviourValue]] = [:]

    /// How many looks were taken.
    package private(set) var count = 0

    package init() {}

    /// Takes one look. What cannot be read makes no rule.
    package mutating func record(_ read: (BehaviourField) -> FieldReading) {
        count += 1
        for field in Self.counted {
            if let number = Self.number(read(field)) { maxima[field] = max(maxima[field] ?? 0, number) }
        }
        for field in Self.required {
            if let number = Self.number(read(field)) { minima[field] = min(minima[field] ?? .max, number) }
        }
        for field in Self.bits {
            if let number = Self.number(read(field)) { unions[field, default: 0] |= number }
        }
        for field in Self.seen {
            guard case .value(let value) = read(field), values[field]?.contains(value) != true else { continue }
            values[field, default: []].append(value)
        }
    }

    private static func number(_ reading: FieldReading) -> UInt64? {
        guard case .value(.number(let number)) = reading else { return nil }
        return number
    }

    /// Rules that every look would have kept, named after their fields.
    package var profile: BehaviourProfile {
        var rules: [BehaviourRule] = []
        func add(_ fields: [BehaviourField], _ condition: (BehaviourField) -> BehaviourRule.Condition?) {
            rules += fields.compactMap { field in
                condition(field).map { BehaviourRule(id: "learned.\(field.name)", field, $0) }
            }
        }
        add(Self.counted) { maxima[$0].map { .atMost($0) } }
        // A bound of 0 says nothing.
        add(Self.required) { field in minima[field].flatMap { $0 > 0 ? .atLeast($0) : nil } }
        add(Self.bits) { unions[$0].map { .maskZero(~$0) } }
        add(Self.seen) { values[$0].map { .oneOf($0) } }
        return BehaviourProfile(rules: rules)
    }
}

#if os(Linux)
    extension BehaviourLearning {
        /// Takes one look at a live process.
        ///
        /// - Returns: false if it has ended or may not be looked at.
        package mutating func record(process: Int32) -> Bool {
            guard let observed = try? ObservedProcess(process),
                var measurement = try? ProcessMeasurement(of: observed),
                let text = try? ProcessObservation.readStatus(process).get()
            else { return false }
            let observation = ProcessObservation(
                process, status: ProcessStatus(text), shape: measurement.shapeOfItself(),
                executable: measurement.handles.executable, digest: nil)
            record(observation.read)
            return true
        }
    }
#endif
