import CLinux
import Threads

/// A library of the system that is opened when it is first used: a program that seldom needs it does not load it with
/// each start.
///
/// It is looked for as the loader looks for what a program is linked with, bound at once, and lends its names to
/// nobody. The addresses of its functions lie in memory that is closed to writing before the first of them is called.
/// Once open it stays so; while it cannot be opened, each use tries anew.
///
/// ```swift
/// static let library = LateLibrary<systemd_functions>(systemd_sonames(), functions: systemd_function_names())
/// let systemd = try library.opened().pointee
/// ```
// @unchecked: the names are constants of the program, and what changes is used under the lock.
package final class LateLibrary<Functions>: @unchecked Sendable {
    /// Texts of the program, ended by nil.
    package typealias Names = UnsafePointer<UnsafePointer<CChar>?>

    private let sonames: Names
    private let names: Names
    private let lock = Condition()
    private var functions: UnsafePointer<Functions>?

    private static var reasonSize: Int { 512 }

    /// - Parameters:
    ///   - sonames: the library and what else is to be opened with it, at most eight.
    ///   - names: of the functions whose addresses `Functions` holds, in its order.
    package init(_ sonames: Names, functions names: Names) {
        self.sonames = sonames
        self.names = names
        let count = sequence(first: 0) { $0 + 1 }.first { names[$0] == nil } ?? 0
        precondition(count * MemoryLayout<UnsafeRawPointer>.size == MemoryLayout<Functions>.size, "an address for each")
    }

    /// The functions; opens the library, if need be.
    package func opened() throws(LateLibraryAbsence) -> UnsafePointer<Functions> {
        lock.lock()
        defer { lock.unlock() }
        if let functions { return functions }
        var reason = [UInt8](repeating: 0, count: Self.reasonSize)
        let table = reason.withUnsafeMutableBytes { buffer in
            clinux_open_libraries(
                sonames, names, buffer.baseAddress.unsafelyUnwrapped.assumingMemoryBound(to: CChar.self), buffer.count)
        }
        guard let table else {
            throw LateLibraryAbsence(reason: String(decoding: reason.prefix { $0 != 0 }, as: UTF8.self))
        }
        let functions = table.assumingMemoryBound(to: Functions.self)
        self.functions = functions
        return functions
    }
}

/// Why a library cannot be used, in the loader's words: it is not installed, or has not what is called.
package struct LateLibraryAbsence: Error, Hashable, CustomStringConvertible {
    package let reason: String

    package var description: String { reason }
}
