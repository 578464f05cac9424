#if !os(Linux)
    extension LayerReport {
        /// The report that no layer stands: none of the layers is of this system, which has its own.
        public static let machine = LayerReport(
            Layer.allCases.map { LayerState($0, isPresent: false, obstacle: .kernel) })
    }

    extension Obstacle.Surroundings {
        /// The surroundings of this process.
        package static var current: Self { Self() }
    }
#endif
