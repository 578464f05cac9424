/// What a call may say beside its request.
public struct CallOptions: Sendable {
    /// The time from now in which the reply has to be there, also while the call waits for a worker; nil for the
    /// policy's.
    public var deadline: Duration?
    #if os(Linux)
        /// Descriptors that go with the request. The policy has to grant them.
        public var descriptors: [OutgoingDescriptor] = []
    #endif
    /// Whether to send an input that has ended workers before.
    public var acceptsQuarantined = false
    /// How long the calling thread may wait for the answer by itself, which saves two changes of threads; nil for a
    /// moment that threads of Swift's pool can afford. More is for callers that have a thread of their own.
    public var patience: Duration?
    /// Called for what the worker reports, at most twenty times a second.
    public var onProgress: (@Sendable (CallProgress) -> Void)?

    /// - Parameter change: sets what is not to be as it is by default.
    public init(_ change: (inout CallOptions) -> Void = { _ in }) { change(&self) }
}

/// How far a worker says it is. It is the worker's word.
public struct CallProgress: Hashable, Sendable {
    /// Parts of the work that are done, and all of them.
    public let done, total: UInt64
}
