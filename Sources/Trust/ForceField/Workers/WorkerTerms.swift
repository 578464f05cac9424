#if os(Linux)
    import ForceFieldWire

    /// What one worker is started from and held to.
    struct WorkerTerms: Sendable {
        let launch: Launch
        /// Nil for a plain program, which has no channel.
        let channel: ChannelTerms?
        /// The pace that all workers of these terms share.
        let pace = Pace()
        /// The worker's configuration in FFV1; empty for none.
        var configuration: [UInt8] = []
        /// A plain program: bytes of its outputs that are passed on before it is killed.
        var outputLimit = Int.max
        /// A plain program: when it is killed.
        var deadline: Duration?

        var policy: Policy { launch.policy }
    }
#endif
