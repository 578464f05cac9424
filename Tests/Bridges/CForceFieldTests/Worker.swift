#if os(Linux)
    import CForceField
    import Foundation
    import TestSupport
    import Testing

    /// The built test programs.
    enum Programs {
        static let folder: URL = {
            var folder = URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath()
            while !FileManager.default.isExecutableFile(atPath: folder.appending(path: "CForceFieldProbe").path),
                folder.path != "/"
            {
                folder.deleteLastPathComponent()
            }
            return folder
        }()

        static let probe = folder.appending(path: "CForceFieldProbe").path
        static let swift = folder.appending(path: "SwiftForceFieldProbe").path

        /// Runs a command to its end, and gives what it printed.
        static func output(of arguments: [String]) throws -> String {
            let output = try Tool.outcome(of: arguments[0], Array(arguments.dropFirst())).output
            return String(decoding: output, as: UTF8.self)
        }
    }

    enum Machine {
        static let facts: cforcefield_machine? = {
            var facts = cforcefield_machine()
            return cforcefield_probe(&facts) == 0 ? facts : nil
        }()

        static func error(_ layer: cforcefield_layer) -> Int32? {
            facts.map { facts in
                withUnsafeBytes(of: facts.errors) {
                    $0.load(fromByteOffset: layer.rawValue.trailingZeroBitCount * 4, as: Int32.self)
                }
            }
        }

        /// Whether all layers but the cgroup can be had; a suite that needs them is skipped otherwise.
        static let isStrict = [
            cforcefield_layer_user, cforcefield_layer_mount, cforcefield_layer_pid, cforcefield_layer_net,
            cforcefield_layer_ipc, cforcefield_layer_uts, cforcefield_layer_cgroup_namespace,
            cforcefield_layer_empty_root,
            cforcefield_layer_landlock, cforcefield_layer_seccomp, cforcefield_layer_notify,
        ].allSatisfy { error($0) == 0 }
    }

    /// A worker under the test's control. Ends with the last reference.
    final class Worker {
        enum Verb: UInt32 {
            case echo, attempt, exit, abort, fault, spin, stop, descriptors, lock, open, openForWriting, mapExecutable,
                print
            case uid, environment, pid, sendUrgent, coreLimit, spinWithoutSignal, lookAtPath, notedProcessor, thread
        }

        let spawned: cforcefield_spawned
        /// The descriptor of the warden's process; nil before WARDEN was received.
        private(set) var pidfd: Int32?
        private(set) var warden: Int32?
        private(set) var records: [cforcefield_record] = []
        private var isReaped = false

        init(
            _ program: String = Programs.probe, target: String? = nil, input: String? = nil,
            arguments: [String] = ["probe"],
            policy change: (inout cforcefield_policy) -> Void = { _ in }
        ) throws {
            var policy = cforcefield_policy()
            cforcefield_policy_make(&policy)
            if geteuid() == 0 { policy.user = CFORCEFIELD_FIRST_USER + UInt32.random(in: 0...0xffff) }
            change(&policy)
            let files = [program, target, input].map { $0.map { Glibc.open($0, O_RDONLY | O_CLOEXEC) } ?? -1 }
            defer { for file in files where file >= 0 { close(file) } }
            var words = arguments.map { UnsafePointer<CChar>(strdup($0)) }
            words.append(nil)
            defer { for word in words { free(UnsafeMutableRawPointer(mutating: word)) } }
            var spawned = cforcefield_spawned()
            let error = words.withUnsafeBufferPointer { words in
                withUnsafePointer(to: &policy) { policy in
                    var request = cforcefield_spawn_request(
                        policy: policy, program: files[0], target: files[1], input: files[2],
                        arguments: words.baseAddress)
                    return cforcefield_spawn(&request, &spawned)
                }
            }
            self.spawned = spawned
            try #require(error == 0, "spawn: \(String(cString: strerror(error)))")
        }

        /// Reaps all of it: what a test does not reap hides the ends of other children from whoever waits for any of
        /// them, as exit tests do.
        deinit {
            while spawned.control >= 0, pidfd == nil, next() != nil {}
            for descriptor in [spawned.channel, spawned.control, spawned.output, spawned.errors] where descriptor >= 0 {
                close(descriptor)
            }
            var status: Int32 = 0
            if !isReaped, spawned.process > 0 { cforcefield_reap(spawned.process, &status) }
            if let pidfd {
                _ = Self.wait(pidfd, milliseconds: Self.patience)
                cforcefield_reap_pidfd(pidfd, &status)
                close(pidfd)
            }
        }

        /// Milliseconds, more than any machine needs.
        private static let patience: Int32 = 300_000

        static func wait(_ descriptor: Int32, milliseconds: Int32) -> Bool {
            var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            return poll(&request, 1, milliseconds) == 1
        }

        /// The next record, nil at the end of the channel or when a worker that hangs was waited for in vain.
        func next() -> cforcefield_record? {
            guard Self.wait(spawned.control, milliseconds: Self.patience) else { return nil }
            var record = cforcefield_record()
            var descriptor: Int32 = -1
            guard cforcefield_control_receive(spawned.control, &record, &descriptor) == 1 else { return nil }
            if descriptor >= 0 {
                pidfd = descriptor
                warden = record.warden.process
            }
            records.append(record)
            return record
        }

        /// Goes on to a record of this kind.
        func await(_ kind: cforcefield_record_kind) throws -> cforcefield_record {
            while let record = next() {
                if UInt32(record.kind) == kind.rawValue { return record }
            }
            throw Missing(kind: kind.rawValue, seen: records.map(\.kind))
        }

        struct Missing: Error {
            let kind: UInt32
            let seen: [UInt16]
        }

        var kinds: [UInt32] { records.map { UInt32($0.kind) } }

        func tell(_ kind: cforcefield_record_kind, grace: UInt32 = 0) -> Bool {
            var record = cforcefield_record()
            cforcefield_record_make(&record, kind)
            if kind == cforcefield_background { record.background.grace_milliseconds = grace }
            return cforcefield_control_send(spawned.control, &record) == 0
        }

        func send(_ verb: Verb, _ argument: UInt32 = 0) {
            var command = [verb.rawValue, argument]
            _ = Glibc.send(spawned.channel, &command, 8, Int32(MSG_NOSIGNAL))
        }

        /// What the worker answers, nil if it does not.
        func ask(_ verb: Verb, _ argument: UInt32 = 0) -> Int64? {
            send(verb, argument)
            var answer: Int64 = 0
            guard Self.wait(spawned.channel, milliseconds: Self.patience), read(spawned.channel, &answer, 8) == 8 else {
                return nil
            }
            return answer
        }

        /// Everything that a descriptor still gives.
        static func drain(_ descriptor: Int32) -> String {
            var text: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: 4096)
            while wait(descriptor, milliseconds: Self.patience) {
                let count = read(descriptor, &buffer, buffer.count)
                guard count > 0 else { break }
                text += buffer.prefix(count)
            }
            return String(decoding: text, as: UTF8.self)
        }

        /// Waits for the warden's end, and tells whether it came.
        func wardenEnds() -> Bool {
            guard let pidfd else { return false }
            return Self.wait(pidfd, milliseconds: Self.patience)
        }
    }
#endif
