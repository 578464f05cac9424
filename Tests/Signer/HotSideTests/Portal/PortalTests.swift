import Files
import Foundation
import Pictures
import QRCode
import QRFilms
import Substrate
import TestSupport
import Testing

@testable import HotSide

@Suite("The pages of a metadata portal", .serialized)
struct PortalTests {
    private let folder: TemporaryFolder
    private let film: [UInt8]

    /// What somebody who names a network could write.
    private static let hostile = "Pol\"ka'dot</title><script src=//x>alert(1)</script>&amp;\u{202e}\u{0}"

    init() throws {
        folder = try TemporaryFolder()
        let symbol = try QRSymbol.encode(bytes: Array("an update".utf8))
        var writer = APNGWriter(QRFilmShape(symbolSize: symbol.size, frameCount: 2, scale: 6))
        film = writer.head() + writer.frame(symbol) + writer.frame(symbol) + writer.tail()
        try folder.write(film, to: "film.png")
    }

    private func specs(_ title: String, name: String = "polkadot", color: String = "#660D35") -> NetworkSpecs {
        NetworkSpecs(
            base58Prefix: 0, color: color, decimals: 10, scheme: .sr25519,
            genesisHash: Hash256(unchecked: Array(repeating: 0x91, count: 32)), logo: name, name: name,
            pathID: "//\(name)", secondaryColor: "#262626", title: title, unit: "DOT")
    }

    private func portal(_ title: String = "Polkadot", name: String = "polkadot", color: String = "#660D35") -> Portal {
        let file = FilePath(folder.path("film.png"))
        return Portal(
            title: "Updates", verifier: MultiSigner(scheme: .sr25519, publicKey: Array(repeating: 0xab, count: 32)),
            networks: [
                .init(
                    specs: specs(title, name: name, color: color), versions: [9270, 9280],
                    films: [
                        .init(.specs(specs(title, name: name, color: color)), file: file),
                        .init(.metadata(version: 9280), file: file),
                    ])
            ])
    }

    private func write(_ portal: Portal) throws -> (path: URL, names: [String]) {
        let path = folder.url.appending(path: "portal")
        return (path, try portal.write(to: FilePath(path.path)))
    }

    private func texts(_ written: (path: URL, names: [String])) throws -> [String] {
        try written.names.filter { $0.hasSuffix(".html") }
            .map { String(decoding: try Data(contentsOf: written.path.appending(path: $0)), as: UTF8.self) }
    }

    @Test("films are copied under names of their own, and pages tell networks, versions and the verifier's key")
    func pages() throws {
        let written = try write(portal())
        #expect(written.names.last == "index.html")
        #expect(written.names.count == 5)
        for name in written.names where name.hasSuffix(".png") {
            #expect(try Array(Data(contentsOf: written.path.appending(path: name))) == film)
        }
        let (page, index) = (try texts(written)[0], try texts(written)[1])
        for name in written.names where name.hasSuffix(".png") { #expect(page.contains("src=\"\(name)\"")) }
        #expect(page.contains("Metadata of polkadot 9280") && page.contains("0x" + String(repeating: "91", count: 32)))
        #expect(index.contains("<a href=\"1-polkadot.html\">Polkadot</a>") && index.contains("9270, 9280"))
        for text in [page, index] { #expect(text.contains("0x" + String(repeating: "ab", count: 32))) }
    }

    @Test("names of networks are text and nothing else, wherever they stand")
    func escaped() throws {
        let written = try write(portal(Self.hostile, name: Self.hostile + "/../../etc", color: "#fff\" onload=\""))
        for text in try texts(written) {
            #expect(!text.contains("<script") && !text.contains("onload") && !text.contains("\u{202e}"))
            #expect(text.contains("Pol&quot;ka&#39;dot&lt;/title&gt;&lt;script src=//x&gt;alert(1)"))
            #expect(text.contains("&amp;amp;") && text.contains("\\u{202e}"))
        }
        for name in written.names {
            #expect(
                name.unicodeScalars.allSatisfy { "abcdefghijklmnopqrstuvwxyz0123456789-.".unicodeScalars.contains($0) })
        }
    }

    @Test("a page brings nothing from elsewhere and runs nothing")
    func closed() throws {
        for text in try texts(try write(portal())) {
            #expect(text.contains("content=\"default-src 'none'; img-src 'self'; style-src 'self'; base-uri 'none'\""))
            #expect(!text.contains("<script") && !text.contains("//") && !text.contains("style=\""))
        }
    }

    @Test("the same portal gives the same bytes, and what else is in the folder stays")
    func again() throws {
        let first = try write(portal())
        let texts = try texts(first)
        try Data([1]).write(to: first.path.appending(path: "robots.txt"))
        let second = try write(portal())
        #expect(second.names == first.names)
        #expect(try self.texts(second) == texts)
        let all = try FileManager.default.contentsOfDirectory(atPath: first.path.path)
        #expect(Set(all) == Set(first.names + ["robots.txt"]))
    }

    @Test("without a verifier the pages say that nothing is signed")
    func unsigned() throws {
        var portal = portal()
        portal.verifier = nil
        for text in try texts(try write(portal)) { #expect(text.contains("These updates are not signed")) }
    }

    @Test("a film that is missing or no picture is refused before anything is written")
    func refused() throws {
        var portal = portal()
        let text = try folder.write("53", to: "film.txt")
        portal.networks[0].films.append(.init(.types, file: FilePath(text)))
        #expect(throws: PortalError.noPicture(path: text)) { try write(portal) }
        portal.networks[0].films[2].file = "/nowhere/film.png"
        #expect(throws: PortalError.self) { try write(portal) }
        #expect(throws: PortalError.noNetworks) { try write(Portal(title: "", verifier: nil, networks: [])) }
        #expect(!FileManager.default.fileExists(atPath: folder.path("portal")))
    }

    private static let browser = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    @Test(
        "a browser shows the page of a network, and a signer's camera reads the film on it",
        .enabled(if: browser != nil))
    func seen() throws {
        let written = try write(portal())
        let picture = folder.url.appending(path: "seen.png")
        let process = Process()
        process.executableURL = URL(filePath: try #require(Self.browser))
        process.arguments = [
            "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--window-size=900,1800",
            "--user-data-dir=\(folder.path("profile"))", "--screenshot=\(picture.path)",
            written.path.appending(path: "1-polkadot.html").absoluteString,
        ]
        (process.standardOutput, process.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
        let image = try PictureDecoder.decode(Array(Data(contentsOf: picture)))
        let contents = SwiftQRReader().read(image).map(\.bytes)
        #expect(!contents.isEmpty && Set(contents) == [Array("an update".utf8)])
    }
}
