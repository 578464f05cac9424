import RuntimeService

/// The worker in which runtimes are read and run.
package enum RuntimeWorker {
    /// Reads a runtime. Total: every file gives an answer.
    package static func read(_ file: RuntimeFile) -> RuntimeAnswer {
        do throws(RuntimeRefusal) {
            var program = try RuntimeProgram(try RuntimeBlob.module(in: file.bytes), fuel: file.fuel)
            return .read(try program.report(metadataVersion: file.metadataVersion))
        } catch {
            // Names of the module's may be long, and a character has four bytes at the most.
            return .refused(
                String(String.UnicodeScalarView("\(error)".unicodeScalars.prefix(RuntimeAnswer.reasonLimit / 4))))
        }
    }
}

#if os(Linux)
    import ForceFieldWorker

    extension RuntimeWorker {
        /// What `runtime-worker` serves.
        package static func service() -> Service {
            var service = Service()
            service.maxFrameBytes = RuntimeService.maxFrameBytes
            service.handle(RuntimeService.read) { file, _ in read(file) }
            return service
        }
    }
#endif
