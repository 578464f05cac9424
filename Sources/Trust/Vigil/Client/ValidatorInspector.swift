#if os(Linux)
    import CodeMeasurement
    import Glibc

    /// Looks at the validator of an installation. Where the configuration names no users it has to run as the owner of
    /// the socket's folder, who alone can listen there and whose folder no other user can exchange.
    ///
    /// Source: `vigil` sections 4.1 and 7.
    struct ValidatorInspector: PeerInspector {
        let kernel: KernelInspector
        let configuration: VigilConfiguration

        func inspect(_ channel: any MessageChannel) throws(Refusal) -> any InspectedPeer {
            guard configuration.allowedUsers.isEmpty else { return try kernel.inspect(channel) }
            var kernel = kernel
            kernel.peers = PeerPolicy(allowedUsers: [try owner()])
            return try kernel.inspect(channel)
        }

        private func owner() throws(Refusal) -> UInt32 {
            let path = configuration.socketPath
            let folder = String(path[..<(path.utf8.lastIndex(of: UInt8(ascii: "/")) ?? path.startIndex)])
            var status = stat()
            guard lstat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
                throw Refusal(.peerIdentity, "\(folder), where the validator answers, is no folder")
            }
            guard status.st_mode & 0o022 == 0 else {
                throw Refusal(.peerIdentity, "others than its owner may listen in \(folder); run chmod go-w on it")
            }
            do throws(ConfigurationError) { try TrustedPath(owners: [geteuid(), status.st_uid]).check(folder) } catch {
                throw Refusal(.peerIdentity, error.description)
            }
            return status.st_uid
        }
    }
#endif
