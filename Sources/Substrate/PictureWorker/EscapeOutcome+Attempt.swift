#if os(Linux)
    import CForceField
    import PictureService

    extension EscapeOutcome {
        /// Makes the attempt by the audit of force fields. What succeeds stays open: the host ends this worker.
        init(of escape: Escape) {
            let index = (0..<cforcefield_audit_count()).first { index in
                cforcefield_audit_at(index).map { String(cString: $0.pointee.name) } == escape.probe
            }
            let result = index.map(cforcefield_audit_attempt) ?? Self.refused
            self.init(result: result, notTried: Self.refused)
        }

        private static let refused = Int64(CFORCEFIELD_AUDIT_REFUSED)
    }

    extension Escape {
        /// The name of its attempt in the audit.
        fileprivate var probe: String {
            switch self {
            case .internetSocket: "net_inet_tcp"
            case .localSocket: "net_unix"
            case .file: "fs_open_passwd"
            case .rootFolder: "fs_open_root"
            }
        }
    }
#endif
