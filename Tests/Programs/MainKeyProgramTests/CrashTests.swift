import Foundation
import HardwareKeys
import MainKey
import TestSupport
import Testing

/// Interrupts every change of a vault at every step, by letting the program `mainkey` do it in processes that die
/// there.
@Suite("A vault that mainkey is killed over", .serialized, .timeLimit(.minutes(30)))
struct CrashTests {
    private static let randomKills = 2

    /// What the interruptions of one change have left.
    private struct Outcome {
        /// The steps at which a process died.
        var points: [String] = []
        var leftOld = 0
        var leftNew = 0
        var failures: [String] = []
    }

    @Test(
        "has its old state or its new one, and all its data, at whichever step of a change",
        arguments: CrashChange.allCases.filter { !$0.needsTPM || SoftwareTPM.isInstalled })
    func interrupted(change: CrashChange) throws {
        // Each has its own, for it has no room for the vaults of all.
        let simulator = change.needsTPM ? try SoftwareTPM() : nil
        defer { withExtendedLifetime(simulator) {} }
        let outcome = try Self.interrupt(change, try simulator.map { try TPMAddress(tcti: $0.tcti) })
        #expect(outcome.failures.isEmpty)
        #expect(outcome.points.count >= 5, "\(outcome.points)")
        #expect(outcome.leftOld > 0 && outcome.leftNew > 0)
    }

    private static func interrupt(_ change: CrashChange, _ tpm: TPMAddress?) throws -> Outcome {
        var outcome = Outcome()
        for step in change.steps {
            let scene = try CrashScene(change, tpm)
            let ending = try Child(change, scene, crashingAt: step).wait()
            guard ending != .completed else { continue }
            guard ending == .killed else {
                outcome.failures.append("\(change.rawValue) at \(step): it failed by itself, with \(ending)")
                continue
            }
            outcome.points.append(step)
            examine(scene, "\(change.rawValue) at \(step)", &outcome)
        }
        // A simulator that is cut off within a command keeps what was loaded; on a machine the kernel clears up.
        if tpm == nil { try killAtRandom(change, &outcome) }
        return outcome
    }

    private static func killAtRandom(_ change: CrashChange, _ outcome: inout Outcome) throws {
        let undisturbed = try CrashScene(change, nil)
        let start = ContinuousClock.now
        let ending = try Child(change, undisturbed).wait()
        let whole = start.duration(to: .now)
        // The scene's folder goes with it; the change has to find it whole.
        withExtendedLifetime(undisturbed) {}
        guard ending == .completed else {
            outcome.failures.append("\(change.rawValue) undisturbed: it failed by itself, with \(ending)")
            return
        }
        for _ in 0..<randomKills {
            let scene = try CrashScene(change, nil)
            let child = try Child(change, scene)
            let delay = whole / .microseconds(1) * Double.random(in: 0...1)
            usleep(UInt32(delay))
            child.kill()
            _ = try child.wait()
            examine(scene, "\(change.rawValue) after \(Int(delay)) µs", &outcome)
        }
    }

    private static func examine(_ scene: CrashScene, _ title: String, _ outcome: inout Outcome) {
        do {
            switch try scene.examine() {
            case .old: outcome.leftOld += 1
            case .new: outcome.leftNew += 1
            }
        } catch {
            outcome.failures.append("\(title): \(error)")
        }
    }

    /// The program, making a change.
    private struct Child {
        enum Ending: Equatable {
            case killed, completed
            case failed(Int32)
        }

        private static let program = Bundle.main.bundleURL.appending(path: "mainkey")

        private let process = Process()

        init(_ change: CrashChange, _ scene: CrashScene, crashingAt step: String? = nil) throws {
            let (arguments, lines) = change.command(scene)
            process.executableURL = Self.program
            process.arguments =
                (step.map { [CrashPoint.argument($0)] } ?? []) + arguments + [
                    "--dir", scene.vaultPath, "--known-vaults", scene.knownVaults, "--pin-fd", "0",
                ]
                + (scene.tpm.map { ["--tcti", "\($0)", "--software-tpm"] } ?? [])
            let input = Pipe()
            process.standardInput = input
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
            // Few bytes: they wait in the pipe, whatever becomes of the reader.
            try input.fileHandleForWriting.write(contentsOf: Data((lines.joined(separator: "\n") + "\n").utf8))
            try process.run()
            try input.fileHandleForWriting.close()
        }

        func kill() { Foundation.kill(process.processIdentifier, SIGKILL) }

        func wait() throws -> Ending {
            process.waitUntilExit()
            if process.terminationReason == .uncaughtSignal { return .killed }
            return process.terminationStatus == 0 ? .completed : .failed(process.terminationStatus)
        }
    }
}
