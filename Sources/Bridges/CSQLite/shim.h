// Bridge to the system library; the check below turns a missing header into a message that names the package.
#if !__has_include(<sqlite3.h>)
#error "sqlite3.h is missing: install it with  apt-get install libsqlite3-dev  (or run  make deps)"
#else
#include <sqlite3.h>

// What Swift does not import: a function with a variable number of arguments, and a cast of a number to a function.

/// Switches one of the settings SQLITE_DBCONFIG_… of a connection on or off.
static inline int casemate_sqlite_switch(sqlite3 *connection, int setting, int value) {
    return sqlite3_db_config(connection, setting, value, (int *)0);
}

/// Binds bytes, of which SQLite makes a copy. No bytes are a blob without bytes, and not NULL.
static inline int casemate_sqlite_bind_bytes(sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
    if (count == 0) return sqlite3_bind_zeroblob(statement, index, 0);
    return sqlite3_bind_blob64(statement, index, bytes, count, SQLITE_TRANSIENT);
}

/// Binds text in UTF-8, of which SQLite makes a copy; it may hold zeros.
static inline int casemate_sqlite_bind_text(sqlite3_stmt *statement, int index, const char *text, sqlite3_uint64 count) {
    return sqlite3_bind_text64(statement, index, text, count, SQLITE_TRANSIENT, SQLITE_UTF8);
}
#endif
