import Foundation

/// One kind of known answers. A topic takes any folder in its format: it walks the folder and recognises each file by what
/// is in it; what it does not recognise, or what this build cannot check yet, is counted as skipped, with the reason.
package protocol Topic: Sendable {
    static var name: String { get }
    static var summary: String { get }
    static func run(folder: URL, report: inout Report) throws
}
