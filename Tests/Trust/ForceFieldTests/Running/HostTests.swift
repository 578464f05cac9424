import Foundation
import TestSupport
import Testing

@testable import ForceField
@testable import ForceFieldTestMethods
@testable import ForceFieldWire

extension RunningTests {
    @Suite("Hosts of all kinds")
    struct HostTests {
        private static let host = Bundle.main.bundleURL.appending(path: "ForceFieldTestHost").path
        static let isRoot = geteuid() == 0

        /// Runs a program to its end.
        private func run(_ words: String...) async throws -> (status: Int32, text: String) {
            let (status, lines) = try await ChildProgram(words[0], Array(words[1...]), diesWithOwner: true).outcome()
            return (status, lines.joined(separator: "\n"))
        }

        @Test("any host can have workers with every layer", arguments: ["call", "hidden-call"])
        func own(verb: String) async throws {
            let (status, text) = try await run(Self.host, verb)
            #expect(status == 0, "\(text)")
            #expect(text.contains("seccomp"))
            #expect(text.contains("distinctUser") == Self.isRoot)
        }

        @Test("so can one without rights", .enabled(if: isRoot), arguments: ["call", "hidden-call"])
        func unprivileged(verb: String) async throws {
            let (status, text) = try await run(
                "setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", Self.host, verb)
            #expect(status == 0, "\(text)")
            #expect(!text.contains("distinctUser"))
            for layer in Strictness.required { #expect(text.contains(layer.rawValue)) }
        }

        @Test("without user namespaces nothing runs, and the step is named", .enabled(if: isRoot))
        func noNamespaces() async throws {
            let script = "echo 0 > /proc/sys/user/max_user_namespaces && exec \"$0\" call"
            let (status, text) = try await run("unshare", "-Ur", "sh", "-c", script, Self.host)
            #expect(status == 1)
            #expect(text.contains("userns"), "\(text)")
        }

        /// Starts a host that stays, and reads what it prints.
        private func lingering(_ verb: String) async throws -> (host: ChildProgram, warden: pid_t) {
            let host = try ChildProgram(Self.host, [verb], diesWithOwner: true)
            let line = await host.nextLine() ?? ""
            return (host, try #require(pid_t(line), "\(line)"))
        }

        /// Children of a process, as its threads have them.
        private func children(of process: pid_t) -> [pid_t] {
            let text = (try? String(contentsOfFile: "/proc/\(process)/task/\(process)/children", encoding: .utf8)) ?? ""
            return text.split(separator: " ").compactMap { pid_t($0) }
        }

        /// Gone, or a zombie that nobody has fetched yet.
        private func isOver(_ process: pid_t) -> Bool {
            guard let stat = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8) else { return true }
            return stat.split(separator: ")").last?.split(separator: " ").first == "Z"
        }

        @Test("workers die with a host that is killed")
        func killedHost() async throws {
            let (host, warden) = try await lingering("linger")
            let worker = try #require(children(of: warden).first)
            host.kill()
            while !isOver(warden) || !isOver(worker) { try await Task.sleep(for: .milliseconds(1)) }
            _ = await host.wait()
        }

        /// Times at which threads went to sleep, or gave way.
        private func switches(_ tasks: [String]) throws -> Int {
            try tasks.reduce(0) { sum, task in
                try String(contentsOfFile: "\(task)/status", encoding: .utf8).split(separator: "\n")
                    .filter { $0.contains("ctxt_switches") }
                    .compactMap { $0.split(separator: "\t").last.flatMap { Int($0) } }.reduce(sum, +)
            }
        }

        @Test("after calls in a row nothing wakes up: not the host, not the warden, not the worker")
        func idleness() async throws {
            let (host, warden) = try await lingering("rest")
            let worker = try #require(children(of: warden).first)
            // Until the channel is the reactor's again.
            try await Task.sleep(for: CallerWait.lending * 20)
            func look() throws -> (tasks: [String], switches: Int) {
                let threads = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(host.id)/task")
                    .map { "/proc/\(host.id)/task/\($0)" }
                    // Dispatch looks at its pool once a second, whatever the program does.
                    .filter { try !String(contentsOfFile: "\($0)/comm", encoding: .utf8).contains("overcommit") }
                let tasks = threads + ["/proc/\(warden)", "/proc/\(worker)"]
                return (tasks, try switches(tasks))
            }
            // Dispatch's idle threads wake up once, five seconds after their last work, and end.
            var isQuiet = false
            for _ in 0..<20 where !isQuiet {
                guard let before = try? look() else { continue }
                #expect(before.switches > 200)
                try await Task.sleep(for: .seconds(1))
                isQuiet = (try? switches(before.tasks)) == before.switches
            }
            #expect(isQuiet)
            host.kill()
            _ = await host.wait()
        }

        @Test("the background's grace holds while the host is stopped")
        func frozenHost() async throws {
            let (host, warden) = try await lingering("freeze")
            // It stops itself right after it has gone to the background, and on a busy machine a while after that.
            func isStopped() throws -> Bool {
                let stat = try String(contentsOfFile: "/proc/\(host.id)/stat", encoding: .utf8)
                return stat.split(separator: ")").last?.split(separator: " ").first == "T"
            }
            while try !isStopped() || !isOver(warden) { try await Task.sleep(for: .milliseconds(1)) }
            host.kill()
            _ = await host.wait()
        }
    }
}
