#if os(Linux)
    import CForceField
    import ForceField
    import Testing

    @testable import ForceFieldWatch

    @Suite("Watching a worker")
    struct WatchTests {
        private func call(_ number: UInt32, _ argument: UInt64) -> Termination.ForbiddenCall {
            Termination.ForbiddenCall(name: nil, number: number, architecture: 0, arguments: [argument])
        }

        @Test("of calls that are repeated for ever the first is kept, and how many there were")
        func repeatedCalls() {
            var calls = ForbiddenCalls()
            for round in 0..<100_000 {
                calls.append(call(UInt32(round % 3), UInt64(round)))
            }
            #expect(calls.byNumber.map(\.first) == [call(0, 0), call(1, 1), call(2, 2)])
            #expect(calls.byNumber.map(\.count) == [33_334, 33_333, 33_333])
        }

        @Test("numbers that no kernel has do not fill the memory")
        func inventedNumbers() {
            var calls = ForbiddenCalls()
            for number in 0..<100_000 as Range<UInt32> { calls.append(call(number, 0)) }
            #expect(calls.byNumber.count == ForbiddenCalls.numberLimit)
        }

        @Test("a lifetime of any length is one that stage 0 takes", arguments: [0, 1, 86_400, Int64.max])
        func lifetimes(seconds: Int64) throws {
            var plan = WorkerPlan()
            plan.lifetime = .seconds(seconds)
            let policy = try plan.policy()
            var read = cforcefield_policy()
            let refusal = withUnsafeBytes(of: policy) { bytes in
                bytes.baseAddress.map { cforcefield_policy_read($0, bytes.count, &read) }
            }
            #expect(refusal == cforcefield_policy_accepted)
        }
    }
#endif
