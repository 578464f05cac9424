#if os(Linux)
    import Testing

    /// Tests with real workers, one after another: some count what is left on the machine.
    @Suite(
        "Workers of this machine", .serialized,
        .enabled(if: Machine.isStrict, "this machine lacks a layer of the force field (cforcefield_probe)"))
    enum LiveTests {}
#endif
