import AirgapLink
import ForceField
import ForceFieldWire
import RuntimeService
import SCALE
import Substrate

/// Reads what a chain's runtime tells of itself, without a node and without the chain's SDK.
///
///     let runtime = try await RuntimeReader().read(file)
///     print(runtime.version.specName, runtime.version.specVersion, runtime.metadata.formatVersion)
///
/// A runtime is a program from outside. It is read and run in `runtime-worker`, a process that can only compute, with
/// bounds on its steps, its memory and its time; a runtime of which that process ends is refused.
///
/// Source: `signer-wire` section 8.6.
package struct RuntimeReader: Sendable {
    /// How runtimes are read.
    package struct Terms: Sendable {
        /// The worker's program.
        package var program = WorkerProgram.beside("runtime-worker")
        /// Reads also where the machine does not give all of the sandbox.
        package var allowsMissingLayers = false
        /// How long a runtime may take, in all.
        package var timeLimit = Duration.seconds(60)
        /// Steps that a runtime may take; today's take some twenty million.
        package var fuel = RuntimeFile.usualFuel

        /// The reader that is installed beside this program, with the whole of its sandbox.
        package init() {}
    }

    /// Bytes that a runtime's file may have.
    package static let byteLimit = RuntimeService.blobLimit

    private let terms: Terms

    /// Starts nothing.
    package init(_ terms: Terms = Terms()) { self.terms = terms }

    /// Reads a runtime.
    ///
    /// - Parameters:
    ///   - file: its bytes, plain or compressed.
    ///   - metadataVersion: the version of the metadata's format that is wanted; nil for the one that the runtime gives
    ///     without being asked, which is 14 today.
    /// - Returns: values from outside still: a signature over them says who vouches.
    /// - Throws: ``RuntimeError``.
    package func read(_ file: [UInt8], metadataVersion: UInt32? = nil) async throws(RuntimeError) -> Runtime {
        guard file.count <= Self.byteLimit else {
            throw .refused("It is larger than the \(Self.byteLimit) bytes that a runtime may have.")
        }
        let asked = RuntimeFile(bytes: file, metadataVersion: metadataVersion, fuel: terms.fuel)
        switch try await ask(asked) {
        case .refused(let reason): throw RuntimeError(refusal: reason)
        case .read(let report): return try Runtime(report, metadataVersion: metadataVersion)
        }
    }

    private func ask(_ file: RuntimeFile) async throws(RuntimeError) -> RuntimeAnswer {
        let field: ForceField
        do {
            field = try ForceField(
                worker: terms.program, policy: policy, interface: RuntimeService.interface())
        } catch {
            throw .noReader(reason: "\(error)")
        }
        let options = CallOptions { $0.acceptsQuarantined = true }
        do throws(ForceFieldError) {
            return try await field.call(
                RuntimeService.read, file, deadline: terms.timeLimit, options: options,
                validate: { answer in try answer.check() })
        } catch {
            throw RuntimeError(error, timeLimit: terms.timeLimit)
        }
    }

    private var policy: Policy {
        Policy {
            $0.strictness = terms.allowsMissingLayers ? .bestEffort : .strict
            $0.limits.memoryBytes = RuntimeService.memoryBytes
            $0.limits.cpuSeconds = UInt64(max(1, terms.timeLimit.components.seconds))
            $0.lifetime = WorkerLifetime(requests: 1, idle: nil)
            $0.maxWorkers = 1
            $0.prewarm = 0
            $0.maxFrameBytes = RuntimeService.maxFrameBytes
            // The kernel makes no network namespace while it clears many away that others have left.
            $0.startTimeout = .seconds(60)
            $0.cancelGrace = .zero
        }
    }
}
