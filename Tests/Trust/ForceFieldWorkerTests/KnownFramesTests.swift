#if os(Linux)
    import ForceField
    import ForceFieldTestMethods
    import ForceFieldTestSupport
    import ForceFieldWire
    import TestSupport
    import Testing

    @Suite(.enabled(if: SharedData.has("forcefield/frame_vectors.json")))
    struct KnownFramesTests {
        private let frames: [String: [UInt8]]

        init() throws {
            let list = try SharedData.json("forcefield/frame_vectors.json")["frames"].array
            frames = try Dictionary(
                uniqueKeysWithValues: list.map { (try #require($0["name"].string), try #require($0["hex"].hex)) })
        }

        private func frame(_ name: String) throws -> [UInt8] { try #require(frames[name]) }

        @Test("a worker that echoes speaks the known frames byte for byte", arguments: Walls.possible)
        func knownFrames(walls: Walls) throws {
            let worker = try WorkerProcess(walls, role: "echo")
            // The vector does not say the role, which stands behind header and magic.
            var hello = try frame("hello")
            hello[28] = walls == .forceField ? 1 : 2
            #expect(try worker.bytes(hello.count) == hello)
            try worker.send(bytes: frame("welcome"))
            try worker.send(bytes: frame("request-echo"))
            let response = try frame("response-echo")
            #expect(try worker.bytes(response.count) == response)
            try worker.send(bytes: frame("shutdown"))
            let goodbye = try frame("goodbye")
            #expect(try worker.bytes(goodbye.count) == goodbye)
            #expect(try worker.end() == .init(0))
        }

        @Test("frames may arrive a byte at a time")
        func drip() throws {
            let worker = try WorkerProcess(.none, role: "echo")
            _ = try worker.bytes(56)
            for byte in try frame("welcome") + frame("request-echo") { try worker.send(bytes: [byte]) }
            let response = try frame("response-echo")
            #expect(try worker.bytes(response.count) == response)
        }

        @Test("an unknown method is refused with the known frame")
        func unknownMethod() throws {
            let worker = try WorkerProcess(.none, role: "echo")
            _ = try worker.bytes(56)
            try worker.send(bytes: frame("welcome"))
            try worker.send(bytes: frame("request-echo"))
            _ = try worker.bytes(26)
            try worker.send(Frame.request(2, MethodID(name: "other"), body: []))
            let error = try frame("error-unknown-method")
            #expect(try worker.bytes(error.count) == error)
        }
    }
#endif
