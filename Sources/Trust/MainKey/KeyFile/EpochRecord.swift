import BigEndian
import SecretMemory

/// A data key, wrapped under the MainKey (`mainkey` section 5). Data is sealed in the active epoch; a retiring one
/// still opens what has not been sealed anew yet.
struct EpochRecord: Hashable, Sendable {
    enum State: UInt32, Sendable {
        case active = 1
        case retiring = 2
    }

    static let byteCount = 76

    /// The number of the epoch, from 1, ascending.
    var epoch: UInt32
    /// When the epoch was made, in seconds since 1970, to inform.
    var createdAt: UInt64
    var state: State
    var nonce: [UInt8]
    var wrapped: [UInt8]

    private var head: [UInt8] {
        [UInt8](bigEndian: epoch) + [UInt8](bigEndian: createdAt) + [UInt8](bigEndian: state.rawValue) + nonce
    }

    var bytes: [UInt8] { head + wrapped }

    private func data(_ vault: VaultID) -> [UInt8] { KeyLabel.epoch.bytes + vault.bytes + head }

    /// Wraps an epoch key.
    init(
        epoch: UInt32, createdAt: UInt64, state: State, key: SecretBytes, under mainKey: MainKeySecrets
    ) throws(MainKeyError) {
        self.epoch = epoch
        self.createdAt = createdAt
        self.state = state
        nonce = KernelRandom.bytes(AEAD.nonceByteCount)
        wrapped = []
        wrapped = try AEAD.forValues(key: mainKey.epochWrapping).seal(key, nonce: nonce, data: data(mainKey.vault))
    }

    /// The epoch's key.
    func open(under mainKey: MainKeySecrets) throws(MainKeyError) -> SecretBytes {
        let aead = try AEAD.forValues(key: mainKey.epochWrapping)
        guard let key = try aead.open(wrapped, nonce: nonce, data: data(mainKey.vault)) else {
            throw .tampered(reason: "the key of epoch \(epoch)")
        }
        return key
    }

    /// - Parameter bytes: 76 bytes.
    init(parsing bytes: ArraySlice<UInt8>) throws(MainKeyError) {
        var reader = ByteReader(bytes)
        epoch = reader.integer()
        createdAt = reader.integer()
        let state = reader.integer(UInt32.self)
        guard let state = State(rawValue: state) else {
            throw .malformed(.epoch, reason: "its state is \(state)")
        }
        self.state = state
        nonce = reader.array(AEAD.nonceByteCount)
        wrapped = reader.array(Slot.wrappedByteCount)
    }
}
