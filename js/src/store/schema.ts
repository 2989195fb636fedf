// The layout of the SQLite file, format 1, statement for statement that of native/src/store/sqlite/schema.rs.

/** Marks the file as a hardwon store, in SQLite's application id: `HWON`. */
export const APPLICATION_ID = 0x4857_4f4e

/** The format, in SQLite's user version. */
export const FORMAT = 1

/** FULL syncs the log at each commit; a freed byte is overwritten; what a file says about itself is not run. */
export const SETTINGS = `
PRAGMA synchronous = FULL;
PRAGMA fullfsync = ON;
PRAGMA checkpoint_fullfsync = ON;
PRAGMA secure_delete = ON;
PRAGMA foreign_keys = OFF;
PRAGMA trusted_schema = OFF;
PRAGMA cache_size = -4000;
`

export const TABLES = `
CREATE TABLE space(
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    rev INTEGER NOT NULL,
    horizon INTEGER NOT NULL
) STRICT;

CREATE TABLE op(
    space INTEGER NOT NULL,
    rev INTEGER NOT NULL,
    id BLOB NOT NULL,
    head TEXT NOT NULL,
    PRIMARY KEY(space, rev)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX op_by_id ON op(space, id);

CREATE TABLE undo(
    space INTEGER NOT NULL,
    undone BLOB NOT NULL,
    rev INTEGER NOT NULL,
    PRIMARY KEY(space, undone, rev)
) STRICT, WITHOUT ROWID;

CREATE TABLE change(
    space INTEGER NOT NULL,
    rev INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    record BLOB NOT NULL,
    delta TEXT NOT NULL,
    vector BLOB
) STRICT;
CREATE UNIQUE INDEX change_in_order ON change(space, rev, seq);
CREATE INDEX change_by_record ON change(space, record, rev);

CREATE TABLE record(
    space INTEGER NOT NULL,
    id BLOB NOT NULL,
    json TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX record_by_id ON record(space, id);

CREATE TABLE vector(
    space INTEGER NOT NULL,
    record BLOB NOT NULL,
    embedder TEXT NOT NULL,
    bytes BLOB NOT NULL,
    PRIMARY KEY(space, record, embedder)
) STRICT, WITHOUT ROWID;

CREATE TABLE run(
    space INTEGER NOT NULL,
    session TEXT NOT NULL,
    json TEXT NOT NULL,
    PRIMARY KEY(space, session)
) STRICT, WITHOUT ROWID;

CREATE TABLE tombstone(
    space INTEGER NOT NULL,
    rev INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    json TEXT NOT NULL,
    PRIMARY KEY(space, rev, seq)
) STRICT, WITHOUT ROWID;

CREATE TABLE live_trace(
    id INTEGER PRIMARY KEY,
    space INTEGER NOT NULL,
    session TEXT NOT NULL,
    lines INTEGER NOT NULL,
    mined INTEGER NOT NULL,
    UNIQUE(space, session)
) STRICT;

CREATE TABLE trace_line(
    trace INTEGER NOT NULL,
    line INTEGER NOT NULL,
    json TEXT NOT NULL,
    PRIMARY KEY(trace, line)
) STRICT, WITHOUT ROWID;

CREATE TABLE cache(
    space INTEGER NOT NULL,
    name TEXT NOT NULL,
    rev INTEGER NOT NULL,
    bytes BLOB NOT NULL,
    UNIQUE(space, name)
) STRICT;

CREATE TABLE to_wipe(
    space INTEGER NOT NULL,
    rev INTEGER NOT NULL,
    PRIMARY KEY(space, rev)
) STRICT, WITHOUT ROWID;
`
