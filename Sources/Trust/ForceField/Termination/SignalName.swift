/// The names of the signals that end a worker.
package enum SignalName {
    /// - Returns: nil for numbers that differ between architectures or have no name.
    package static func of(_ signal: Int32) -> String? {
        switch signal {
        case 1: "SIGHUP"
        case 2: "SIGINT"
        case 3: "SIGQUIT"
        case 4: "SIGILL"
        case 5: "SIGTRAP"
        case 6: "SIGABRT"
        case 8: "SIGFPE"
        case 9: "SIGKILL"
        case 11: "SIGSEGV"
        case 13: "SIGPIPE"
        case 14: "SIGALRM"
        case 15: "SIGTERM"
        #if os(Linux)
            case 7: "SIGBUS"
            case 24: "SIGXCPU"
            case 25: "SIGXFSZ"
            case 31: "SIGSYS"
        #endif
        default: nil
        }
    }
}
