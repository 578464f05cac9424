#if os(Linux)
    import ForceFieldWorker
    import PictureWorker

    // The only program of Casemate in which code that is not memory-safe sees pictures from outside.
    ForceFieldWorker.run(PictureWorker.service())
#endif
