import ForceField
import ForceFieldWire
import Foundation
import PictureMethods

/// A line for each picture: its size, or why there is none. One that ends its worker costs nothing but itself.
let field = try ForceField(
    worker: .beside("picture-worker"),
    policy: Policy {
        $0.lifetime = .perRequest
        $0.limits.memoryBytes = 256 << 20
        $0.limits.cpuSeconds = 5
        $0.maxReplyBytes = 40 << 20
        $0.maxFrameBytes = 40 << 20
    },
    interface: PictureMethods.interface())

struct Contradiction: Error, CustomStringConvertible {
    let description: String
}

var lost = 0
for path in CommandLine.arguments.dropFirst() {
    let name = URL(filePath: path).lastPathComponent
    do {
        let file = Bytes(Array(try Data(contentsOf: URL(filePath: path))))
        // The reply has the right form, or it would not be here. Whether it makes sense is for us to say.
        let picture = try await field.call(PictureMethods.decode, file, deadline: .seconds(5)) { picture in
            let (bytes, isTooLarge) = picture.width.multipliedReportingOverflow(by: picture.height)
            guard picture.width > 0, picture.height > 0, !isTooLarge, bytes == picture.pixels.array.count / 4 else {
                throw Contradiction(description: "its pixels are not as many as its size says")
            }
        }
        print(
            "\(name): \(picture.width) x \(picture.height)\(picture.caption.map { ", \($0.debugDescription)" } ?? "")")
    } catch {
        lost += 1
        print("\(name): lost. \(error)")
    }
}
await field.terminate()
exit(lost == 0 ? 0 : 1)
