/// What a worker says, checked for form only: every byte of it is an outside byte.
package enum WorkerMessage: Hashable, Sendable {
    case hello(Hello)
    case response(UInt64, [UInt8])
    /// The call ended with an error of the worker. The text is UTF-8.
    case error(UInt64, WorkerErrorCode, text: [UInt8])
    case item(UInt64, [UInt8], isLast: Bool)
    case progress(UInt64, done: UInt64, total: UInt64)
    case hostCall(HostCallID, MethodID, [UInt8])
    /// A log line in UTF-8.
    case log(LogLevel, [UInt8])
    case goodbye
}
