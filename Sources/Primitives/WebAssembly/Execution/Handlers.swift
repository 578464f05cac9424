/// What each operation does: rows of a table say which ones, and ``Position`` says how their operands are taken and how
/// the run goes on. Each row has its own copy of what finds the next one, so that the processor learns for each
/// operation by itself what mostly follows it.
///
/// Operations that do the same stand in one row: the compiler makes one function of equal ones, behind a call that is
/// no jump.
enum Handlers {
    /// Operations, and what does them.
    typealias Row = ([Operation], Handler)

    /// A handler for each number of an operation.
    static let all: [Handler] = {
        let last = Operation.allCases.map(\.rawValue).max() ?? 0
        // What has no row is the interpreter's to run.
        let outside: Handler = { Position(at: $0, in: $1, of: $2, left: $3).stop(.outside) }
        var handlers = Array(repeating: outside, count: Int(last) + 1)
        for (operations, handler) in rows {
            for operation in operations { handlers[Int(operation.rawValue)] = handler }
        }
        return handlers
    }()

    static let rows = control + memory + integers32 + integers64 + unary + [(floats, float)]

    /// Whatever takes or gives a float.
    private static let floats = Operation.allCases.filter { operation in
        guard let (_, type, result) = Signatures.numeric(operation.rawValue) else { return false }
        return [.f32, .f64].contains(type) || [.f32, .f64].contains(result)
    }

    private static let float: Handler = { Position(at: $0, in: $1, of: $2, left: $3).float() }
}

extension Position {
    @inline(__always)
    func float() {
        guard computeFloat() else { return stop(.trapped) }
        go(to: step.following)
    }

    /// - Returns: whether it did not trap.
    @inline(never)
    private func computeFloat() -> Bool {
        do throws(Trap) {
            frame[long: step.destination] = try FloatOperations.compute(
                step.operation, of: frame[long: step.first], and: frame[long: step.second])
            return true
        } catch {
            machine.run.pointee.trap = error
            return false
        }
    }
}
