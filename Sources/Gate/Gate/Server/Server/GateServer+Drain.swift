internal import NIOCore
internal import NIOPosix

/// Source: `appattest-gate` section 3.13.
extension GateServer {
    private static let longestWait = TimeAmount.minutes(1)

    /// Stops the gate as its plan says: readiness first, then a close frame for everyone, then the stores, then the
    /// listeners.
    ///
    /// Returns when all of that is done. A second call waits for the first.
    public func drain() async {
        let isFirst = life.withLock { life in
            guard life.phase == .new || life.phase == .serving else { return false }
            life.phase = .draining
            return true
        }
        guard isFirst else { return await stopped() }
        parts.events.record(GateEvent(.draining))
        var plan = DrainPlan(configuration.drain)
        await perform(plan.begin(at: now), &plan)
        while plan.phase != .stopped {
            await perform(plan.advance(to: now, open: connections.count), &plan)
            guard let next = plan.nextAt else { continue }
            let wait = max(.zero, min(next - now, Self.longestWait))
            await connections.change(within: .nanoseconds(wait.nanoseconds), isEmpty: plan.phase == .waiting)
        }
    }

    private var now: NIODeadline { parts.clock.uptime }

    private func perform(_ steps: [DrainPlan.Step], _ plan: inout DrainPlan) async {
        for step in steps {
            switch step {
            case .refuseUpgrades: gate.beginDraining()
            case .close(let count): connections.close(count: count, plan.settings.closeCode)
            case .cut: connections.cutAll()
            case .flushStore:
                stopBackground()
                await parts.keys.close()
                await parts.nonces.close()
                await perform(plan.storeFlushed(), &plan)
            case .stop: await stop()
            }
        }
    }

    private func stopBackground() {
        let tasks = life.withLock { life in
            defer { life.background = [] }
            return life.background
        }
        for task in tasks { task.cancel() }
    }

    /// Closes the listeners and everything behind them.
    func stop() async {
        stopBackground()
        let listeners = life.withLock { life in
            defer { life.listeners = [] }
            return life.listeners
        }
        relays?.endListening()
        for listener in listeners { try? await listener.close() }
        // What is left would be waited for: the closing alert of TLS has five seconds.
        waiting.cutAll()
        connections.cutAll()
        await relays?.stop()
        try? await pool.shutdownGracefully()
        try? await group.shutdownGracefully()
        parts.events.record(GateEvent(.stopped))
        let waiting = life.withLock { life in
            life.phase = .stopped
            defer { life.waiting = [] }
            return life.waiting
        }
        for continuation in waiting { continuation.resume() }
    }
}
