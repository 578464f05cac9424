#if os(Linux)
    import CFakeCamera
    import CLinux
    import PictureWorker
    import Pictures
    import QRCode
    import Testing

    @testable import AirgapLink

    @Suite("A camera behind the calls of Video4Linux2", .serialized)
    struct CameraTests {
        static let grey = fourCC("GREY")
        private static let yuyv = fourCC("YUYV")

        private static func fourCC(_ name: String) -> UInt32 {
            name.utf8.reversed().reduce(0) { $0 << 8 | UInt32($1) }
        }

        /// What a camera does that no program expects.
        struct Faults {
            var rowPadding: UInt32 = 0
            var isNoCamera = false
            /// The call that fails, by the lower bits of its number, and how.
            var request: UInt32 = 0
            var errno: Int32 = 0
            var isDamaged = false
            var liesAboutSize = false
        }

        /// Runs `body` with a camera that gives `pictures`, and checks that it is left as it was found.
        func withCamera(
            _ pictures: [[UInt8]], format: UInt32 = grey, perWait: UInt32 = 1, width: UInt32 = 3, height: UInt32 = 2,
            with faults: Faults = Faults(), _ body: () throws -> Void
        ) rethrows {
            let all = pictures.flatMap { $0 }
            try all.withUnsafeBufferPointer { bytes in
                var fake = cfakecamera()
                (fake.format, fake.width, fake.height) = (format, width, height)
                (fake.pictures, fake.picture_size) = (bytes.baseAddress, pictures.first?.count ?? 0)
                (fake.picture_count, fake.pictures_per_wait) = (UInt32(pictures.count), perWait)
                (fake.row_padding, fake.is_no_camera) = (faults.rowPadding, faults.isNoCamera ? 1 : 0)
                (fake.failing_request, fake.failing_errno) = (faults.request, faults.errno)
                (fake.is_damaged, fake.lies_about_size) = (faults.isDamaged ? 1 : 0, faults.liesAboutSize ? 1 : 0)
                cfakecamera_set(&fake)
                try body()
            }
            #expect(cfakecamera_mapped() == 0 && cfakecamera_opened() == 0 && cfakecamera_mistakes() == 0)
        }

        private func open() throws(LinkError) -> Camera {
            try Camera(path: "/dev/video0", width: 640, height: 480, calls: cfakecamera_calls())
        }

        @Test("grey pictures come one after the other, and none when there is none")
        func greyPictures() throws {
            let pictures: [[UInt8]] = (0..<9).map { number in (0..<6).map { UInt8(10 * number + $0) } }
            try withCamera(pictures) {
                let camera = try open()
                for picture in pictures { #expect(try camera.picture()?.pixels == picture) }
                #expect(try camera.picture() == nil)
            }
        }

        @Test("of several pictures the newest is taken")
        func newest() throws {
            let pictures: [[UInt8]] = (0..<6).map { [UInt8](repeating: UInt8($0), count: 6) }
            try withCamera(pictures, perWait: 3) {
                let camera = try open()
                #expect(try camera.picture()?.pixels == pictures[2])
                #expect(try camera.picture()?.pixels == pictures[5])
            }
        }

        @Test("the brightness of YUYV is every second byte, and bytes behind a row are passed over")
        func yuyvPictures() throws {
            let row: (UInt8) -> [UInt8] = { [$0, 99, $0 + 1, 98, $0 + 2, 97, 0xaa, 0xbb] }
            try withCamera([row(1) + row(11)], format: Self.yuyv, with: Faults(rowPadding: 2)) {
                let image = try open().picture()
                #expect(image?.pixels == [1, 2, 3, 11, 12, 13] && image?.width == 3 && image?.height == 2)
            }
        }

        @Test("a camera's JPEG is read")
        func jpeg() throws {
            let symbol = try QRSymbol.encode(bytes: [1, 2, 3])
            // The name of the format does not bind a driver to what it sends.
            let picture = QRPicture.png(symbol)
            try withCamera([picture], format: Self.fourCC("MJPG"), width: 640, height: 480) {
                let image = try open().picture()
                #expect(try image == PictureDecoder.decode(picture))
            }
        }

        @Test("what is no camera, offers no format or fails on the way is refused, and everything is given back")
        func refusals() throws {
            let picture = [[UInt8](repeating: 0, count: 6)]
            withCamera(picture, with: Faults(isNoCamera: true)) { #expect(throws: LinkError.self) { try open() } }
            withCamera(picture, format: 1) { #expect(throws: LinkError.self) { try open() } }
            // QUERYCAP, REQBUFS, QUERYBUF, QBUF, STREAMON.
            for request: UInt32 in [0, 8, 9, 15, 18] where request > 0 {
                withCamera(picture, with: Faults(request: request, errno: 16)) {
                    #expect(throws: LinkError.self) { try open() }
                }
            }
            // S_FMT of a camera that another program uses.
            withCamera(picture, with: Faults(request: 5, errno: 16)) {
                #expect { try open() } throws: { "\($0)".contains("another program uses it") }
            }
            #expect(throws: LinkError.self) { try Camera(path: "/dev/null") }
            #expect(throws: LinkError.self) { try Camera(path: "/dev/no-such-camera") }
        }

        @Test("pictures that the driver marks as damaged are nothing; ones that claim too much are cut")
        func damaged() throws {
            let pixels = [UInt8](repeating: 7, count: 6)
            try withCamera([pixels], with: Faults(isDamaged: true)) {
                let picture = try open().picture()
                #expect(picture == nil)
            }
            try withCamera([pixels], with: Faults(liesAboutSize: true)) {
                let picture = try open().picture()
                #expect(picture?.pixels == pixels)
            }
            // Fewer bytes than the picture's size needs.
            try withCamera([[1, 2, 3]]) {
                let picture = try open().picture()
                #expect(picture == nil)
            }
        }

        @Test("a camera that is unplugged says so")
        func unplugged() throws {
            try withCamera(
                [[UInt8](repeating: 0, count: 6)], with: Faults(request: 17, errno: 19)
            ) {
                let camera = try open()
                #expect(
                    throws: LinkError.camera(
                        path: "/dev/video0", reason: "it was unplugged. Plug it in, and start again")
                ) {
                    try camera.picture()
                }
            }
        }
    }

    extension Camera {
        /// The newest picture, if one comes and is whole.
        fileprivate func picture() throws(LinkError) -> LumaImage? {
            try nextFrame(within: .milliseconds(10)).flatMap { try? $0.luma() }
        }
    }
#endif
