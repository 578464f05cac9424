import Foundation

enum WireTopic: Topic {
    static let name = "wire"
    static let summary = "payloads, SCALE, metadata, cards"

    static func run(folder: URL, report: inout Report) throws {}
}
