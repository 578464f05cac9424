#if os(macOS) && canImport(XPC)
    import CodeMeasurement

    /// A channel whose other end the system holds to a requirement, at each message.
    protocol CodeSignedChannel: MessageChannel {
        var requirement: String { get }
    }

    /// Takes the process at the other end for its program because the system holds it to its code signature: its file
    /// is the manifest's, and nothing else meets the requirement.
    ///
    /// The process itself is not looked at: of an XPC connection the system tells no audit token, and a number of a
    /// process may be another's by now.
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

        /// Checks what the other end is held to.
        ///
        /// - Throws: ``Refusal``: `peerIdentity`, `unmeasurable` for a channel of which the system tells nothing.
        public func inspect(_ channel: any MessageChannel) throws(Refusal) -> any InspectedPeer {
            guard let channel = channel as? any CodeSignedChannel else {
                throw Refusal(.unmeasurable, "the system tells nothing of a peer over this channel")
            }
            guard channel.requirement == program.requirement else {
                throw Refusal(.peerIdentity, "nothing holds the other end to the manifest's program")
            }
            return SignedPeer(program)
        }
    }

    private final class SignedPeer: InspectedPeer {
        private let program: SignedProgram
        let identity: ProcessIdentity? = nil

        init(_ program: SignedProgram) {
            self.program = program
        }

        func take(_ attachments: [Attachment], _ mask: HandleMask) throws(Refusal) {
            guard mask.isEmpty else { throw Refusal(.malformed, "there are no measurement handles on this system") }
        }

        func look(_ levels: Levels, isNewSession: Bool) throws(Refusal) -> Inspection {
            // The files were compared when the program was taken up; what runs is bound to them by the system,
            // and no other code gets in (``SignedProgram``).
            Inspection(measured: .files, hash: program.expected.hash)
        }
    }
#endif
