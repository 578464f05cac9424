import Console
import Foundation
import HardwareKeys
import KnownAnswers
import MainKey

/// Interrupts every change of a vault at every step, by letting this program do it in processes that die there.
struct CrashTest {
    struct Result: Encodable {
        var change: CrashChange
        /// The steps at which a process died.
        var points: [String] = []
        /// How many processes were killed at a random time.
        var randomKills = 0
        var leftOld = 0
        var leftNew = 0
        var failures: [String] = []
    }

    let randomKills: Int

    private static let program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()

    func run() throws -> [Result] {
        try CrashChange.allCases.filter { !$0.needsTPM || SoftwareTPM.isInstalled }.map { change in
            // Each has its own, for it has no room for the vaults of all.
            let simulator = change.needsTPM ? try SoftwareTPM() : nil
            defer { withExtendedLifetime(simulator) {} }
            return try interrupt(change, try simulator.map { try TPMAddress(tcti: $0.tcti) })
        }
    }

    private func interrupt(_ change: CrashChange, _ tpm: TPMAddress?) throws -> Result {
        var result = Result(change: change)
        var progress = ProgressLine(label: change.rawValue, of: change.steps.count + randomKills)
        defer { progress.end() }
        for (number, step) in change.steps.enumerated() {
            progress.show(number)
            let scene = try CrashScene(change, tpm)
            let ending = try Child(change, scene, tpm, crashingAt: step).wait()
            guard ending != .completed else { continue }
            guard ending == .killed else {
                result.failures.append("\(change.rawValue) at \(step): it failed by itself, with \(ending)")
                continue
            }
            result.points.append(step)
            examine(scene, "\(change.rawValue) at \(step)", &result)
        }
        // A simulator that is cut off within a command keeps what was loaded; on a machine the kernel clears up.
        if tpm == nil { try killAtRandom(change, &result, &progress) }
        return result
    }

    private func killAtRandom(_ change: CrashChange, _ result: inout Result, _ progress: inout ProgressLine) throws {
        let undisturbed = try CrashScene(change, nil)
        let start = ContinuousClock.now
        let ending = try Child(change, undisturbed, nil).wait()
        let whole = start.duration(to: .now)
        // The scene's folder goes with it; the change has to find it whole.
        withExtendedLifetime(undisturbed) {}
        guard ending == .completed else {
            result.failures.append("\(change.rawValue) undisturbed: it failed by itself, with \(ending)")
            return
        }
        for number in 0..<randomKills {
            progress.show(change.steps.count + number)
            let scene = try CrashScene(change, nil)
            let child = try Child(change, scene, nil)
            let delay = whole / .microseconds(1) * Double.random(in: 0...1)
            usleep(UInt32(delay))
            child.kill()
            _ = try child.wait()
            result.randomKills += 1
            examine(scene, "\(change.rawValue) after \(Int(delay)) µs", &result)
        }
    }

    private func examine(_ scene: CrashScene, _ title: String, _ result: inout Result) {
        do {
            switch try scene.examine() {
            case .old: result.leftOld += 1
            case .new: result.leftNew += 1
            }
        } catch {
            result.failures.append("\(title): \(error)")
        }
    }

    /// This program, making a change.
    private struct Child {
        enum Ending: Equatable {
            case killed, completed
            case failed(Int32)
        }

        private let process = Process()

        init(_ change: CrashChange, _ scene: CrashScene, _ tpm: TPMAddress?, crashingAt step: String? = nil) throws {
            let (arguments, lines) = change.command(scene)
            process.executableURL = CrashTest.program
            process.arguments =
                (step.map { [CrashPoint.argument($0)] } ?? []) + arguments + [
                    "--dir", scene.vaultPath, "--known-vaults", scene.knownVaults, "--pin-fd", "0",
                ]
                + (tpm.map { ["--tcti", "\($0)", "--software-tpm"] } ?? [])
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

    static func table(_ results: [Result]) -> String {
        let rows = results.map { result in
            [
                result.change.rawValue, "\(result.points.count)", "\(result.randomKills)", "\(result.leftOld)",
                "\(result.leftNew)", "\(result.failures.count)",
            ]
        }
        let points = results.reduce(0) { $0 + $1.points.count }
        let kills = results.reduce(0) { $0 + $1.randomKills }
        return Table.text(["CHANGE", "STEPS", "RANDOM", "OLD STATE", "NEW STATE", "WRONG"], rows)
            + "\n\nKilled at \(points) steps and \(kills) random times. Rows, files and tokens were opened each time."
    }
}
