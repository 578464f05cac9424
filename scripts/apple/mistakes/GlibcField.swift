// both: 'stat.st_mtim' is not known to be in Darwin's C library
#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

func changed(_ facts: stat) -> timespec { facts.st_mtim }
