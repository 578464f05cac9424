#if os(Linux)
    import CLinux
    import Foundation
    import TestSupport
    import Testing

    @Suite("Files without names, and marks")
    struct FilesTests {
        private func open(_ path: String) -> Int32 { Foundation.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }

        @Test("an unnamed file can be written and read, and appears nowhere")
        func unnamed() throws {
            let folder = open("/dev/shm")
            try #require(folder >= 0)
            defer { close(folder) }
            let file = clinux_open_unnamed(folder)
            try #require(file >= 0)
            defer { close(file) }
            #expect(write(file, "abc", 3) == 3)
            var status = stat()
            #expect(fstat(file, &status) == 0)
            #expect(status.st_nlink == 0 && status.st_mode & 0o777 == 0o600 && status.st_size == 3)
            #expect(linkat(AT_FDCWD, "/proc/self/fd/\(file)", folder, "casemate-named", AT_SYMLINK_FOLLOW) == -1)
        }

        @Test("the kind of a file system is told")
        func fileSystem() throws {
            let proc = open("/proc")
            try #require(proc >= 0)
            defer { close(proc) }
            var magic: UInt32 = 0
            #expect(clinux_file_system(proc, &magic) == 0)
            #expect(magic == 0x9fa0)
            #expect(clinux_file_system(-1, &magic) == -1)
        }

        @Test("a mark that is set is there, where the file system has such marks")
        func marks() throws {
            let place = try TemporaryFolder()
            let folder = open(place.path)
            defer { close(folder) }
            var marked: Int32 = 0
            if clinux_set_nodump(folder) == 0 {
                #expect(clinux_has_nodump(folder, &marked) == 0 && marked == 1)
            }
            if clinux_has_no_backup(folder, &marked) == 0 {
                #expect(marked == 0)
                #expect(clinux_set_no_backup(folder) == 0)
                #expect(clinux_has_no_backup(folder, &marked) == 0 && marked == 1)
            }
        }

        @Test("a process that was started as it is has no raised rights")
        func rights() { #expect(clinux_has_raised_rights() == 0) }
    }
#endif
