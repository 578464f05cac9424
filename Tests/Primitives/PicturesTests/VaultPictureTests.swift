import Pictures
import QRCode
import TestSupport
import Testing

@Suite("Pictures as Polkadot Vault draws them")
struct VaultPictureTests {
    @Test(
        "our picture is dark where theirs is, in whatever colour",
        .enabled(if: SharedData.has("raptorq-qr/qr/pictures.json")),
        arguments: [45, 97, 300, 586, 1080, 2953])
    func pixels(count: Int) throws {
        let name = "static-\(count).png"
        let row = try #require(
            SharedData.json("raptorq-qr/qr/pictures.json").array.first { $0["file"].string == name })
        let symbol = try QRSymbol.encode(bytes: #require(row["bytes_hex"].hex))
        let theirs = try PictureDecoder.decode(SharedData.bytes("raptorq-qr/qr/\(name)"))
        let ours = try PictureDecoder.decode(QRPicture.png(symbol))
        #expect(ours.width == theirs.width && ours.pixels.map { $0 < 128 } == theirs.pixels.map { $0 < 128 })
    }
}
