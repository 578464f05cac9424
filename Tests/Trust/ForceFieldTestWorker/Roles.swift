#if os(Linux)
    import ForceFieldTestMethods
    import ForceFieldWire
    import ForceFieldWorker
    import Glibc

    let roles: [String: @Sendable () -> Service] = [
        "echo": echo,
        "all": all,
        "two": {
            var service = all()
            service.maxInFlight = 2
            return service
        },
        "duplicate": {
            var service = echo()
            service.handle(TestMethods.echo) { request, _ in request }
            return service
        },
        "unprepared": {
            var service = echo()
            service.prepare = { throw Refusal(text: "no model") }
            return service
        },
    ]

    struct Refusal: Error, CustomStringConvertible {
        let text: String

        var description: String { text }
    }

    func echo() -> Service {
        var service = Service()
        service.handle(TestMethods.echo) { request, _ in request }
        return service
    }

    func all() -> Service {
        var service = echo()
        service.takesDescriptors = true
        service.handle(TestMethods.add) { request, _ in request.left + request.right }
        service.handle(TestMethods.count) { count, context in
            for number in 0..<count { try await context.emit(number) }
        }
        service.handle(TestMethods.rawItems) { bytes, context in
            for byte in bytes { try await context.emit([byte]) }
        }
        service.handle(TestMethods.leave) { number, context in
            Task {
                do { try await context.emit(number) } catch { context.log(.notice, "\(error)") }
            }
            for _ in 0..<100 { await Task.yield() }
            throw Refusal(text: "left")
        }
        service.handle(TestMethods.sleep) { milliseconds, _ in
            let begin = ContinuousClock.now
            try await Task.sleep(for: .milliseconds(milliseconds))
            return Int((ContinuousClock.now - begin) / .milliseconds(1))
        }
        service.handle(TestMethods.concurrent) { count, _ in try await sum(below: count) }
        service.handle(TestMethods.fail) { text, _ in throw Refusal(text: text) }
        service.handle(TestMethods.yield) { _, context in
            while !context.isCancelled { await Task.yield() }
            throw CancellationError()
        }
        service.handle(TestMethods.report) { steps, context in
            for step in 0...steps { context.progress(done: UInt64(step), total: UInt64(steps)) }
            context.progress(done: 0, total: 1)
            context.log(.notice, "done")
            return steps
        }
        service.handle(TestMethods.ask) { name, context in try await context.host.call(TestMethods.greet, name) }
        service.handle(TestMethods.readDescriptor) { offset, context in
            guard let file = context.descriptors.first, let size = file.fileSize,
                let bytes = file.read(size - offset, at: offset)
            else { throw Refusal(text: "no file came along") }
            return Bytes(bytes)
        }
        service.handle(TestMethods.configured) { _, context in try context.configuration() }
        service.handle(TestMethods.end) { ending, _ in end(ending) }
        return service
    }

    /// Each number by an actor, its tasks in a group, one of them detached, one asleep.
    private func sum(below count: Int) async throws -> Int {
        let total = Total()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<count {
                group.addTask {
                    if number % 7 == 0 { try await Task.sleep(for: .milliseconds(2)) }
                    if number % 5 == 0 {
                        await Task.detached { await total.add(number) }.value
                    } else {
                        await total.add(number)
                    }
                }
            }
            try await group.waitForAll()
        }
        let sum = await total.sum
        async let twice = 2 * sum
        return await MainActor.run { sum } + twice - 2 * sum
    }

    private actor Total {
        private(set) var sum = 0

        func add(_ number: Int) { sum += number }
    }

    private func end(_ ending: TestMethods.Ending) -> Int {
        switch ending {
        case .exit: exit(0)
        case .exitWithCode: exit(7)
        case .missingValue: return Int(String(getpid()) + "x")!
        case .abort: abort()
        case .fault: return UnsafePointer<Int>(bitPattern: 8)?.pointee ?? 0
        case .allocation:
            var blocks: [[UInt8]] = []
            while true { blocks.append([UInt8](repeating: 1, count: 16 << 20)) }
        case .listen: return Int(listen(0, 1))
        case .spin: while true { _ = getpid() }
        }
    }
#endif
