import Foundation

/// One kind of known answers. A topic takes any folder in its format: it walks the folder and recognises each file by
/// what is in it. What it does not recognise fails; what this machine cannot show, or another topic checks, is counted
/// as skipped, with the reason.
package protocol Topic: Sendable {
    static var name: String { get }
    static var summary: String { get }
    static func run(folder: URL, report: inout Report) throws
}
