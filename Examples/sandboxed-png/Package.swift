// swift-tools-version: 6.2
import PackageDescription

// libpng, and a careless piece of C beside it, behind ForceField: docs/forcefield.md walks through it. ./test.sh tests it.
let package = Package(
    name: "sandboxed-png",
    platforms: [.macOS(.v15)],
    // What these libraries need of other packages, and no more.
    dependencies: [.package(name: "casemate", path: "../..", traits: ["Files", "Log"])],
    targets: [
        .systemLibrary(
            name: "CPNG", pkgConfig: "libpng", providers: [.apt(["libpng-dev"]), .brew(["libpng"])]),
        .target(name: "CCaption"),
        // What host and worker agree on.
        .target(name: "PictureMethods", dependencies: [.product(name: "ForceFieldWire", package: "casemate")]),
        // The one program that links the C code.
        .executableTarget(
            name: "picture-worker",
            dependencies: [
                "CPNG", "CCaption", "PictureMethods", .product(name: "ForceFieldWorker", package: "casemate"),
                .product(name: "ForceFieldWire", package: "casemate"),
            ]),
        .executableTarget(
            name: "picture-info",
            dependencies: [
                "PictureMethods", .product(name: "ForceField", package: "casemate"),
                .product(name: "ForceFieldWire", package: "casemate"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)
