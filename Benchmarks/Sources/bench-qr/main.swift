import Foundation
import Pictures
import QRCode
import ZXingReader

// usage: bench-qr FOLDER   (the pictures and films of raptorq-qr: qr/, video/)
// Prints JSON lines {"op", "file", "ms", "read", "of"}: milliseconds of processor time for one picture, the mean over
// the pictures of a set and for each the best of many runs, and how many of the set were read.

guard CommandLine.arguments.count == 2 else {
    print("usage: bench-qr FOLDER")
    exit(64)
}
let folder = URL(filePath: CommandLine.arguments[1], directoryHint: .isDirectory)

/// Milliseconds of processor time.
func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
}

func best(rounds: Int, _ work: () throws -> Void) rethrows -> Double {
    var best = Double.infinity
    for _ in 0..<rounds {
        let start = now()
        try work()
        best = min(best, now() - start)
    }
    return best
}

func report(_ op: String, _ file: String, _ times: [Double], read: Int) {
    guard !times.isEmpty else { return }
    let mean = String(format: "%.4f", times.reduce(0, +) / Double(times.count))
    print("{\"op\": \"\(op)\", \"file\": \"\(file)\", \"ms\": \(mean), \"read\": \(read), \"of\": \(times.count)}")
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
    let times = try images.map { image in
        read += try reader.read(image).isEmpty ? 0 : 1
        return try best(rounds: rounds) { _ = try reader.read(image) }
    }
    report(op, set, times, read: read)
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
/// What the tracker says of each picture, and the best time for it of several passes.
func track(_ frames: [LumaImage], rounds: Int) -> [(sight: QRTracker.Sight, ms: Double)] {
    var best: [(sight: QRTracker.Sight, ms: Double)] = []
    for round in 0..<rounds {
        var tracker = QRTracker()
        for (index, frame) in frames.enumerated() {
            let start = now()
            let sight = tracker.observe(frame)
            let time = now() - start
            if round == 0 { best.append((sight, time)) } else { best[index].ms = min(best[index].ms, time) }
        }
    }
    return best
}

// For the first picture all of it is searched.
let tracked = track(frames, rounds: 15).dropFirst()
let isNew: (QRTracker.Sight) -> Bool = { if case .reading = $0 { true } else { false } }
let kinds: [(String, (QRTracker.Sight) -> Bool)] = [
    ("qr_track_new_code", isNew), ("qr_track_same_code", { $0 == .same }),
    ("qr_track_mixed_picture", { $0 == .nothing }), ("qr_track_film", { _ in true }),
]
for (op, isMeant) in kinds {
    let meant = tracked.filter { isMeant($0.sight) }
    report(op, name, meant.map(\.ms), read: meant.count { $0.sight != .nothing })
}
try measure("qr_read", SwiftQRReader(), name, frames, rounds: 3)
try measure("qr_read_zxing_cpp_of_the_system", ZXingReader(), name, frames, rounds: 1)
