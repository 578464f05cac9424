import CForceField
import KnownAnswers

/// The table of system calls, asked of the built filter through an interpreter: both architectures, with reports and
/// without, each condition held and not. The rows in brackets speak of all numbers that the others do not.
enum FilterAnswers {
    @Sendable static func check(_ file: AnswerFile, report: inout Report) throws {
        let lines = try file.text().split(separator: "\n").map(String.init)
        let table = try CallTable(lines)
        let conditions = CallCondition.all(process: 2)
        for (index, row) in table.rows.enumerated() {
            var answer = Row(.null, index: index)
            for variant in Variant.all(isExec: row.isForExec) {
                check(row, conditions: conditions, by: variant, into: &answer)
            }
            report.close(answer, "\(file.path) \(row.name)")
        }
        for kind in lines.filter({ $0.hasPrefix("(") }).map({ String($0.prefix { $0 != "\t" }) }) {
            var answer = Row(.null)
            for variant in Variant.all(isExec: false) {
                try check(theRest: kind, of: table, by: variant, into: &answer)
            }
            report.close(answer, file.name(kind))
        }
    }

    private struct Variant {
        let architecture: UInt32
        let notifies: Bool
        let program: FilterInterpreter

        static func all(isExec: Bool) -> [Variant] {
            [CFORCEFIELD_X86_64, CFORCEFIELD_AARCH64].flatMap { architecture in
                [false, true].map { notifies in
                    let options =
                        (isExec ? [cforcefield_filter_exec] : []) + (notifies ? [cforcefield_filter_notify] : [])
                    return Variant(
                        architecture: architecture, notifies: notifies,
                        program: FilterInterpreter(architecture, options))
                }
            }
        }

        var name: String { (architecture == CFORCEFIELD_X86_64 ? "x86-64" : "AArch64") + (notifies ? ", reports" : "") }
        var forbidden: FilterAnswer { notifies ? .notify : .killProcess }

        func answer(_ number: UInt32, _ arguments: [UInt64] = [0, 0, 0, 0, 0, 0], as other: UInt32? = nil)
            -> FilterAnswer?
        {
            let call = SystemCall(number: number, architecture: other ?? architecture, arguments: arguments)
            return (try? program.run(call)).flatMap { FilterAnswer($0) }
        }

        func expected(by action: CallTable.Action) -> FilterAnswer {
            switch action {
            case .allow: .allow
            case .kill: forbidden
            case .fail(let error): .error(error)
            }
        }
    }

    private static func check(
        _ row: CallTable.Row, conditions: [String: CallCondition], by variant: Variant, into answer: inout Row
    ) {
        guard let number = row.number(variant.architecture) else { return }
        let expected = variant.expected(by: row.action)
        guard row.isConditional else {
            for word in [0, .max] as [UInt64] {
                let found = variant.answer(number, Array(repeating: word, count: 6))
                answer.expect(variant.name, found, equals: expected)
            }
            return
        }
        guard let condition = conditions[row.name] else {
            return answer.expect("arguments for the condition of \(row.name)", "none", equals: "some")
        }
        for arguments in condition.allowed {
            answer.expect("\(variant.name) \(arguments)", variant.answer(number, arguments), equals: .allow)
        }
        for arguments in condition.refused {
            answer.expect("\(variant.name) \(arguments)", variant.answer(number, arguments), equals: expected)
        }
    }

    private static func check(
        theRest kind: String, of table: CallTable, by variant: Variant, into row: inout Row
    ) throws {
        switch kind {
        case "(any other number)":
            let known = Set(table.rows.filter { !$0.isForExec }.compactMap { $0.number(variant.architecture) })
            for number in Set(0...511).subtracting(known).union([512, 1_000, 0x3fff_ffff]) {
                row.expect("\(variant.name) \(number)", variant.answer(number), equals: variant.forbidden)
            }
        case "(arch != native)":
            let other = variant.architecture == CFORCEFIELD_X86_64 ? CFORCEFIELD_AARCH64 : CFORCEFIELD_X86_64
            for number in UInt32(0)...511 {
                for foreign in [other, 0x4000_0003, 0] {
                    row.expect("\(number)", variant.answer(number, as: foreign), equals: .killProcess)
                }
            }
        case "(x86_64: nr >= 0x40000000)":
            guard variant.architecture == CFORCEFIELD_X86_64 else { return }
            for number in (UInt32(0)...511).map({ 0x4000_0000 + $0 }) + [.max] {
                row.expect("\(number)", variant.answer(number), equals: .killProcess)
            }
        default: throw RowError.missing("a kind of calls, not \(kind),")
        }
    }
}
