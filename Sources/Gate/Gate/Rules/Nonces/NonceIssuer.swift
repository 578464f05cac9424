internal import Crypto

/// Gives nonces out and takes each back once.
///
/// A nonce that is bound to an address is kept, or sealed, together with it: from another address it is as unknown as
/// one that was never issued, and stays good for its owner.
///
/// Source: `appattest-gate` section 3.4. Where that seals a time of the wall clock, a gate of its own, whose key nobody
/// else has, seals one of the clock that nobody can set: a used nonce does not live again when the wall clock goes
/// back.
struct NonceIssuer: Sendable {
    enum Mode: Sendable {
        /// The store keeps what was issued.
        case stored
        /// The store keeps what was used; what was issued proves itself by the key.
        case sealed(NonceSeal)
    }

    private let mode: Mode
    private let lifetime: Duration
    private let bindsAddress: Bool
    private let store: any NonceStore
    /// Whether other gates use the store.
    let isShared: Bool
    private let time: SteadyTime
    private let random: any RandomSource

    /// - Parameter isShared: whether other gates use the store; then only the wall clock is theirs too.
    init(
        _ mode: Mode, lifetime: Duration, bindsAddress: Bool, store: any NonceStore, isShared: Bool,
        clock: any GateClock, random: any RandomSource
    ) {
        self.mode = mode
        self.lifetime = lifetime
        self.bindsAddress = bindsAddress
        self.store = store
        self.isShared = isShared
        time = SteadyTime(clock, isSteady: !isShared)
        self.random = random
    }

    struct Issued: Sendable {
        let nonce: [UInt8]
        /// When the nonce expires, by the wall clock.
        let expiresAt: Timestamp
    }

    /// - Parameter owner: whose nonces make room for each other.
    /// - Returns: nil if the store took none.
    func issue(to client: IPAddress, owner: ClientKey) async throws(StoreError) -> Issued? {
        let wall = time.wall
        switch mode {
        case .stored:
            let nonce = random.bytes(Nonce.bytes)
            let isKept = try await store.put(
                kept(nonce, client), expiresAt: time.now + lifetime, owner: owner)
            return isKept ? Issued(nonce: nonce, expiresAt: wall + lifetime) : nil
        case .sealed(let seal):
            let seconds = ((time.now + lifetime).milliseconds + 999) / 1_000
            let nonce = seal.nonce(
                expirySeconds: UInt32(truncatingIfNeeded: seconds), random: random.bytes(NonceSeal.randomBytes),
                binding: binding(client))
            return Issued(nonce: nonce, expiresAt: wall + lifetime)
        }
    }

    /// Takes a nonce back that was kept.
    ///
    /// - Returns: true for exactly one caller.
    func consume(_ nonce: [UInt8], from client: IPAddress) async throws(StoreError) -> Bool {
        try await store.consume(kept(nonce, client), now: time.now)
    }

    /// A nonce whose seal and whose time are good. Whether it was used before is not known yet.
    struct Sealed: Sendable {
        fileprivate let nonce: [UInt8]
        fileprivate let end: Timestamp
    }

    /// Whether nonces prove themselves: they are opened and marked, and none is kept.
    var seals: Bool { if case .sealed = mode { true } else { false } }

    /// Looks at a nonce that proves itself. Nothing is kept of that.
    ///
    /// - Returns: nil if it was not issued here, or has expired.
    func open(_ nonce: [UInt8], from client: IPAddress) -> Sealed? {
        guard case .sealed(let seal) = mode, let expirySeconds = seal.expirySeconds(nonce, binding: binding(client))
        else { return nil }
        let now = time.now
        let end = Timestamp(milliseconds: Int64(expirySeconds) * 1_000) + Self.skew
        // One that lives longer than it could have been issued for: a shared clock went back, and so may have its used
        // set.
        guard now < end, end <= now + (lifetime + Self.skew * 2) else { return nil }
        return Sealed(nonce: nonce, end: end)
    }

    /// Uses a sealed nonce up.
    ///
    /// - Parameter owner: the key that has signed over it: who has shown none is not to make the store keep a mark.
    /// - Returns: true for exactly one caller.
    func markUsed(_ sealed: Sealed, by owner: ClientKey) async throws(StoreError) -> Bool {
        try await store.markUsed(sealed.nonce, expiresAt: sealed.end, owner: owner, now: time.now)
    }

    /// Lets the store keep what is over already and nobody was given: whether it would keep more.
    func probe() async throws(StoreError) {
        let nonce = random.bytes(Nonce.bytes)
        let owner = ClientKey(high: 0, low: 0)
        switch mode {
        case .stored: _ = try await store.put(nonce, expiresAt: time.now, owner: owner)
        case .sealed: _ = try await store.markUsed(nonce, expiresAt: time.now, owner: owner, now: time.now)
        }
    }

    /// How many nonces the store keeps.
    func count() async throws(StoreError) -> Int { try await store.count() }

    /// Lets the store forget what has expired.
    func sweep() async throws(StoreError) {
        try await store.sweep(now: time.now)
    }

    /// How far the clocks of several gates may be apart, and how much a rounded expiry adds.
    static let skew = Duration.seconds(2)

    private func binding(_ client: IPAddress) -> [UInt8] {
        guard bindsAddress else { return [] }
        let key = ClientKey(client)
        return [key.high, key.low].flatMap { half in
            (0..<8).map { UInt8(truncatingIfNeeded: half >> (56 - 8 * UInt64($0))) }
        }
    }

    private func kept(_ nonce: [UInt8], _ client: IPAddress) -> [UInt8] {
        bindsAddress ? Array(SHA256.hash(data: nonce + binding(client))) : nonce
    }
}
