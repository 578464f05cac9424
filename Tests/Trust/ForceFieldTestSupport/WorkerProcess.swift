#if os(Linux)
    import CForceField
    import ForceField
    import ForceFieldWire
    import Foundation
    import Scheduling

    /// What is around a worker under test.
    package enum Walls: CaseIterable, Sendable {
        case none
        case forceField

        /// Those that this machine can build.
        package static let possible = allCases.filter { $0 == .none || Machine.isStrict }
    }

    package enum Machine {
        /// Whether all layers but the cgroup can be had.
        package static let isStrict: Bool = {
            var facts = cforcefield_machine()
            guard cforcefield_probe(&facts) == 0 else { return false }
            return withUnsafeBytes(of: facts.errors) { errors in
                (0..<Int(CFORCEFIELD_LAYER_COUNT)).allSatisfy { layer in
                    1 << layer == Int(cforcefield_layer_cgroup.rawValue)
                        || errors.load(fromByteOffset: layer * 4, as: Int32.self) == 0
                }
            }
        }()
    }

    /// A worker with a host that does what a test says. Ends with the last reference.
    package final class WorkerProcess {
        private let channel: Int32
        private let output: Int32
        private let control: Int32?
        /// The worker itself, or stage 0, which ends at once.
        private let process: Int32
        /// The descriptor of the warden's process, once it has said who it is.
        private var warden: Int32?
        private var conversation: HostSideConversation
        private var isReaped = false

        /// Milliseconds, more than any machine needs.
        private static let patience: Int32 = 300_000

        static let folder: URL = {
            var folder = URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath()
            while !FileManager.default.isExecutableFile(atPath: folder.appending(path: "ForceFieldTestWorker").path),
                folder.path != "/"
            {
                folder.deleteLastPathComponent()
            }
            return folder
        }()

        package init(
            _ walls: Walls, role: String = "all", program: String = "ForceFieldTestWorker", arguments: [String] = [],
            terms change: (inout ChannelTerms) -> Void = { _ in },
            policy: (inout cforcefield_policy) -> Void = { _ in }
        ) throws {
            var terms = ChannelTerms(interfaceHash: nil)
            terms.maxInFlight = 8
            terms.capabilities = [MethodID(name: "test.greet")]
            change(&terms)
            conversation = HostSideConversation(terms)
            let path = Self.folder.appending(path: program).path
            switch walls {
            case .none: (process, channel, output, control) = try Self.spawn(path, [program, role] + arguments)
            case .forceField: (process, channel, output, control) = try Self.enclose(path, role: role, policy)
            }
            if control != nil { _ = try record() }
        }

        deinit {
            for descriptor in [channel, output] + (control.map { [$0] } ?? []) { close(descriptor) }
            var status: Int32 = 0
            if !isReaped {
                if control == nil { kill(process, SIGKILL) }
                cforcefield_reap(process, &status)
            }
            if let warden {
                var ended = pollfd(fd: warden, events: Int16(POLLIN), revents: 0)
                poll(&ended, 1, Self.patience)
                cforcefield_reap_pidfd(warden, &status)
                close(warden)
            }
        }

        private static func enclose(
            _ path: String, role: String, _ change: (inout cforcefield_policy) -> Void
        ) throws -> (Int32, Int32, Int32, Int32?) {
            var policy = cforcefield_policy()
            cforcefield_policy_make(&policy)
            policy.flags |= cforcefield_policy_descriptors.rawValue
            if geteuid() == 0 { policy.user = CFORCEFIELD_FIRST_USER + UInt32.random(in: 0...0xffff) }
            change(&policy)
            let program = open(path, O_RDONLY | O_CLOEXEC)
            defer { close(program) }
            let name = strdup(role)
            defer { free(name) }
            var spawned = cforcefield_spawned()
            let error = withUnsafePointer(to: [UnsafePointer(name), nil]) { words in
                words.pointee.withUnsafeBufferPointer { words in
                    withUnsafePointer(to: &policy) { policy in
                        var request = cforcefield_spawn_request(
                            policy: policy, program: program, target: -1, input: -1, arguments: words.baseAddress)
                        return cforcefield_spawn(&request, &spawned)
                    }
                }
            }
            try Self.require(error == 0, "\(path): \(String(cString: strerror(error)))")
            return (spawned.process, spawned.channel, spawned.output, spawned.control)
        }

        private static func spawn(_ path: String, _ words: [String]) throws -> (Int32, Int32, Int32, Int32?) {
            var ends: [Int32] = [0, 0]
            var pipes: [Int32] = [0, 0]
            // Another child that a test starts at this moment must not keep them open.
            let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
            try Self.require(socketpair(AF_UNIX, kind, 0, &ends) == 0 && socketpair(AF_UNIX, kind, 0, &pipes) == 0)
            // Away from the numbers that they are put to.
            let lifted = [ends[1], pipes[1]].map { fcntl($0, F_DUPFD_CLOEXEC, 64) }
            for end in [ends[1], pipes[1]] { close(end) }
            defer { for end in lifted { close(end) } }
            var actions = posix_spawn_file_actions_t()
            posix_spawn_file_actions_init(&actions)
            defer { posix_spawn_file_actions_destroy(&actions) }
            posix_spawn_file_actions_adddup2(&actions, lifted[1], 2)
            posix_spawn_file_actions_adddup2(&actions, lifted[0], 3)
            for descriptor in 4..<4_096 as Range<Int32> { posix_spawn_file_actions_addclose(&actions, descriptor) }
            // Threads of Swift's pool block signals, and whoever runs the tests may ignore some: a worker that inherits
            // that cannot be ended by its own crash.
            var attributes = posix_spawnattr_t()
            posix_spawnattr_init(&attributes)
            defer { posix_spawnattr_destroy(&attributes) }
            var (none, all) = (sigset_t(), sigset_t())
            sigemptyset(&none)
            sigfillset(&all)
            posix_spawnattr_setsigmask(&attributes, &none)
            posix_spawnattr_setsigdefault(&attributes, &all)
            posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
            var arguments = words.map { strdup($0) } + [nil]
            defer { for argument in arguments { free(argument) } }
            // A worker lives on after a signal that Swift's backtracer has caught and that no instruction causes again.
            var variables = ProcessInfo.processInfo.environment
            variables["SWIFT_BACKTRACE"] = "enable=no"
            var environment = variables.map { strdup("\($0)=\($1)") } + [nil]
            defer { for variable in environment { free(variable) } }
            var process: Int32 = 0
            let error = posix_spawn(&process, path, &actions, &attributes, &arguments, &environment)
            try Self.require(error == 0, "\(path): \(String(cString: strerror(error)))")
            return (process, ends[0], pipes[0], nil)
        }

        // MARK: Talking

        package func send(_ frame: Frame?) throws {
            guard let frame else { throw Unexpected("no such frame now") }
            try send(bytes: frame.bytes)
        }

        package func send(bytes: [UInt8], descriptor: Int32? = nil) throws {
            var rest = bytes[...]
            if let descriptor {
                try sendDescriptor(descriptor, with: bytes[0])
                rest = rest.dropFirst()
            }
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { Glibc.send(channel, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
                if count < 0, errno == EAGAIN {
                    _ = try wait(channel, for: POLLOUT)
                    continue
                }
                try Self.require(count > 0, "the worker has gone")
                rest = rest.dropFirst(count)
            }
        }

        private func sendDescriptor(_ descriptor: Int32, with byte: UInt8) throws {
            var byte = byte
            // cmsghdr of 16 bytes, then the number, padded to 8.
            var ancillary: [UInt64] = [20, UInt64(SCM_RIGHTS) << 32 | UInt64(SOL_SOCKET), UInt64(descriptor)]
            let sent = withUnsafeMutablePointer(to: &byte) { byte in
                var part = iovec(iov_base: byte, iov_len: 1)
                return withUnsafeMutablePointer(to: &part) { part in
                    ancillary.withUnsafeMutableBytes { ancillary in
                        var message = msghdr()
                        message.msg_iov = part
                        message.msg_iovlen = 1
                        message.msg_control = ancillary.baseAddress
                        message.msg_controllen = ancillary.count
                        return sendmsg(channel, &message, Int32(MSG_NOSIGNAL))
                    }
                }
            }
            try Self.require(sent == 1)
        }

        private func wait(_ descriptor: Int32, for events: Int32) throws -> Bool {
            var request = pollfd(fd: descriptor, events: Int16(events), revents: 0)
            try Self.require(poll(&request, 1, Self.patience) == 1, "the worker says nothing for minutes")
            return true
        }

        /// What the worker says next; nil at the end.
        package func next() throws -> WorkerMessage? {
            while true {
                if let message = try conversation.next(at: .now) { return message }
                _ = try wait(channel, for: POLLIN)
                let count = try conversation.fill(at: .now) { space in
                    let count = read(channel, space.baseAddress, space.count)
                    if count < 0, errno == ECONNRESET { return 0 }
                    try Self.require(count >= 0)
                    return count
                }
                if count == 0 { return nil }
            }
        }

        /// The next bytes as they come.
        package func bytes(_ count: Int) throws -> [UInt8] {
            var bytes: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: count)
            while bytes.count < count, try wait(channel, for: POLLIN) {
                let read = Glibc.read(channel, &buffer, count - bytes.count)
                try Self.require(read > 0, "the worker has gone")
                bytes += buffer[..<read]
            }
            return bytes
        }

        @discardableResult
        package func welcome(configuration: [UInt8] = []) throws -> Hello {
            guard case .hello(let hello) = try next() else { throw Unexpected() }
            try send(conversation.welcome(configuration: configuration))
            return hello
        }

        /// What a worker did that the test did not expect.
        package struct Unexpected: Error, CustomStringConvertible {
            package let description: String

            package init(_ description: String = "another event") { self.description = description }
        }

        private static func require(_ isSo: Bool, _ otherwise: @autoclosure () -> String = "a system call failed")
            throws
        {
            guard isSo else { throw Unexpected(otherwise()) }
        }

        @discardableResult
        package func request<Request, Response>(
            _ method: Method<Request, Response>, _ request: Request, deadline: Duration? = nil, descriptor: Int32? = nil
        ) throws -> UInt64 {
            let body = try MethodBody.encode(request, raw: method.isRaw)
            let now = SteadyInstant.now
            let sent = try conversation.request(
                method.signature.id, .unary(maxReply: 16 << 20), body: body, descriptors: descriptor == nil ? 0 : 1,
                at: now, deadline: deadline.map { now + $0 })
            try send(bytes: sent.frame.bytes, descriptor: descriptor)
            return sent.id
        }

        package func stream<Request, Item>(_ method: StreamMethod<Request, Item>, _ request: Request) throws -> UInt64 {
            let body = try MethodBody.encode(request, raw: method.isRaw)
            let sent = try conversation.request(
                method.signature.id, .stream(maxItem: 1 << 20), body: body, at: .now)
            try send(sent.frame)
            return sent.id
        }

        package func call<Request, Response>(
            _ method: Method<Request, Response>, _ request: Request, descriptor: Int32? = nil
        ) throws -> Response {
            let id = try self.request(method, request, descriptor: descriptor)
            let event = try next()
            guard case .response(id, let body) = event else {
                throw try Unexpected(event.map { "\($0)" } ?? errorText())
            }
            return try MethodBody.decode(body, raw: method.isRaw)
        }

        package func credit(_ id: UInt64, _ items: UInt16) throws { try send(conversation.credit(id, items: items)) }

        package func cancel(_ id: UInt64) throws { try send(conversation.cancel(id)) }

        package func answer(_ id: HostCallID, _ body: [UInt8]) throws { try send(conversation.answer(id, body: body)) }

        package func refuse(_ id: HostCallID, _ code: WorkerErrorCode, text: String) throws {
            try send(conversation.refuse(id, code, text: text))
        }

        /// Closes the host's side of the channel.
        package func hangUp() { shutdown(channel, Int32(SHUT_RDWR)) }

        // MARK: The end

        package struct End: Equatable, Sendable {
            /// Exit code, or 128 and the signal.
            package var code: Int32
            package var forbidden: String?

            package init(_ code: Int32, forbidden: String? = nil) {
                self.code = code
                self.forbidden = forbidden
            }
        }

        /// Waits for the end of the worker.
        package func end() throws -> End {
            guard control != nil else {
                return End(Self.code(try reap()))
            }
            var forbidden: String?
            while true {
                let record = try record()
                switch UInt32(record.kind) {
                case cforcefield_stage_failed.rawValue:
                    throw Unexpected("stage \(record.stage_failed.stage): \(record.stage_failed.error)")
                case cforcefield_violation.rawValue:
                    forbidden = cforcefield_system_call_name(record.violation.architecture, record.violation.number)
                        .map { String(cString: $0) }
                case cforcefield_exited.rawValue: return End(Self.code(record.exited.status), forbidden: forbidden)
                default: break
                }
            }
        }

        /// A worker without walls that does not end is ended with this object.
        private func reap() throws -> Int32 {
            var status: Int32 = 0
            for _ in 0..<Self.patience {
                if waitpid(process, &status, WNOHANG) == process {
                    isReaped = true
                    return status
                }
                usleep(1_000)
            }
            throw Unexpected("the worker does not end for minutes")
        }

        private func record() throws -> cforcefield_record {
            guard let control else { throw Unexpected("no force field") }
            _ = try wait(control, for: POLLIN)
            var record = cforcefield_record()
            var descriptor: Int32 = -1
            try Self.require(cforcefield_control_receive(control, &record, &descriptor) == 1)
            if descriptor >= 0 { warden = descriptor }
            return record
        }

        private static func code(_ status: Int32) -> Int32 {
            status & 0x7f == 0 ? status >> 8 & 0xff : 128 + status & 0x7f
        }

        /// What the worker has written to its error output, once it has ended.
        package func errorText() throws -> String {
            var text: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: 4_096)
            while try wait(output, for: POLLIN) {
                let count = read(output, &buffer, buffer.count)
                guard count > 0 else { break }
                text += buffer[..<count]
            }
            return String(decoding: text, as: UTF8.self)
        }
    }
#endif
