#if os(Linux)
    import CLinux
    import Files
    import Glibc

    /// A process that is looked at, held so that its number cannot come to mean another one unnoticed.
    ///
    /// Source: `vigil` section 4.1.
    public struct ObservedProcess: Sendable {
        /// The process ID, as this process sees it.
        public let process: Int32
        /// The time of the start, in ticks since the machine started.
        public let startTime: UInt64
        /// The name of this start of the machine.
        public let bootID: String
        /// Whether the kernel itself handed out the descriptor for the peer of a socket. Else it was opened by the
        /// number, which may have changed hands before that.
        public let isStrong: Bool
        private let descriptor: OpenFile

        /// - Parameters:
        ///   - process: its number.
        ///   - descriptor: of the process, from the kernel; nil to open one by the number.
        /// - Throws: ``Reason/peerIdentity`` if it has ended, ``Reason/unmeasurable`` if it cannot be known.
        public init(_ process: Int32, descriptor: OpenFile? = nil) throws(MeasurementRefusal) {
            self.process = process
            isStrong = descriptor != nil
            if let descriptor {
                self.descriptor = descriptor
            } else {
                let number = clinux_process_open(process)
                guard number >= 0 else { throw Self.refusal(Errno(rawValue: errno), process) }
                self.descriptor = OpenFile(owning: number)
            }
            do throws(Errno) {
                var text: [UInt8] = []
                try OpenFile(opening: "/proc/sys/kernel/random/boot_id").readAll(into: &text, limit: 128)
                bootID = String(decoding: text.prefix { $0 != 0x0a }, as: UTF8.self)
                startTime = try Self.startTime(of: process)
            } catch {
                throw Self.refusal(error, process)
            }
            // The start time is that of the process behind the descriptor only if that one still ran afterwards.
            try checkRuns()
        }

        /// Whether the process still runs, and is still the one it was.
        ///
        /// - Throws: ``Reason/peerIdentity``.
        public func check() throws(MeasurementRefusal) {
            let now: UInt64
            do throws(Errno) {
                now = try Self.startTime(of: process)
            } catch {
                throw Self.refusal(error, process)
            }
            guard now == startTime else {
                throw MeasurementRefusal(.peerIdentity, "the number \(process) is that of a process that started later")
            }
            try checkRuns()
        }

        private func checkRuns() throws(MeasurementRefusal) {
            guard clinux_process_runs(descriptor.number) == 1 else {
                throw MeasurementRefusal(.peerIdentity, "process \(process) has ended")
            }
        }

        private static func startTime(of process: Int32) throws(Errno) -> UInt64 {
            var text: [UInt8] = []
            try OpenFile(opening: "/proc/\(process)/stat").readAll(into: &text, limit: 4096, isOnePiece: true)
            guard let stat = ProcessStat(text), stat.process == process else { throw Errno(rawValue: EIO) }
            return stat.startTime
        }

        private static func refusal(_ failure: Errno, _ process: Int32) -> MeasurementRefusal {
            failure.isAbsence
                ? MeasurementRefusal(.peerIdentity, "process \(process) has ended")
                : MeasurementRefusal(.unmeasurable, "/proc/\(process)/stat cannot be read: \(failure)")
        }

        /// What names it in the log.
        public func identity(executable: FileKey?) -> ProcessIdentity {
            ProcessIdentity(bootID: bootID, process: process, startTime: startTime, executable: executable)
        }
    }
#endif
