import ForceFieldWire
import StrictJSON

extension Termination {
    /// The name of the case in reports.
    package var kind: String {
        switch self {
        case .clean: "clean"
        case .exited: "exited"
        case .crashed: "crashed"
        case .policyViolation: "policyViolation"
        case .killedByHost: "killedByHost"
        case .killedByOS: "killedByOS"
        case .protocolViolation: "protocolViolation"
        case .setupFailed: "setupFailed"
        }
    }

    var json: JSON { .report([("kind", .string(kind))] + fields) }

    private var fields: [(String, JSON?)] {
        switch self {
        case .clean: []
        case .exited(let code): [("code", .integer(code))]
        case .crashed(let crash):
            [
                ("signal", .integer(crash.signal)),
                ("signalName", SignalName.of(crash.signal).map { .string($0) }),
                ("hint", crash.hint.map { .string($0.rawValue) }),
                ("message", crash.message.map { .string($0) }),
            ]
        case .policyViolation(let call): call?.fields ?? []
        case .killedByHost(let reason): [("reason", .string(reason.rawValue))]
        case .killedByOS(let kill): [("reason", .string(kill.rawValue))]
        case .protocolViolation(let violation): [("reason", .string(violation.rawValue))]
        case .setupFailed(let failure): failure.fields
        }
    }
}

extension Termination.ForbiddenCall {
    fileprivate var fields: [(String, JSON?)] {
        [
            ("systemCall", name.map { .string($0) }),
            ("number", .integer(number)),
            ("arch", .string(Self.architectureName(architecture))),
            ("arguments", .array(arguments.map { .string("0x" + String($0, radix: 16)) })),
        ]
    }

    /// Source: linux/audit.h.
    static func architectureName(_ architecture: UInt32) -> String {
        switch architecture {
        case 0xc000_003e: "x86_64"
        case 0xc000_00b7: "aarch64"
        case 0x4000_0003: "i386"
        default: "0x" + String(architecture, radix: 16)
        }
    }
}

extension SetupFailure {
    /// The name of the case in reports.
    package var reason: String {
        switch self {
        case .stage: "stage"
        case .spawn: "spawn"
        case .timeout: "timeout"
        case .control: "control"
        case .endedEarly: "endedEarly"
        case .interfaceMismatch: "interfaceMismatch"
        case .versionMismatch: "versionMismatch"
        case .layersMissing: "layersMissing"
        }
    }

    fileprivate var fields: [(String, JSON?)] {
        let details: [(String, JSON?)] =
            switch self {
            case .stage(let stage, let errno): [("stage", .string(stage.name)), ("errno", .integer(errno))]
            case .spawn(let errno): [("errno", .integer(errno))]
            case .endedEarly(.exited(let code)?): [("code", .integer(code))]
            case .endedEarly(.signalled(let signal)?):
                [("signal", .integer(signal)), ("signalName", SignalName.of(signal).map { .string($0) })]
            case .layersMissing(let layers):
                [("layers", .array(layers.map(\.rawValue).sorted().map { .string($0) }))]
            case .timeout, .control, .endedEarly(nil), .interfaceMismatch, .versionMismatch: []
            }
        return [("reason", .string(reason))] + details
    }
}
