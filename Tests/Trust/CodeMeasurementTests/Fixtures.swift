import Foundation
import TestSupport

let fixtures: URL = packageRoot.appending(path: "Tests/Trust/CodeMeasurementTests/Fixtures")
