import ExtensionFoundation
import ForceFieldWire
import ForceFieldWorker
import Foundation
import XPC

/// The helper extension that reads pictures: no network, no files, nothing but the answers to its app.
@main
@available(iOS 26, *)
struct DecoderExtension: AppExtension {
    @AppExtensionPoint.Bind var boundExtensionPoint: AppExtensionPoint {
        AppExtensionPoint.Identifier(host: "io.github.casemate.example", name: "picture-decoder")
    }

    var configuration: some AppExtensionConfiguration {
        ConnectionHandler(onSessionRequest: { request in
            guard let responder = try? HelperResponder(PictureService.service) else {
                return request.reject(reason: "two methods have one name")
            }
            return request.accept(incomingMessageHandler: { (message: XPCReceivedMessage) -> (any Encodable)? in
                guard let bytes = try? message.decode(as: Data.self) else { return Data() }
                // The system keeps the message until it is answered, and nobody else has it.
                nonisolated(unsafe) let message = message
                Task { message.reply(Data(await responder.answer(Array(bytes)) ?? [])) }
                return nil
            })
        })
    }
}

enum PictureService {
    struct NotAPicture: Error, CustomStringConvertible {
        var description: String { "not a PNG picture" }
    }

    static var service: Service {
        var service = Service()
        service.handle(PictureMethods.measure) { file, _ in try measures(file.array) }
        return service
    }

    /// Width and height as the head of a PNG file says. A library of C would stand here.
    static func measures(_ file: [UInt8]) throws -> PictureMethods.Measures {
        let mark: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
        guard file.count >= 24, file.starts(with: mark) else { throw NotAPicture() }
        func number(_ place: Int) -> Int { file[place..<place + 4].reduce(0) { $0 << 8 | Int($1) } }
        return PictureMethods.Measures(width: number(16), height: number(20))
    }
}
