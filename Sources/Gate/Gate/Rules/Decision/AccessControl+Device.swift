internal import AppAttest
internal import Synchronization

/// Source: `appattest-gate` section 3.16.
extension AccessControl {
    /// How many registrations may wait for Apple at a time.
    static let maximumDeviceChecks = 64

    /// Asks Apple whether a device is banned, behind its attestation: nobody else makes the gate ask.
    ///
    /// - Parameter token: which the attestation covers; nil where the app sent none.
    func checkDevice(
        token: [UInt8]?, environment: AppAttestEnvironment, key: KeyID, for visitor: Visitor
    ) async throws(Refusal) {
        guard rules.devices != .off, let service = parts.devices else { return }
        let (result, detail) = await queryBits(of: token, environment, at: service)
        metrics.deviceChecks.add(result)
        if result == .banned || detail != nil {
            parts.events.record(
                GateEvent(result == .banned ? .deviceBanned : .deviceCheckFailed, .warning, of: visitor).with {
                    $0.key = KeyName(key)
                    $0.detail = detail.map { SafeText($0) }
                })
        }
        guard rules.devices == .require else { return }
        switch result {
        case .clean, .set: break
        case .banned: throw Refusal(.deviceBanned)
        case .missing: throw Refusal(.deviceTokenRequired)
        case .rejected: throw Refusal(.deviceTokenRejected)
        case .busy: throw Refusal(.overloaded)
        case .unauthorized, .slowDown, .unavailable, .unexpected, .unreachable:
            throw Refusal(.deviceCheckUnavailable)
        }
    }

    /// Asks a service for the bits of the device that sent a token.
    private func queryBits(
        of token: [UInt8]?, _ environment: AppAttestEnvironment, at service: any DeviceBitsService
    ) async -> (DeviceCheckResult, detail: String?) {
        guard let token else { return (.missing, nil) }
        let open = openDeviceChecks.wrappingAdd(1, ordering: .relaxed).newValue
        defer { openDeviceChecks.wrappingSubtract(1, ordering: .relaxed) }
        guard open <= Self.maximumDeviceChecks else { return (.busy, nil) }
        do throws(ReceiptServiceFailure) {
            let answer = try await service.exchange(
                token, environment, setting: nil, now: parts.clock.now)
            if case .bits(let bits) = answer { return (bits[rules.banBit] ? .banned : .clean, nil) }
            return (DeviceCheckResult(answer), "\(answer)")
        } catch {
            return (.unreachable, "no answer: \(error.reason)")
        }
    }

    // MARK: Bans

    /// Keeps the token that a device sent with a good signature.
    func keepDeviceToken(_ token: [UInt8]?, of key: KeyID) {
        guard rules.devices != .off, let token else { return }
        let now = parts.clock.uptime
        deviceTokens.withLock { $0.keep(token, of: key, at: now) }
    }

    /// Notes that keys were revoked whose devices may be to be banned: those of which this gate has tokens are looked
    /// at.
    func wantDeviceBans(_ keys: [KeyID]) {
        guard rules.devices != .off, !keys.isEmpty else { return }
        let now = parts.clock.uptime
        deviceTokens.withLock { tokens in for key in keys { tokens.want(key, at: now) } }
    }
}

/// Brings bans of devices to Apple, one after the other.
///
///     var task = DeviceBanTask(gate)
///     while true { try await Task.sleep(for: await task.step()) }
///
/// A ban that cannot be brought to Apple now stays wanted in the store, and comes with the next token of that device.
/// Source: `appattest-gate` section 3.16.
struct DeviceBanTask: Sendable {
    static let idleTime = Duration.seconds(1)

    private let gate: AccessControl
    private var pace = RiskPace()

    init(_ gate: AccessControl) { self.gate = gate }

    /// Bans one device, if one is to be banned.
    ///
    /// - Returns: how long to wait before the next step.
    mutating func step() async -> Duration {
        guard let key = gate.deviceTokens.withLock({ $0.next() }) else { return Self.idleTime }
        do throws(Refusal) {
            guard let result = try await ban(key) else { return .zero }
            guard !Task.isCancelled else { return .zero }
            gate.metrics.deviceBans.add(result)
            return pause(after: result, key)
        } catch {
            // The store: logged and counted where it failed.
            return pause(after: .busy, key)
        }
    }

    private mutating func pause(after result: DeviceCheckResult, _ key: KeyID) -> Duration {
        let outcome: RiskPace.Outcome =
            switch result {
            case .clean, .banned, .set, .missing: .served
            case .rejected: .served
            case .unauthorized: .hopeless
            case .slowDown, .unavailable, .unexpected, .unreachable, .busy: .failed
            }
        if outcome != .served { gate.wantDeviceBans([key]) }
        let random = gate.parts.random.bytes(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return pace.pause(after: outcome, random: random)
    }

    /// - Returns: nil where there is nothing to be done.
    private func ban(_ key: KeyID) async throws(Refusal) -> DeviceCheckResult? {
        let gate = gate
        let monotonic = gate.parts.clock.uptime
        guard let service = gate.parts.devices,
            let token = gate.deviceTokens.withLock({ $0.token(of: key, at: monotonic) })
        else { return nil }
        let found = try await gate.ask(.get) { try await gate.parts.keys.key(key) }
        guard let found, found.deviceBan == .pending else { return nil }
        let (result, detail) = await setBan(of: token, found.environment, at: service)
        switch result {
        case .set:
            _ = try await gate.ask(.ban) { try await gate.parts.keys.settleDeviceBan(key) }
            gate.deviceTokens.withLock { $0.drop(key) }
            gate.parts.events.record(GateEvent(.deviceBanSet, .warning).with { $0.key = KeyName(key) })
        case .rejected: gate.deviceTokens.withLock { $0.drop(key) }
        default: break
        }
        if let detail {
            gate.parts.events.record(
                GateEvent(.deviceCheckFailed, .warning).with {
                    $0.key = KeyName(key)
                    $0.detail = SafeText(detail)
                })
        }
        return result
    }

    /// Sets the bit that is the ban; the team's other bit stays what it is.
    private func setBan(
        of token: [UInt8], _ environment: AppAttestEnvironment, at service: any DeviceBitsService
    ) async -> (DeviceCheckResult, detail: String?) {
        let now = gate.parts.clock.now
        do throws(ReceiptServiceFailure) {
            let answer = try await service.exchange(token, environment, setting: nil, now: now)
            guard case .bits(var bits) = answer else { return (DeviceCheckResult(answer), "\(answer)") }
            guard !bits[gate.rules.banBit] else { return (.set, nil) }
            bits[gate.rules.banBit] = true
            let second = try await service.exchange(token, environment, setting: bits, now: now)
            guard second == .updated else { return (DeviceCheckResult(second), "\(second)") }
            return (.set, nil)
        } catch {
            return (.unreachable, "no answer: \(error.reason)")
        }
    }
}
