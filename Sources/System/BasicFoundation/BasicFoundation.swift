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

extension FileManager {
    /// A path from the root, which one that begins with a slash is already, whatever follows that.
    package func absolutePath(_ path: String) -> String {
        path.utf8.first == UInt8(ascii: "/") ? path : currentDirectoryPath + "/" + path
    }

    /// The path without links of something that is there; nil where the system finds nothing.
    package func resolvedPath(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}

extension Error {
    /// What the system said where Foundation could not use a file.
    package var reasonOfSystem: String {
        guard let error = self as? CocoaError else { return "\(self)" }
        if let reason = error.underlying as? POSIXError { return String(cString: strerror(reason.code.rawValue)) }
        // A path that begins nowhere makes no URL of a file where the folder that one is in was removed.
        return error.code == .fileWriteUnsupportedScheme ? "this program's working folder is gone" : "\(self)"
    }
}
