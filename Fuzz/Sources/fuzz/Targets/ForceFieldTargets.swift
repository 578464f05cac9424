import CForceField
@_spi(Fuzzing) import ForceField
@_spi(Fuzzing) import ForceFieldWire

extension FuzzTarget {
    /// FFV1: what is read is written as it was, and decoding into types never traps.
    static let wireValue = FuzzTarget(
        name: "ffv1",
        seeds: [
            [0x00], [0x03, 1, 0, 0, 0, 0, 0, 0, 0], [0x07, 2, 0, 0, 0, 0x61, 0x62], [0x08, 1, 0, 0, 0, 0xff],
            [0x09, 2, 0, 0, 0, 0x01, 0x02], [0x0a, 1, 0, 0, 0, 4, 0x6e, 0x61, 0x6d, 0x65, 0x07, 0, 0, 0, 0],
            [0x0a, 1, 0, 0, 0, 5, 0x70, 0x61, 0x72, 0x74, 0x73, 0x09, 0, 0, 0, 0],
        ]
    ) { bytes in
        precondition(OutsideWireBytes.value(bytes))
        OutsideWireBytes.decoded(bytes)
    }

    /// What a worker sends: the host's memory stays within its bound, whatever it is and however it is cut.
    static let workerChannel = FuzzTarget(name: "ff1-worker", seeds: channelSeeds) { bytes in
        for piece in [1, 7, 4_096] { precondition(OutsideWireBytes.fromWorker(bytes, piece: piece)) }
    }

    /// What a host sends.
    static let hostChannel = FuzzTarget(name: "ff1-host", seeds: channelSeeds) { bytes in
        for piece in [1, 7, 4_096] { OutsideWireBytes.fromHost(bytes, piece: piece) }
    }

    /// Records of wardens and orders to them.
    static let controlRecord = FuzzTarget(
        name: "ff-control",
        seeds: ([1, 2, 3, 4, 5, 6, 64, 65, 66, 67] as [UInt8]).map { kind in
            [0x46, 0x46, 0x43, 0x31, kind, 0, 0, 0, 1] + Array(repeating: 0, count: 55)
        }
    ) { bytes in
        precondition(OutsideControlBytes.controlRecord(bytes))
    }

    /// What stage 0 is told.
    static let stagePolicy = FuzzTarget(
        name: "ff-policy",
        seeds: {
            var policy = cforcefield_policy()
            cforcefield_policy_make(&policy)
            let plain = withUnsafeBytes(of: policy) { Array($0) }
            guard cforcefield_policy_add_file(&policy, "/dev/null", "/dev/null") == 0 else { return [plain] }
            return [plain, withUnsafeBytes(of: policy) { Array($0) }]
        }()
    ) { bytes in
        var policy = cforcefield_policy()
        guard cforcefield_policy_read(bytes, bytes.count, &policy) == cforcefield_policy_accepted else { return }
        // What is accepted is read as it is, and bounds the worker.
        precondition(withUnsafeBytes(of: policy) { Array($0) } == bytes)
        precondition(policy.open_files <= CFORCEFIELD_MOST_OPEN_FILES && policy.cpu_seconds > 0)
        precondition((policy.layers_off | policy.layers_may_miss) & cforcefield_layer_rlimits.rawValue == 0)
    }

    /// HELLO, a reply, an item, a host call and a request, as the known answers have them.
    private static let channelSeeds: [[UInt8]] = [
        [0x20, 0, 0, 0, 0x01, 0, 0, 0] + Array(repeating: 0, count: 8) + [0, 0, 1, 0, 0, 0, 0, 0],
        [3, 0, 0, 0, 0x11, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3],
        [1, 0, 0, 0, 0x14, 1, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9],
        [8, 0, 0, 0, 0x20, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0x80, 0, 0, 0, 0, 0, 0, 0, 0] + Array(repeating: 0, count: 8),
    ].map(checked)

    /// With a check word that is right.
    private static func checked(_ frame: [UInt8]) -> [UInt8] {
        let word = frame[..<20].reduce(UInt32(0x811c_9dc5)) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
        return frame[..<20] + withUnsafeBytes(of: word.littleEndian) { Array($0) } + frame[24...]
    }
}
