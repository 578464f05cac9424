/// One thing that has to hold for a process.
///
/// Source: `vigil` section 9.3.
package struct BehaviourRule: Hashable, Sendable {
    /// The name of the rule in the log; not sent over the wire.
    package let id: String
    /// What it looks at.
    package let field: BehaviourField
    /// What has to hold for it.
    package let condition: Condition

    /// What has to hold for a field.
    package enum Condition: Hashable, Sendable {
        case equal(BehaviourValue)
        case notEqual(BehaviourValue)
        case atMost(UInt64)
        case atLeast(UInt64)
        case oneOf([BehaviourValue])
        case absent
        case present
        /// No bit of the value is set that is set here.
        case maskZero(UInt64)
    }

    /// - Parameter id: what findings call the rule by.
    package init(id: String, _ field: BehaviourField, _ condition: Condition) {
        self.id = id
        self.field = field
        self.condition = condition
    }

    /// How a rule came out.
    package enum Outcome: Hashable, Sendable {
        case holds
        case fails
        /// The process keeps the field to itself, as it may.
        case skipped
    }

    /// Checks what was read of the field.
    package func outcome(_ reading: FieldReading) -> Outcome {
        switch reading {
        case .value(let value): holds(for: value) ? .holds : .fails
        case .absent: holdsForAbsence ? .holds : .fails
        case .hidden: field.mayBeHidden ? .skipped : .fails
        case .unreadable: .fails
        }
    }

    private var holdsForAbsence: Bool {
        switch condition {
        // What is not there is not equal to anything.
        case .absent, .notEqual: true
        default: false
        }
    }

    private func holds(for value: BehaviourValue) -> Bool {
        switch condition {
        case .equal(let expected): return value == expected
        case .notEqual(let other): return value != other
        case .oneOf(let values): return values.contains(value)
        case .absent: return false
        case .present: return true
        case .atMost(let bound):
            guard case .number(let number) = value else { return false }
            return number <= bound
        case .atLeast(let bound):
            guard case .number(let number) = value else { return false }
            return number >= bound
        case .maskZero(let mask):
            guard case .number(let number) = value else { return false }
            return number & mask == 0
        }
    }

    /// A rule that no profile can take away, named after its field.
    private init(_ field: BehaviourField, _ condition: Condition) {
        self.init(id: field.name, field, condition)
    }

    /// No debugger is attached. The verdict has a reason of its own: ``Reason/traced``.
    static let notTraced = BehaviourRule(.tracer, .equal(.number(0)))

    /// What no program may do.
    package static let builtIn: [BehaviourRule] = [
        notTraced,
        BehaviourRule(.environment("LD_PRELOAD"), .absent),
        BehaviourRule(.environment("LD_AUDIT"), .absent),
        BehaviourRule(.environment("LD_DEBUG"), .absent),
        BehaviourRule(.writableExecutable, .equal(.number(0))),
    ]

    /// What a program that holds keys may not do besides. Filters of system calls are among it: a filter under which
    /// the program is started can make it believe that it has hidden its memory, locked it, or drawn random numbers.
    package static let vault: [BehaviourRule] = [
        BehaviourRule(.coreSize, .equal(.number(0))),
        BehaviourRule(.dumpable, .equal(.number(0))),
        BehaviourRule(.seccomp, .equal(.number(0))),
    ]
}
