#if os(Linux)
    import CForceField
    import ForceField
    import ForceFieldTestMethods
    import ForceFieldTestSupport
    import ForceFieldWire
    import Testing

    @Suite struct RefusalTests {
        @Test("a service with two methods of one name does not start")
        func duplicate() throws {
            let worker = try WorkerProcess(.none, role: "duplicate")
            #expect(try worker.next() == nil)
            #expect(try worker.end() == .init(78))
            #expect(try worker.errorText().contains("echo is declared twice"))
        }

        @Test("outside of a force field it serves nobody, whatever descriptor 3 is")
        func unconfined() throws {
            let worker = try WorkerProcess(.none, role: "echo", arguments: ["plain"])
            #expect(try worker.next() == nil)
            #expect(try worker.end() == .init(64))
            #expect(try worker.errorText().contains("in a force field only"))
        }

        @Test("a role that the program does not have is refused", .enabled(if: Machine.isStrict))
        func unknownRole() throws {
            let worker = try WorkerProcess(.forceField, role: "nobody")
            #expect(try worker.end() == .init(78))
        }

        @Test("a service that cannot prepare says why and ends")
        func unprepared() throws {
            let worker = try WorkerProcess(.none, role: "unprepared")
            #expect(try worker.end() == .init(69))
            #expect(try worker.errorText().contains("no model"))
        }

        @Test("a host of another interface is left", arguments: Walls.possible)
        func otherInterface(walls: Walls) throws {
            let worker = try WorkerProcess(walls, role: "echo")
            guard case .hello = try worker.next() else { throw WorkerProcess.Unexpected() }
            let welcome = Welcome(interfaceHash: 1, maxFrame: 1 << 20, maxInFlight: 1)
            try worker.send(Frame.welcome(welcome))
            #expect(try worker.end() == .init(78))
            #expect(try worker.errorText().contains("another interface"))
        }

        @Test("a host that does not answer HELLO is left after two seconds")
        func silence() throws {
            let worker = try WorkerProcess(.none, role: "echo")
            #expect(try worker.end() == .init(75))
        }

        @Test("bytes that are no frame end the worker", arguments: Walls.possible)
        func noise(walls: Walls) throws {
            let worker = try WorkerProcess(walls, role: "echo")
            try worker.welcome()
            try worker.send(bytes: [UInt8](repeating: 0xaa, count: 64))
            #expect(try worker.end() == .init(76))
        }

        @Test("a request that is not of the method's type is answered with badRequest, and the next one works")
        func badRequest() throws {
            let worker = try WorkerProcess(.none)
            try worker.welcome()
            let id = try worker.request(Method<String, Int>("add"), "not an addition")
            guard case .error(id, .badRequest, let text) = try worker.next() else { throw WorkerProcess.Unexpected() }
            #expect(!String(decoding: text, as: UTF8.self).contains("addition"))
            #expect(try worker.call(TestMethods.add, .init(left: 2, right: 3)) == 5)
        }

        @Test("what a handler throws comes back, cut at 1,024 bytes between two characters")
        func handlerError() throws {
            let worker = try WorkerProcess(.none)
            try worker.welcome()
            let id = try worker.request(TestMethods.fail, "x" + String(repeating: "ü", count: 600))
            guard case .error(id, .handlerFailed, let text) = try worker.next() else {
                throw WorkerProcess.Unexpected()
            }
            #expect(String(decoding: text, as: UTF8.self) == "x" + String(repeating: "ü", count: 511))
        }

        @Test("a reply larger than a frame is answered with tooLarge")
        func tooLarge() throws {
            let worker = try WorkerProcess(.none, terms: { $0.maxFrame = 4_096 })
            try worker.welcome()
            let id = try worker.request(TestMethods.ask, "name")
            guard case .hostCall(let call, _, _) = try worker.next() else { throw WorkerProcess.Unexpected() }
            try worker.answer(call, FFV1.encode(String(repeating: "a", count: 5_000)))
            guard case .error(id, .tooLarge, _) = try worker.next() else { throw WorkerProcess.Unexpected() }
        }

        @Test("more requests than the worker takes are answered with busy")
        func busy() throws {
            let worker = try WorkerProcess(.none)
            try worker.welcome()
            try worker.send(Frame.request(1, TestMethods.yield.signature.id, body: FFV1.encode(0)))
            try worker.send(Frame.request(2, TestMethods.echo.signature.id, body: [1]))
            let busy = Frame.error(2, .busy, text: "1 requests are open already").bytes
            #expect(try worker.bytes(busy.count) == busy)
        }

        @Test(
            "a worker with Foundation does not start where every UUID would be the same", .enabled(if: Machine.isStrict)
        )
        func constantUUID() throws {
            let worker = try WorkerProcess(.forceField, program: "ForceFieldFoundationWorker")
            #expect(try worker.end() == .init(78))
            #expect(try worker.errorText().contains("entropyDevice"))
        }

        @Test("with /dev/urandom it starts, and UUIDs differ", .enabled(if: Machine.isStrict))
        func entropyDevice() throws {
            let worker = try WorkerProcess(
                .forceField, program: "ForceFieldFoundationWorker",
                policy: { cforcefield_policy_add_file(&$0, "/dev/urandom", "/dev/urandom") })
            try worker.welcome()
            let first = try worker.call(TestMethods.configured, 0)
            #expect(try first != worker.call(TestMethods.configured, 0))
            #expect(first != "00000000-0000-4000-8000-000000000000")
        }
    }
#endif
