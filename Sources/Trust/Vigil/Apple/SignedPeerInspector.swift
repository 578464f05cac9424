#if os(macOS) && canImport(Security)
    import CodeMeasurement
    import Foundation

    /// A channel whose other end the system has checked, or can be asked about.
    protocol CodeSignedChannel: MessageChannel {
        /// The requirement that the system holds every message to; nil for none.
        var requirement: String? { get }
        /// The bytes of the other end's `audit_token_t`, where the system tells it (`LOCAL_PEERTOKEN` of a Unix
        /// socket).
        var auditToken: Data? { get }
    }

    /// Looks at the process at the other end through its code signature: its file is the manifest's, and what runs is
    /// that file.
    ///
    /// Not run where this project is tested, and so kept small.
    ///
    /// Source: `vigil` section 11.1.
    public struct SignedPeerInspector: PeerInspector {
        private let program: SignedProgram

        /// - Parameter program: what has to run at the other end.
        public init(_ program: SignedProgram) {
            self.program = program
        }

        /// Checks who is at the other end.
        ///
        /// - Throws: ``Refusal``: `peerIdentity`, `unmeasurable` for a channel of which the system tells nothing.
        public func inspect(_ channel: any MessageChannel) throws(Refusal) -> any InspectedPeer {
            guard let channel = channel as? any CodeSignedChannel else {
                throw Refusal(.unmeasurable, "the system tells nothing of a peer over this channel")
            }
            let peer = SignedPeer(program, auditToken: channel.auditToken)
            guard channel.requirement == program.requirement || channel.auditToken != nil else {
                throw Refusal(.peerIdentity, "nothing holds the other end to the manifest's program")
            }
            try peer.check()
            return peer
        }
    }

    private final class SignedPeer: InspectedPeer {
        private let program: SignedProgram
        private let auditToken: Data?
        let identity: ProcessIdentity? = nil

        init(_ program: SignedProgram, auditToken: Data?) {
            self.program = program
            self.auditToken = auditToken
        }

        func check() throws(Refusal) {
            if let auditToken { try program.check(auditToken: auditToken) }
        }

        func take(_ attachments: [Attachment], _ mask: HandleMask) throws(Refusal) {
            guard mask.isEmpty else { throw Refusal(.malformed, "there are no measurement handles on this system") }
        }

        func look(_ levels: Levels, isNewSession: Bool) throws(Refusal) -> Inspection {
            try check()
            // The files were compared when the program was taken up; what runs is bound to them by the system,
            // and no other code gets in (``SignedProgram``).
            return Inspection(measured: .files, hash: program.expected.hash)
        }
    }
#endif
