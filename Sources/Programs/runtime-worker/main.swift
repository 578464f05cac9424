#if os(Linux)
    import ForceFieldWorker
    import RuntimeWorker

    // The only program in which a chain's runtime, code from outside, is run.
    ForceFieldWorker.run(RuntimeWorker.service())
#endif
