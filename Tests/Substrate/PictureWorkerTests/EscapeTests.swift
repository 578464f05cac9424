#if os(Linux)
    import ForceFieldTestSupport
    import ForceFieldWire
    import PictureService
    import Testing

    @Suite("A worker tries its own walls", .serialized)
    struct EscapeTests {
        private static func attempt(_ escape: Escape, in host: PictureHost) throws -> EscapeOutcome {
            let outcome = try host.worker.call(PictureService.escape, escape)
            try outcome.check()
            return outcome
        }

        @Test(
            "behind them it opens neither socket nor file, and goes on",
            .enabled(if: Walls.possible.contains(.forceField)))
        func behindWalls() throws {
            let host = try PictureHost()
            for _ in 0..<2 {
                // EACCES and ENOENT: what the filter says to these calls.
                for escape in [Escape.internetSocket, .localSocket] {
                    #expect(try Self.attempt(escape, in: host) == .refused(13))
                }
                for escape in [Escape.file, .rootFolder] {
                    #expect(try Self.attempt(escape, in: host) == .refused(2))
                }
            }
            try host.give(Sample.pgm(Sample.picture([1, 2, 3])))
            #expect(try host.next(0).contents == [[1, 2, 3]])
        }

        @Test("without walls nothing is tried, and that is said", arguments: Escape.allCases)
        func withoutWalls(escape: Escape) throws {
            #expect(try Self.attempt(escape, in: PictureHost(.none)) == .notTried)
        }

        @Test("what a call returns is told apart")
        func results() {
            #expect(EscapeOutcome(result: 0, notTried: -7) == .succeeded)
            #expect(EscapeOutcome(result: 3, notTried: -7) == .succeeded)
            #expect(EscapeOutcome(result: -7, notTried: -7) == .notTried)
            #expect(EscapeOutcome(result: -13, notTried: -7) == .refused(13))
        }

        @Test("an error that the kernel does not have is not believed", arguments: [0, -1, 4_096, Int.min, .max])
        func impossible(number: Int) throws {
            let outcome = EscapeOutcome.refused(number)
            #expect(throws: ReplyRefusal.errorNumber(number)) { try outcome.check() }
            #expect(try FFV1.decode(EscapeOutcome.self, from: FFV1.encode(outcome)) == outcome)
        }
    }
#endif
