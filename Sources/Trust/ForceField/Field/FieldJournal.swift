#if os(Linux)
    import ForceFieldWire
    import Logging
    import Synchronization
    import TextForms

    /// What a field tells its owner: ends of workers, log lines, and layers that are missing.
    final class FieldJournal: Sendable {
        let deliveries = Deliveries()
        private let logger: Logger?
        private let onTermination: (@Sendable (TerminationReport) -> Void)?
        private let lastLayers = Mutex<LayerReport?>(nil)

        init(_ logger: Logger?, onTermination: (@Sendable (TerminationReport) -> Void)?) {
            self.logger = logger
            self.onTermination = onTermination
        }

        /// The layers of the worker that has started last; nil before the first.
        var layers: LayerReport? { lastLayers.withLock { $0 } }

        /// Warns of missing layers, once for each set of them.
        func started(_ layers: LayerReport) {
            let known = lastLayers.withLock { last in
                defer { last = layers }
                return last
            }
            guard let logger, known != layers, !layers.missing.isEmpty else { return }
            deliveries.deliver {
                let reasons = LayerReport.machine.states
                for missing in layers.missing {
                    let obstacle = reasons.first { $0.layer == missing.layer }?.obstacle
                    logger.warning(
                        "A worker runs without a layer that the policy allows to be missing.",
                        metadata: [
                            "layer": "\(missing.layer.rawValue)", "reason": "\(obstacle?.reason ?? "unknown")",
                            "remedy": "\(obstacle?.remedy ?? "Run `forcefield doctor`.")",
                        ])
                }
            }
        }

        /// - Parameter told: called when the owner knows.
        func ended(_ report: TerminationReport, told: @escaping @Sendable () -> Void = {}) {
            deliveries.deliver { [self] in
                logEnd(report)
                onTermination?(report)
                told()
            }
        }

        private func logEnd(_ report: TerminationReport) {
            switch report.termination {
            case .setupFailed(.stage(let stage, let errno)):
                let obstacle = Obstacle(stage, errno: errno, in: .current)
                logger?.error(
                    "A worker could not be locked in, and was not run.",
                    metadata: [
                        "stage": "\(stage.name)", "errno": "\(errno)", "reason": "\(obstacle.reason)",
                        "remedy": "\(obstacle.remedy)",
                    ])
            case .setupFailed: logger?.error("\(report.termination)")
            default:
                if report.termination.isAbnormal { logger?.notice("\(report.termination)") }
            }
        }

        func workerLog(_ level: LogLevel, _ text: [UInt8]) {
            guard let logger, logger.logLevel <= level.level else { return }
            deliveries.deliver(mayDrop: true) {
                logger.log(
                    level: level.level, "\(ScreenText.escape(String(decoding: text, as: UTF8.self)))",
                    metadata: ["origin": "worker"])
            }
        }

        func progress(_ call: Call, _ progress: CallProgress) {
            guard let onProgress = call.onProgress else { return }
            deliveries.deliver(mayDrop: true) { if !call.isEnded { onProgress(progress) } }
        }
    }

    extension LogLevel {
        fileprivate var level: Logger.Level {
            switch self {
            case .debug: .debug
            case .info: .info
            case .notice: .notice
            case .warning: .warning
            case .error: .error
            }
        }
    }
#endif
