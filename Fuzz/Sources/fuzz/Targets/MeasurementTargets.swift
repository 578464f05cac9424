@_spi(Fuzzing) import CodeMeasurement

extension FuzzTarget {
    /// What the kernel tells of a process that an attacker may name and shape.
    static let processTexts = FuzzTarget(
        name: "process-texts",
        seeds: [
            Array(
                """
                1000-3000 r--p 00000000 fe:00 7          /opt/a\\012b
                3000-4000 r-xp 00002000 fe:00 7          /opt/a (deleted)
                ffffffffff600000-ffffffffff601000 --xp 00000000 00:00 0                  [vsyscall]

                """.utf8),
            Array("4711 (a) b) S 1 4711 4711 0 -1 4194560 282 0 0 0 0 0 0 0 20 0 1 0 375912 2551808 332\n".utf8),
            Array("TracerPid:\t0\nUid:\t1\t2\t3\t4\nCapEff:\t000001ffffffffff\nThreads:\t1\n".utf8),
            Array("Max core file size        unlimited            unlimited            bytes     \n".utf8),
        ]
    ) { bytes in
        precondition(OutsideTexts.process(bytes), "what the kernel tells of a process contradicts itself")
    }

    static let behaviourProfile = FuzzTarget(
        name: "behaviour-profile",
        seeds: [
            Array(
                """
                {"version":2,"rules":[{"id":"a","field":"status.CapEff","op":"maskZero","value":"0xff"},\
                {"id":"b","field":"env.LANG","op":"in","value":["C","C.UTF-8"]}]}
                """.utf8)
        ]
    ) { bytes in
        guard let profile = try? BehaviourProfile(json: bytes) else { return }
        precondition((try? BehaviourProfile(json: profile.json)) == profile)
    }
}
