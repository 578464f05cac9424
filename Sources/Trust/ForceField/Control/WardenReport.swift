import ForceFieldWire

/// What stage 0 and the warden tell the host.
///
/// Source: `forcefield` section 13.
package enum WardenReport: Hashable, Sendable {
    /// - Parameter errno: of the call that failed; 0 where none did.
    case stageFailed(Stage, errno: Int32)
    case started(Started)
    case violation(SystemCallRecord)
    case exited(WorkerExit)
    case limit(PassedLimit)
    /// The warden's process id as the host sees it; a descriptor of the process comes along.
    case warden(pid: Int32)

    package struct Started: Hashable, Sendable {
        package var layers: LayerSet
        /// 0 without Landlock.
        package var landlockABI: UInt32
        /// The worker's process ID as the worker sees it itself.
        package var workerPID: Int32
        package var setupNanoseconds: UInt64
    }

    package enum PassedLimit: UInt32, Sendable {
        case background = 1
        case lifetime = 2
        case processorTime = 3
    }

    /// - Returns: nil for what is no record of this direction, or has something where zeros belong.
    package init?(_ record: [UInt8]) {
        guard case (let kind, var fields)? = ControlRecord.fields(record) else { return nil }
        switch kind {
        case 1:
            guard let stage = Stage(rawValue: fields.next()) else { return nil }
            self = .stageFailed(stage, errno: fields.next())
        case 2:
            guard let layers = LayerSet(rawValue: fields.next()) else { return nil }
            let (landlockABI, workerPID) = (fields.next(UInt32.self), fields.next(Int32.self))
            guard fields.next(UInt32.self) == 0 else { return nil }
            self = .started(
                Started(
                    layers: layers, landlockABI: landlockABI, workerPID: workerPID, setupNanoseconds: fields.next()))
        case 3: self = .violation(SystemCallRecord(&fields))
        case 4:
            guard let exit = WorkerExit(&fields) else { return nil }
            self = .exited(exit)
        case 5:
            guard let limit = PassedLimit(rawValue: fields.next()) else { return nil }
            self = .limit(limit)
        case 6:
            self = .warden(pid: fields.next())
            guard case .warden(1...) = self else { return nil }
        default: return nil
        }
        guard fields.isAtEnd else { return nil }
    }

    package var bytes: [UInt8] {
        switch self {
        case .stageFailed(let stage, let errno):
            ControlRecord.bytes(1) {
                $0.append(littleEndian: stage.rawValue)
                $0.append(littleEndian: errno)
            }
        case .started(let started):
            ControlRecord.bytes(2) {
                $0.append(littleEndian: started.layers.rawValue)
                $0.append(littleEndian: started.landlockABI)
                $0.append(littleEndian: started.workerPID)
                $0.append(littleEndian: UInt32(0))
                $0.append(littleEndian: started.setupNanoseconds)
            }
        case .violation(let call): ControlRecord.bytes(3, call.append)
        case .exited(let exit): ControlRecord.bytes(4, exit.append)
        case .limit(let limit): ControlRecord.bytes(5) { $0.append(littleEndian: limit.rawValue) }
        case .warden(let pid): ControlRecord.bytes(6) { $0.append(littleEndian: pid) }
        }
    }
}

/// A forbidden system call, as the filter saw it.
///
/// Source: `forcefield` section 13.
package struct SystemCallRecord: Hashable, Sendable {
    package var number: UInt32
    /// AUDIT_ARCH_…, as 0xC000003E for x86-64.
    package var architecture: UInt32
    package var instruction: UInt64
    /// The first four of the six registers that hold arguments.
    package var arguments: [UInt64]
    package var thread: UInt32

    /// - Parameter arguments: four.
    package init(
        number: UInt32, architecture: UInt32, instruction: UInt64 = 0, arguments: [UInt64] = [0, 0, 0, 0],
        thread: UInt32 = 0
    ) {
        precondition(arguments.count == 4)
        self.number = number
        self.architecture = architecture
        self.instruction = instruction
        self.arguments = arguments
        self.thread = thread
    }

    init(_ fields: inout ControlFields) {
        self.init(
            number: fields.next(), architecture: fields.next(), instruction: fields.next(),
            arguments: [fields.next(), fields.next(), fields.next(), fields.next()], thread: fields.next())
    }

    func append(to bytes: inout [UInt8]) {
        bytes.append(littleEndian: number)
        bytes.append(littleEndian: architecture)
        bytes.append(littleEndian: instruction)
        for argument in arguments { bytes.append(littleEndian: argument) }
        bytes.append(littleEndian: thread)
    }
}

/// How the worker's process ended, and what it used.
///
/// Source: `forcefield` section 13.
package struct WorkerExit: Hashable, Sendable {
    package var status: WaitStatus
    package var userMicroseconds: UInt64
    package var systemMicroseconds: UInt64
    package var maxRSSKiB: UInt64
    package var wallMicroseconds: UInt64

    package init(
        status: WaitStatus, userMicroseconds: UInt64 = 0, systemMicroseconds: UInt64 = 0, maxRSSKiB: UInt64 = 0,
        wallMicroseconds: UInt64 = 0
    ) {
        self.status = status
        self.userMicroseconds = userMicroseconds
        self.systemMicroseconds = systemMicroseconds
        self.maxRSSKiB = maxRSSKiB
        self.wallMicroseconds = wallMicroseconds
    }

    package var userTime: Duration { .microseconds(Int64(clamping: userMicroseconds)) }
    package var systemTime: Duration { .microseconds(Int64(clamping: systemMicroseconds)) }

    init?(_ fields: inout ControlFields) {
        guard let status = WaitStatus(rawValue: fields.next()), fields.next(UInt32.self) == 0 else { return nil }
        self.init(
            status: status, userMicroseconds: fields.next(), systemMicroseconds: fields.next(),
            maxRSSKiB: fields.next(), wallMicroseconds: fields.next())
    }

    func append(to bytes: inout [UInt8]) {
        bytes.append(littleEndian: status.rawValue)
        bytes.append(littleEndian: UInt32(0))
        bytes.append(littleEndian: userMicroseconds)
        bytes.append(littleEndian: systemMicroseconds)
        bytes.append(littleEndian: maxRSSKiB)
        bytes.append(littleEndian: wallMicroseconds)
    }
}
