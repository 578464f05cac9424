import CodeMeasurement

/// What looks at the code of the process at the other end.
public protocol PeerInspector: Sendable {
    /// Takes hold of the process at the other end, before anything is believed that it says.
    ///
    /// - Throws: ``Refusal``: `peerIdentity` where it may not connect, or is gone.
    func inspect(_ channel: any MessageChannel) throws(Refusal) -> any InspectedPeer
}

/// A process that is held and can be looked at again and again.
public protocol InspectedPeer: AnyObject, Sendable {
    /// The identity of the process, for the log.
    var identity: ProcessIdentity? { get }

    /// Measures the files of the process, for the first look at it not to take so long. What it finds, that look finds
    /// as well.
    func prepare()

    /// Takes the descriptors that the process sent of itself.
    ///
    /// - Throws: ``Refusal``: `malformed`, `unmeasurable` for descriptors of something else.
    func take(_ attachments: [Attachment], _ mask: HandleMask) throws(Refusal)

    /// Looks.
    ///
    /// - Parameters:
    ///   - levels: those that are wanted; more may be taken where they cost nothing.
    ///   - isNewSession: whether a session begins with it, in which case less is forgiven.
    /// - Throws: ``Refusal`` with the finding; `unmeasurable` where a wanted level cannot be taken.
    func look(_ levels: Levels, isNewSession: Bool) throws(Refusal) -> Inspection
}

extension InspectedPeer {
    /// Does nothing beforehand.
    public func prepare() {}
}

/// What was seen.
public struct Inspection: Hashable, Sendable {
    /// The levels that were taken.
    public var measured: Levels
    /// The digest of the files; nil where they were not read.
    public var hash: Bytes32?
    /// What else is worth knowing.
    public var flags: MeasurementFlags

    /// What a look has shown.
    ///
    /// - Parameter hash: of the files; nil where they were not read.
    public init(measured: Levels, hash: Bytes32?, flags: MeasurementFlags = []) {
        self.measured = measured
        self.hash = hash
        self.flags = flags
    }
}
