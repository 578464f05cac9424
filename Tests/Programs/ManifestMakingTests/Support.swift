import Foundation

/// Whether programs can be compiled here.
let hasCompiler = FileManager.default.isExecutableFile(atPath: "/usr/bin/cc")
