import CodeMeasurement
import HardwareKeys

/// What an app is and what it has.
public struct AppIdentity: Sendable {
    package var key: any SigningKey
    /// Measures this process: the digest of its bundle of the kind of the profile, from memory where it is mapped.
    package var measure: @Sendable () throws(Refusal) -> Bytes32
    /// Digest of the validator's code, by the manifest, of the kind of the profile.
    package var validatorHash: Bytes32
    /// The digest that the validator's files have to have; ``validatorHash`` itself, except in profile 1.
    package var validatorFiles: Bytes32
    /// This app's bundle digest, by the manifest, for evidence; nil where it is what is measured.
    package var text2: Bytes32?
    /// The epoch of the manifest.
    package var epoch: UInt32
    package var profile: HashProfile
    /// Descriptors of this process, for the validator to look at it; opened before it takes the right to look at it
    /// away.
    package var handles: [Attachment]
    package var handleMask: HandleMask

    /// - Parameters:
    ///   - key: this app's own.
    ///   - measure: measures this process, as the manifest's digest was made.
    ///   - validatorHash: the digest of the validator's code, by the manifest.
    ///   - validatorFiles: the digest that the validator's files have to have; nil for `validatorHash`.
    ///   - text2: this app's bundle digest, for evidence; nil where it is what is measured.
    ///   - epoch: of the manifest.
    ///   - profile: which digests the two sides compare.
    ///   - handles: descriptors of this process, for the validator to look at it.
    ///   - handleMask: which descriptors those are.
    public init(
        key: any SigningKey, measure: @escaping @Sendable () throws(Refusal) -> Bytes32, validatorHash: Bytes32,
        validatorFiles: Bytes32? = nil, text2: Bytes32? = nil, epoch: UInt32, profile: HashProfile = .text2,
        handles: [Attachment] = [], handleMask: HandleMask = []
    ) {
        self.key = key
        self.measure = measure
        self.validatorHash = validatorHash
        self.validatorFiles = validatorFiles ?? validatorHash
        self.text2 = text2
        self.epoch = epoch
        self.profile = profile
        self.handles = handles
        self.handleMask = handleMask
    }
}

/// Where a validator answers.
public protocol ValidatorEndpoint: Sendable {
    /// - Throws: `ChannelError`: `closed` if no process listens there.
    func connect(until deadline: Deadline) throws(ChannelError) -> any MessageChannel
}

#if os(Linux)
    /// A validator behind a Unix socket.
    package struct UnixEndpoint: ValidatorEndpoint {
        package let path: String
        private let frameTime: Duration

        /// - Parameter frameTime: how long a message may take once it has begun.
        package init(_ path: String, frameTime: Duration = UnixSocketChannel.usualFrameTime) {
            self.path = path
            self.frameTime = frameTime
        }

        package func connect(until deadline: Deadline) throws(ChannelError) -> any MessageChannel {
            try UnixSocketChannel.connect(to: path, until: deadline, frameTime: frameTime)
        }
    }
#endif
