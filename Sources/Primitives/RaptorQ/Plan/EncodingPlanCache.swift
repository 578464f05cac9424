import Synchronization

/// The plans that encoders need, one for each K', kept because a sender or a reader comes back to the same few.
final class EncodingPlanCache: Sendable {
    static let shared = EncodingPlanCache(capacity: 64)

    private struct KeptPlans {
        var plans: [Int: (plan: EliminationPlan, lastUse: UInt64)] = [:]
        var clock: UInt64 = 0
    }

    private let capacity: Int
    private let state = Mutex(KeptPlans())

    init(capacity: Int) {
        self.capacity = capacity
    }

    /// The plan for the ISIs 0..<K', which always determine a block.
    func plan(_ parameters: BlockParameters) -> EliminationPlan {
        let key = parameters.extendedSymbolCount
        let known = state.withLock { state -> EliminationPlan? in
            state.clock += 1
            state.plans[key]?.lastUse = state.clock
            return state.plans[key]?.plan
        }
        return known ?? store(Self.make(parameters), key)
    }

    var count: Int { state.withLock { $0.plans.count } }

    private func store(_ plan: EliminationPlan, _ key: Int) -> EliminationPlan {
        state.withLock { state in
            state.clock += 1
            state.plans[key] = (plan, state.clock)
            if state.plans.count > capacity, let oldest = state.plans.min(by: { $0.value.lastUse < $1.value.lastUse }) {
                state.plans[oldest.key] = nil
            }
        }
        return plan
    }

    private static func make(_ parameters: BlockParameters) -> EliminationPlan {
        let ids = Array(0..<UInt32(parameters.extendedSymbolCount))
        guard let plan = EliminationPlan(parameters, internalIDs: ids, inactiveLimit: .max) else {
            // RFC 6330 5.6: each systematic index is chosen so that these symbols determine the block.
            preconditionFailure("the systematic index of K' = \(parameters.extendedSymbolCount) is wrong")
        }
        return plan
    }
}
