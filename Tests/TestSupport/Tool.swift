import Foundation

/// A program of the system that a test runs to its end.
package enum Tool {
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    /// - Parameters:
    ///   - path: of the program.
    ///   - environment: added to that of the tests.
    /// - Returns: how it ended, and what it wrote to its standard output. Its errors are dropped.
    package static func outcome(
        of path: String, _ arguments: [String], in folder: URL? = nil, environment: [String: String] = [:]
    ) throws -> (status: Int32, output: Data) {
        let (process, output) = (Process(), Pipe())
        process.executableURL = URL(filePath: path)
        process.arguments = arguments
        if let folder { process.currentDirectoryURL = folder }
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let content = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (process.terminationStatus, content)
    }

    /// Runs one that has to succeed.
    ///
    /// - Returns: what it wrote to its standard output.
    @discardableResult
    package static func run(
        _ path: String, _ arguments: [String], in folder: URL? = nil, environment: [String: String] = [:]
    ) throws -> Data {
        let (status, output) = try outcome(of: path, arguments, in: folder, environment: environment)
        guard status == 0 else {
            throw Failure(description: "\(path) \(arguments.joined(separator: " ")) ended with \(status)")
        }
        return output
    }
}
