// What programs here use of Foundation, and the C library, which Foundation would bring along. Where Foundation is in
// two parts, the one that knows languages (ICU) stays out of them: 44 MB, and the time in which it is loaded
// (docs/speed.md).
@_exported import CLibrary

#if canImport(FoundationEssentials)
    @_exported import FoundationEssentials
#else
    @_exported import Foundation
#endif

extension ProcessInfo {
    /// A variable of the environment; nil where it is not set, or empty, which stands for none.
    package func variable(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
}

extension Error {
    /// What the system said where Foundation could not use a file.
    package var reasonOfSystem: String {
        let reason = (self as? CocoaError)?.underlying as? POSIXError
        return reason.map { String(cString: strerror($0.code.rawValue)) } ?? "\(self)"
    }
}
