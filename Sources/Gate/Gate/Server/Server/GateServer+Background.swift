internal import AppAttest
internal import NIOCore
internal import NIOPosix

/// What a server does beside its connections.
extension GateServer {
    private static let sweepInterval = Duration.seconds(1)
    private static let useInterval = Duration.seconds(60)
    private static let certificateInterval = Duration.seconds(10)
    private static let forgetInterval = Duration.seconds(600)
    private static let forgetCount = 1_000
    private static let lagInterval = TimeAmount.seconds(1)

    func startBackground() {
        watchLag()
        let time = SteadyTime(parts.clock)
        var tasks = [
            every(Self.sweepInterval) { await $0.gate.sweepStores() },
            every(Self.useInterval) { await $0.gate.noteUse() },
            every(parts.standingInterval) { await $0.endWithdrawn(of: $0.connections.keys) },
            Task { [weak self, keys = parts.keys] in
                for await keys in keys.withdrawals() { await self?.endWithdrawn(of: Set(keys)) }
            },
            every(Self.forgetInterval) { await $0.forgetUnusedKeys(now: time.earlier) },
        ]
        if let tls {
            tasks.append(
                every(Self.certificateInterval) { server in
                    _ = try? await server.pool.runIfActive {
                        if tls.hasChanged { server.reloadCertificate(tls) }
                    }
                })
        }
        if let receipts, configuration.risk.refreshes {
            tasks.append(refreshReceipts(AppleReceiptService(access: receipts, group: group)))
        }
        if configuration.decisionRules.devices != .off { tasks.append(banDevices()) }
        life.withLock { $0.background += tasks }
    }

    /// Source: `appattest-gate` section 3.11.
    private func refreshReceipts(_ service: AppleReceiptService) -> Task<Void, Never> {
        Task { [weak self, gate, verifiers] in
            var task = ReceiptRefreshTask(gate, service: service, verifier: verifiers)
            while self != nil, !Task.isCancelled {
                let pause = await task.step()
                try? await Task.sleep(for: pause)
            }
        }
    }

    /// Source: `appattest-gate` section 3.16.
    private func banDevices() -> Task<Void, Never> {
        Task { [weak self, gate] in
            var task = DeviceBanTask(gate)
            while self != nil, !Task.isCancelled {
                let pause = await task.step()
                try? await Task.sleep(for: pause)
            }
        }
    }

    private func every(
        _ interval: Duration, _ work: @escaping @Sendable (GateServer) async -> Void
    ) -> Task<Void, Never> {
        Task { [weak self] in
            while (try? await Task.sleep(for: interval)) != nil, let self { await work(self) }
        }
    }

    /// Ends the connections of those keys that somebody revoked or deleted, at whichever gate or in the store itself.
    private func endWithdrawn(of keys: Set<KeyID>) async {
        let keys = keys.intersection(connections.keys)
        guard !keys.isEmpty else { return }
        let withdrawn = await gate.withdrawn(of: Array(keys))
        for key in withdrawn { closeConnections(of: key, because: .keyWithdrawn) }
        gate.wantDeviceBans(withdrawn)
    }

    /// Forgets keys that were not used for as long as the configuration says.
    private func forgetUnusedKeys(now: Timestamp) async {
        let age = configuration.stores.keyLifetime
        do throws(StoreError) {
            let start = parts.clock.uptime
            while try await parts.keys.removeUnused(for: age, now: now, limit: Self.forgetCount) == Self.forgetCount {}
            gate.metrics.storeTimes.observe(parts.clock.uptime - start, .removeUnused)
        } catch {
            gate.metrics.storeErrors.add(.removeUnused)
            parts.events.record(GateEvent(.storeFailed, .error, detail: "removeUnused: \(error)"))
        }
    }

    /// Observes how late each event loop runs what was due.
    private func watchLag() {
        let metrics = gate.metrics
        for loop in group.makeIterator() {
            loop.execute {
                let due = NIOLoopBoundBox(loop.now + Self.lagInterval, eventLoop: loop)
                _ = loop.scheduleRepeatedTask(initialDelay: Self.lagInterval, delay: Self.lagInterval) { _ in
                    let now = NIODeadline.now()
                    metrics.eventLoopLag.observe(now - due.value)
                    due.value = now + Self.lagInterval
                }
            }
        }
    }
}
