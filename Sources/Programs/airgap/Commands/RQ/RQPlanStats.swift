import ArgumentParser
import Console
import RaptorQ

struct RQPlanStats: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plan-stats",
        abstract: "What goes on inside: sizes of the system that a block of K symbols asks to solve.")

    @Argument(help: ArgumentHelp("Symbols of a block (K), 1 to 56403.", valueName: "K"))
    var counts: [Int]

    @OptionGroup var output: OutputOptions

    func run() throws {
        var rows: [Row] = []
        for count in counts {
            let code = try BlockParameters(sourceSymbolCount: count)
            let clock = ContinuousClock()
            var plan = CodeInspection.plan(code)
            let time = clock.measure { plan = CodeInspection.plan(code) }
            rows.append(Row(code, plan, milliseconds: time / .milliseconds(1)))
        }
        try output.show(rows, text: Row.table(rows))
    }

    private struct Row: Encodable {
        let symbols: Int
        let extended: Int
        let intermediate: Int
        let inactive: Int
        let entries: Int
        let milliseconds: Double

        init(_ code: BlockParameters, _ plan: CodeInspection.PlanFigures, milliseconds: Double) {
            symbols = code.sourceSymbolCount
            extended = code.extendedSymbolCount
            intermediate = plan.intermediateSymbols
            inactive = plan.inactiveSymbols
            entries = plan.sparseEntries
            self.milliseconds = (milliseconds * 1000).rounded() / 1000
        }

        static func table(_ rows: [Row]) -> String {
            let head = ["K", "K'", "L", "inactive", "entries", "ms to plan"]
            let cells = rows.map { row in
                [
                    "\(row.symbols)", "\(row.extended)", "\(row.intermediate)", "\(row.inactive)", "\(row.entries)",
                    "\(row.milliseconds)",
                ]
            }
            let widths = head.indices.map { column in ([head] + cells).map { $0[column].count }.max() ?? 0 }
            return ([head] + cells).map { line in
                line.enumerated().map { String(repeating: " ", count: widths[$0] - $1.count) + $1 }.joined(
                    separator: "  ")
            }.joined(separator: "\n")
        }
    }
}
