import AirgapLink
import BasicFoundation
import Console
import Cryptography
import Files
import ForceField
import NetworkDetector
import PictureService
import Signer
import Substrate
import TextForms

/// The program that runs and the machine that it runs on, looked at by themselves.
package enum InstalledMachine {
    /// What there is to be said of program and machine, without a vault.
    package static func lines() -> [CheckLine] {
        [executable()] + stick() + release() + network() + [namespace(), sandbox()] + escapes() + PrimitiveCheck.lines()
    }

    // MARK: The program

    /// The file that runs: its SHA-256, and the first 132 bits of that as words, which are easier to compare. They are
    /// no recovery phrase.
    private static func executable() -> CheckLine {
        #if os(Linux)
            do {
                let program = try InputFile.content(of: "/proc/self/exe", limit: 1 << 30)
                let digest = SHA256Hash.of(program)
                return CheckLine(
                    code: "Executable", .ok, text: "\(Hex.encode(digest)): \(words(digest).joined(separator: " "))"
                )
            } catch {
                return CheckLine(code: "Executable", .fail, text: "the program cannot read itself: \(error)")
            }
        #else
            return CheckLine(code: "Executable", .warn, text: "this system does not tell a program its own file")
        #endif
    }

    /// The stick that this system runs from; nil elsewhere.
    package static let stickRoot = stickRoot(commandLine: "/proc/cmdline")

    private static func stickRoot(commandLine: FilePath) -> StickRoot? {
        guard let line = try? InputFile.content(of: commandLine, limit: 1 << 16) else { return nil }
        return StickRoot(commandLine: String(decoding: line, as: UTF8.self))
    }

    /// The hash of the stick's root, to be compared with what its builder printed.
    private static func stick() -> [CheckLine] {
        guard let hash = stickRoot?.hash else { return [] }
        return [
            CheckLine(
                code: "Stick", .ok, text: "root hash \(Hex.encode(hash)): \(words(hash).joined(separator: " "))")
        ]
    }

    static func words(_ digest: [UInt8]) -> [String] {
        (0..<12).map { place in
            let number = (0..<11).reduce(0) { number, bit in
                let position = place * 11 + bit
                return number << 1 | Int(digest[position / 8] >> (7 - UInt8(position % 8)) & 1)
            }
            return String(decoding: EnglishWords.utf8[number], as: UTF8.self)
        }
    }

    private static func release() -> [CheckLine] {
        guard let state = try? ValidatorState.current(nil), state.configuration != nil else {
            return [
                CheckLine(
                    code: "Release", .warn,
                    text: "no validator is set up for this user: nobody vouches for this program (make install-signed; "
                        + "of Debian's packages: casemate-vigil-user add)")
            ]
        }
        return [CheckLine(code: "Release", state.vouches ? .ok : .fail, text: state.line)]
    }

    // MARK: The machine

    private static func network() -> [CheckLine] {
        let report: NetworkReport
        do {
            let watch = try SystemNetwork.watch()
            watch.look()
            guard let first = watch.nextReport() else {
                return [CheckLine(code: "Network", .fail, text: "the probes of the network told nothing")]
            }
            report = first
        } catch {
            return [CheckLine(code: "Network", .fail, text: "\(error)")]
        }
        return NetworkReport.Probe.allCases.compactMap { probe -> CheckLine? in
            guard let finding = report.findings[probe] else { return nil }
            let code = "Network." + probe.rawValue
            return switch finding {
            case .quiet: CheckLine(code: code, .ok, text: "nothing is up")
            case .up(let names): CheckLine(code: code, .fail, text: "up: " + names.joined(separator: ", "))
            case .failed(let reason): CheckLine(code: code, .fail, text: "cannot be read: \(reason)")
            }
        }
    }

    /// What this process sees of networks, by the kernel's answer and by its own table in `/proc`.
    private static func namespace() -> CheckLine {
        do throws(NetworkWatchError) {
            guard let own = try SystemNetwork.ownNamespace() else {
                return CheckLine(code: "Namespace", .warn, text: "this system has no network namespaces")
            }
            let seen = MachineCheck.Namespace(
                interfaces: own.interfaces, routes: own.routes, isIsolated: own.isIsolated, isEmpty: own.isEmpty)
            return MachineCheck.line(seen, isAskedFor: Isolation.isAskedFor)
        } catch {
            return CheckLine(code: "Namespace", .fail, text: "\(error)")
        }
    }

    /// What would keep the worker that reads pictures from files and sockets, tried in children of this process.
    private static func sandbox() -> CheckLine {
        #if os(Linux)
            let missing = LayerReport.machine.missing.map { "\($0)" }
            return missing.isEmpty
                ? CheckLine(
                    code: "Sandbox", .ok, text: "this machine gives every layer of the picture reader's sandbox")
                : CheckLine(
                    code: "Sandbox", .fail,
                    text: "layers of the picture reader's sandbox are missing: " + missing.joined(separator: ", "))
        #else
            return CheckLine(code: "Sandbox", .warn, text: "pictures are not read on this system")
        #endif
    }

    /// What the worker that reads pictures cannot do, tried by itself.
    private static func escapes() -> [CheckLine] {
        #if os(Linux)
            do {
                let reader = PictureOptions.reader(allowingMissingLayers: false)
                return try MachineCheck.Escape.allCases.map { wall in
                    let outcomes = try wall.escapes.map { try reader.tryEscape($0) }
                    return MachineCheck.line(wall, outcomes.map(MachineCheck.Outcome.init))
                }
            } catch {
                let outcome = MachineCheck.Outcome.notTried("\(error)")
                return MachineCheck.Escape.allCases.map { MachineCheck.line($0, [outcome]) }
            }
        #else
            return []
        #endif
    }
}

#if os(Linux)
    extension MachineCheck.Escape {
        fileprivate var escapes: [Escape] {
            switch self {
            case .socket: [.internetSocket, .localSocket]
            case .file: [.file, .rootFolder]
            }
        }
    }

    extension MachineCheck.Outcome {
        fileprivate init(_ result: Result<EscapeOutcome, PictureLoss.Ending>) {
            self =
                switch result {
                case .success(.refused(let number)): .refused(String(cString: strerror(CInt(clamping: number))))
                case .success(.succeeded): .succeeded
                case .success(.notTried): .notTried("it is in no process namespace of its own")
                case .failure(let ending): .notTried("it \(ending)")
                }
        }
    }
#endif
