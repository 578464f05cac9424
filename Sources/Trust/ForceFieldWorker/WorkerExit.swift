#if os(Linux)
    import CForceField
    import ForceFieldWire

    import CLibrary

    /// How a worker ends by itself. The raw values are exit codes, from sysexits.h where it has one.
    enum WorkerExit: Int32, Error {
        /// The host has enough, or has gone.
        case clean = 0
        /// The program was started by a person rather than by a host.
        case noHost = 64
        /// The service could not prepare.
        case unprepared = 69
        /// The host has not answered HELLO.
        case noWelcome = 75
        /// The host has broken the protocol.
        case badProtocol = 76
        /// Program and host, or program and policy, do not fit together.
        case misfit = 78

        init(_ fault: ChannelFault) {
            switch fault {
            case .violation: self = .badProtocol
            case .versionMismatch, .interfaceMismatch: self = .misfit
            }
        }

        /// Ends the process, without the destructors of libraries: nothing of it is of use to anyone.
        func end(saying message: String? = nil) -> Never {
            if let message {
                let line = Array("\(Self.programName): \(message)\n".utf8)
                // Where it is not read there is nothing left to do.
                _ = line.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
            }
            fflush(nil)
            _exit(rawValue)
        }

        /// What the host has called this process; Swift itself cannot find its arguments in a force field.
        private static var programName: String { cforcefield_worker_name().map { String(cString: $0) } ?? "worker" }
    }

    extension ChannelFault {
        var explanation: String {
            switch self {
            case .violation(let violation): "the host broke the protocol: \(violation)"
            case .versionMismatch(let found): "the host speaks version \(found >> 16) of FF1, this worker another one"
            case .interfaceMismatch:
                "the host was built with another interface; install host and worker of one release"
            }
        }
    }
#endif
