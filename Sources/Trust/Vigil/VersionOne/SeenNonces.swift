extension VersionOne {
    /// The nonce that a verdict has to have.
    package enum NoncePolicy: String, Hashable, Sendable {
        /// The nonce of the request: an old verdict is useless.
        case requireEcho
        /// Any nonce that was not seen before, as the design's first text has it. A program that has just started has
        /// seen none, and accepts what was recorded earlier.
        case allowIndependent

        /// A warning for the log, when a client is set up; nil for a safe policy.
        package var warning: String? {
            switch self {
            case .requireEcho: nil
            case .allowIndependent:
                "Version 1 with nonces of the validator's own: a recorded verdict is accepted after a restart. "
                    + "Set v1Nonce to requireEcho."
            }
        }
    }

    /// The nonces of the last verdicts of each key.
    package struct SeenNonces: Sendable {
        /// Nonces of one key.
        package static let limit = 4096

        private var byKey: [Bytes32: Ring] = [:]

        package init() {}

        /// - Returns: false if the nonce is among the last of this key.
        mutating func insert(_ nonce: Bytes32, of key: PublicKey) -> Bool {
            byKey[key.id, default: Ring()].insert(nonce)
        }

        private struct Ring {
            private var nonces: [Bytes32] = []
            private var members: Set<Bytes32> = []
            /// Where the oldest one is, once there is no more room.
            private var oldest = 0

            mutating func insert(_ nonce: Bytes32) -> Bool {
                guard members.insert(nonce).inserted else { return false }
                if nonces.count < SeenNonces.limit {
                    nonces.append(nonce)
                } else {
                    members.remove(nonces[oldest])
                    nonces[oldest] = nonce
                    oldest = (oldest + 1) % SeenNonces.limit
                }
                return true
            }
        }
    }
}
