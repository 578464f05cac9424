import TextForms

/// An app's way through the gate: keeps a key, registers it, and gives each WebSocket handshake a fresh assertion.
///
///     let client = AppAttestClient(
///         service: DeviceAppAttestService(), transport: URLSessionTransport(gate: url),
///         storage: PreferencesKeyStorage())
///     let socket = try await client.connect { headers in
///         var request = URLRequest(url: socketURL)
///         for (name, value) in headers.fields { request.setValue(value, forHTTPHeaderField: name) }
///         return try await open(request)      // throws GateRefusal where the handshake is refused
///     }
///
/// Connections are made one after the other: of two assertions that overtake each other the lower one fails.
/// Source: `appattest-gate` section 3.14.
public actor AppAttestClient {
    private let service: any AppAttestService
    private let transport: any HTTPTransport
    private let storage: any KeyStorage
    private let deviceTokens: (any DeviceTokenService)?
    /// The device token that the step before this covers; turns keep attempts apart.
    private var deviceToken: [UInt8]?
    private var isBusy = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// A client of one gate, for one key.
    ///
    /// - Parameter deviceTokens: for gates with `DEVICECHECK`: a fresh token goes with each registration and each
    ///   handshake.
    public init(
        service: any AppAttestService, transport: any HTTPTransport, storage: any KeyStorage,
        deviceTokens: (any DeviceTokenService)? = nil
    ) {
        self.deviceTokens = deviceTokens
        self.service = service
        self.transport = transport
        self.storage = storage
    }

    /// Gets through the gate.
    ///
    /// - Parameter open: makes the handshake with these header fields. It may be called again, with others, after it
    ///   threw a ``GateRefusal``; whatever else it throws ends the attempt.
    /// - Returns: what `open` returned.
    /// - Throws: ``AppAttestClientError``, or what the transport or `open` threw.
    public func connect<Connection: Sendable>(
        _ open: @Sendable (AssertionHeaders) async throws -> Connection
    ) async throws -> Connection {
        await takeTurn()
        defer { passTurn() }
        var attempt = ConnectionAttempt(key: await storage.load())
        while true {
            try Task.checkCancellation()
            let kept = attempt.key
            if case .open(var headers) = attempt.step {
                headers.deviceToken = deviceToken.map { Base64.encode($0) }
                do {
                    return try await open(headers)
                } catch let refusal as GateRefusal {
                    attempt.handle(.refused(refusal))
                }
            } else {
                attempt.handle(try await event(of: attempt.step, key: attempt.key))
            }
            if attempt.key != kept { await storage.save(attempt.key) }
            if case .failed(let error) = attempt.step { throw error }
        }
    }

    /// Does one step.
    private func event(
        of step: ConnectionAttempt.Step, key: RegisteredKey?
    ) async throws -> ConnectionAttempt.Event {
        do throws(AppAttestServiceError) {
            switch step {
            case .generateKey: return .generated(keyID: try await service.generateKey())
            case .attest(let keyID, let nonce):
                let token = try await freshDeviceToken()
                let hash = GateMessages.clientDataHash(Hex.decode(nonce) ?? [], deviceToken: token)
                return .attested(try await service.attest(keyID, clientDataHash: hash))
            case .sign(let keyID, let nonce):
                let token = try await freshDeviceToken()
                let hash = GateMessages.clientDataHash(Hex.decode(nonce) ?? [], deviceToken: token)
                return .signed(try await service.assert(keyID, clientDataHash: hash))
            case .fetchChallenge, .register, .open, .finished, .failed: break
            }
        } catch {
            return .serviceFailed(error)
        }
        switch step {
        case .register(let keyID, let attestation, let nonce):
            let answer = try await transport.send(
                GateMessages.registration(
                    keyID, attestation: attestation, nonce: nonce, deviceToken: deviceToken))
            return answer.status == 200 ? .registered : .refused(GateRefusal(answer))
        default:
            let answer = try await transport.send(GateMessages.challenge(for: key))
            guard answer.status == 200 else { return .refused(GateRefusal(answer)) }
            guard let nonce = GateMessages.nonce(in: answer) else {
                throw AppAttestClientError.notTheGate(status: answer.status)
            }
            return .challenge(nonce: nonce)
        }
    }

    private func freshDeviceToken() async throws(AppAttestServiceError) -> [UInt8]? {
        deviceToken = nil
        deviceToken = try await deviceTokens?.deviceToken()
        return deviceToken
    }

    // MARK: Turns

    private func takeTurn() async {
        guard isBusy else {
            isBusy = true
            return
        }
        await withCheckedContinuation { waiting.append($0) }
    }

    private func passTurn() {
        if waiting.isEmpty { isBusy = false } else { waiting.removeFirst().resume() }
    }
}
