import Foundation
import Measuring
import Pictures
import QRCode
import ZXingReader

// usage: bench-qr FOLDER   (the pictures and films of raptorq-qr: qr/, video/)
// Prints JSON lines {"op", "file", "us", "kB", "read", "of"}: microseconds of processor time for one picture, the mean
// over the pictures of a set and for each the best of many runs; the most memory that one took; and how many of the set
// were read.

guard CommandLine.arguments.count == 2 else {
    print("usage: bench-qr FOLDER")
    exit(64)
}
let folder = URL(filePath: CommandLine.arguments[1], directoryHint: .isDirectory)

func report(_ op: String, _ file: String, _ costs: [Cost], read: Int) {
    guard let bytes = costs.map(\.bytes).max() else { return }
    let mean = costs.map(\.microseconds).reduce(0, +) / Double(costs.count)
    report(op, file, Cost(microseconds: mean, bytes: bytes), "\"read\": \(read), \"of\": \(costs.count)")
}

// MARK: Pictures

/// Each set in the order of its names, so that runs are alike.
func pictures(_ part: String) throws -> [LumaImage] {
    try FileManager.default.contentsOfDirectory(atPath: folder.appending(path: "qr").path)
        .filter { $0.contains(part) && $0.hasSuffix(".jpg") }.sorted()
        .map { try PictureDecoder.decode([UInt8](Data(contentsOf: folder.appending(path: "qr/\($0)")))) }
}

func measure(_ op: String, _ reader: some QRReader, _ set: String, _ images: [LumaImage], rounds: Int) throws {
    var read = 0
    let costs = try images.map { image in
        var isRead = false
        let bytes = try peakMemory { isRead = try !reader.read(image).isEmpty }
        read += isRead ? 1 : 0
        var cost = try best(rounds: rounds) { _ = try reader.read(image) }
        cost.bytes = bytes
        return cost
    }
    report(op, set, costs, read: read)
}

for set in ["640x480", "1280x720", "no-code"] {
    let images = try pictures(set)
    try measure("qr_read", SwiftQRReader(), set, images, rounds: 15)
    try measure("qr_read_zxing_cpp_of_the_system", ZXingReader(), set, images, rounds: 3)
}

// MARK: Film

/// Pictures that follow each other in a file, split at the marker that begins one.
func film(_ name: String) throws -> [LumaImage] {
    let bytes = [UInt8](try Data(contentsOf: folder.appending(path: "video/\(name)")))
    let starts = bytes.indices.dropLast(2).filter {
        bytes[$0] == 0xff && bytes[$0 + 1] == 0xd8 && bytes[$0 + 2] == 0xff
    }
    return try zip(starts, starts.dropFirst() + [bytes.count]).map { try PictureDecoder.decode(Array(bytes[$0..<$1])) }
}

let name = "types_info_None-15fps"
let frames = try film("\(name).mjpeg")
/// What the tracker says of each picture, and the best time for it of several passes behind the first.
func track(_ frames: [LumaImage], rounds: Int) -> [(sight: QRTracker.Sight, cost: Cost)] {
    var best: [(sight: QRTracker.Sight, cost: Cost)] = []
    for round in 0..<rounds {
        var tracker = QRTracker()
        for (index, frame) in frames.enumerated() {
            guard round > 0 else {
                var sight = QRTracker.Sight.nothing
                let bytes = peakMemory { sight = tracker.observe(frame) }
                best.append((sight, Cost(microseconds: .infinity, bytes: bytes)))
                continue
            }
            let start = processorTime()
            _ = tracker.observe(frame)
            best[index].cost.microseconds = min(best[index].cost.microseconds, processorTime() - start)
        }
    }
    return best
}

// For the first picture all of it is searched.
let tracked = track(frames, rounds: 16).dropFirst()
let isNew: (QRTracker.Sight) -> Bool = { if case .reading = $0 { true } else { false } }
let kinds: [(String, (QRTracker.Sight) -> Bool)] = [
    ("qr_track_new_code", isNew), ("qr_track_same_code", { $0 == .same }),
    ("qr_track_mixed_picture", { $0 == .nothing }), ("qr_track_film", { _ in true }),
]
for (op, isMeant) in kinds {
    let meant = tracked.filter { isMeant($0.sight) }
    report(op, name, meant.map(\.cost), read: meant.count { $0.sight != .nothing })
}
try measure("qr_read", SwiftQRReader(), name, frames, rounds: 3)
try measure("qr_read_zxing_cpp_of_the_system", ZXingReader(), name, frames, rounds: 1)
