import CodeMeasurement
import HardwareKeys
import SecretMemory

/// What an app is and what it has.
public struct AppIdentity: Sendable {
    public var key: any SigningKey
    /// Measures this process: the digest of its bundle of the kind of the profile, from memory where it is mapped.
    public var measure: @Sendable () throws(Refusal) -> Bytes32
    /// Digest of the validator's code, by the manifest, of the kind of the profile.
    public var validatorHash: Bytes32
    /// The digest that the validator's files have to have; ``validatorHash`` itself, except in profile 1.
    public var validatorFiles: Bytes32
    /// This app's bundle digest, by the manifest, for evidence; nil where it is what is measured.
    public var text2: Bytes32?
    /// The epoch of the manifest.
    public var epoch: UInt32
    public var profile: HashProfile
    /// Descriptors of this process, for the validator to look at it; opened before it takes the right to look at it
    /// away.
    public var handles: [Attachment]
    public var handleMask: HandleMask

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
    public struct UnixEndpoint: ValidatorEndpoint {
        public let path: String
        private let frameTime: Duration

        /// - Parameter frameTime: how long a message may take once it has begun.
        public init(_ path: String, frameTime: Duration = UnixSocketChannel.usualFrameTime) {
            self.path = path
            self.frameTime = frameTime
        }

        public func connect(until deadline: Deadline) throws(ChannelError) -> any MessageChannel {
            try UnixSocketChannel.connect(to: path, until: deadline, frameTime: frameTime)
        }
    }
#endif
