import Foundation

enum QRTopic: Topic {
    static let name = "qr"
    static let summary = "QR symbols and pictures"

    static func run(folder: URL, report: inout Report) throws {}
}
