#if os(Linux)
    import ForceField
    import PictureService
    import Testing

    @testable import AirgapLink

    @Suite("The picture reader is asked to get out", .serialized)
    struct EscapeAttemptTests {
        @Test("a reader behind all of its walls gets neither socket nor file, however often it is asked")
        func refused() throws {
            let reader = PictureReader(Workers.terms())
            guard LayerReport.machine.missing.isEmpty else { return }
            for escape in Escape.allCases + Escape.allCases {
                let outcome = try reader.tryEscape(escape).get()
                guard case .refused = outcome else {
                    Issue.record("the walls let pass \(escape): \(outcome)")
                    continue
                }
            }
        }

        @Test("without the program nothing is tried, and nothing is said to hold")
        func noWorker() {
            let reader = PictureReader(Workers.terms("no-such-worker"))
            #expect(throws: LinkError.self) { try reader.tryEscape(.file) }
        }
    }
#endif
