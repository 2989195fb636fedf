//! Live traces, caches and a model's answers: what is kept beside the log and may be lost without losing memory.
//!
//! Decides nothing. A trace's lines come back as they were given, in the order they were given.

use hardwon_core::env::Revision;
use rusqlite::{Connection, OptionalExtension, params};

use super::super::rules;
use super::fault::Fault;
use super::read::{self, list};
use super::write::{run, space_id};

pub(super) fn append(conn: &Connection, space: &str, session: &str, lines: &[String]) -> Result<(), Fault> {
    let space = space_id(conn, space)?;
    let grow = "INSERT INTO live_trace(space, session, lines, mined) VALUES (?1, ?2, ?3, 0)
                ON CONFLICT DO UPDATE SET lines = lines + excluded.lines RETURNING id, lines";
    let (trace, end): (i64, i64) = conn
        .prepare_cached(grow)?
        .query_row(params![space, session, lines.len() as i64], |row| Ok((row.get(0)?, row.get(1)?)))?;
    for (line, json) in (end - lines.len() as i64..).zip(lines) {
        let add = "INSERT INTO trace_line(trace, line, json) VALUES (?1, ?2, ?3)";
        run(conn, add, params![trace, line, json])?;
    }
    Ok(())
}

pub(super) fn load(
    conn: &Connection,
    space: &str,
    session: Option<&str>,
) -> Result<Vec<(String, Vec<String>)>, Fault> {
    let id = read::head(conn, space)?.id;
    let sql = "SELECT id, session FROM live_trace
               WHERE space = ?1 AND (session = ?2 OR (?2 IS NULL AND mined < lines)) ORDER BY session";
    let traces: Vec<(i64, String)> =
        list(conn, sql, params![id, session], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let lines = "SELECT json FROM trace_line WHERE trace = ?1 ORDER BY line";
    let with_lines = |(trace, name)| Ok((name, list(conn, lines, [trace], |row| Ok(row.get(0)?))?));
    traces.into_iter().map(with_lines).collect()
}

pub(super) fn is_there(conn: &Connection, space: &str, session: &str) -> Result<bool, Fault> {
    let id = read::head(conn, space)?.id;
    let sql = "SELECT 1 FROM live_trace WHERE space = ?1 AND session = ?2";
    Ok(conn.prepare_cached(sql)?.exists(params![id, session])?)
}

pub(super) fn mined(conn: &Connection, space: &str, session: &str, lines: u64) -> Result<(), Fault> {
    let id = read::head(conn, space)?.id;
    let note = "UPDATE live_trace SET mined = min(lines, max(mined, ?3)) WHERE space = ?1 AND session = ?2";
    run(conn, note, params![id, session, i64::try_from(lines).unwrap_or(i64::MAX)])?;
    Ok(())
}

pub(super) fn drop_mined(conn: &Connection, space: &str, session: &str) -> Result<(), Fault> {
    let id = read::head(conn, space)?.id;
    let find = "SELECT id FROM live_trace WHERE space = ?1 AND session = ?2 AND mined >= lines";
    for trace in list(conn, find, params![id, session], |row| Ok(row.get::<_, i64>(0)?))? {
        run(conn, "DELETE FROM trace_line WHERE trace = ?1", [trace])?;
        run(conn, "DELETE FROM live_trace WHERE id = ?1", [trace])?;
    }
    Ok(())
}

pub(super) fn cache_get(
    conn: &Connection,
    space: &str,
    name: &str,
    rev: Revision,
) -> Result<Option<Vec<u8>>, Fault> {
    let sql = "SELECT bytes FROM cache JOIN space ON space.id = cache.space
               WHERE space.name = ?1 AND cache.name = ?2 AND cache.rev = ?3";
    let mut find = conn.prepare_cached(sql)?;
    let at = i64::try_from(rev.0).unwrap_or(i64::MAX);
    Ok(find.query_row(params![space, name, at], |row| row.get(0)).optional()?)
}

pub(super) fn cache_put(
    conn: &Connection,
    space: &str,
    name: &str,
    rev: Revision,
    bytes: &[u8],
) -> Result<(), Fault> {
    let head = read::head(conn, space)?;
    if rules::may_cache(rev, head.horizon, head.rev) {
        let put = "INSERT INTO cache(space, name, rev, bytes) VALUES (?1, ?2, ?3, ?4)
                   ON CONFLICT DO UPDATE SET rev = excluded.rev, bytes = excluded.bytes WHERE rev <= excluded.rev";
        run(conn, put, params![head.id, name, rev.0.cast_signed(), bytes])?;
    }
    Ok(())
}

/// How the names of answers begin among the caches: they go as those go.
const ANSWER: &str = "answer:";

pub(super) fn answer_get(conn: &Connection, space: &str, key: &str) -> Result<Option<String>, Fault> {
    let sql = "SELECT CAST(bytes AS TEXT) FROM cache JOIN space ON space.id = cache.space
               WHERE space.name = ?1 AND cache.name = ?2";
    let mut find = conn.prepare_cached(sql)?;
    Ok(find.query_row(params![space, format!("{ANSWER}{key}")], |row| row.get(0)).optional()?)
}

pub(super) fn answer_put(conn: &Connection, space: &str, answers: &[(String, String)]) -> Result<(), Fault> {
    let id = space_id(conn, space)?;
    let rev = read::head(conn, space)?.rev.0.cast_signed();
    for (key, text) in answers {
        let put = "INSERT INTO cache(space, name, rev, bytes) VALUES (?1, ?2, ?3, ?4)
                   ON CONFLICT DO UPDATE SET rev = excluded.rev, bytes = excluded.bytes";
        run(conn, put, params![id, format!("{ANSWER}{key}"), rev, text.as_bytes()])?;
    }
    let thin = "DELETE FROM cache WHERE space = ?1 AND name IN (
                    SELECT name FROM cache WHERE space = ?1 AND name >= ?2 AND name < ?2 || 'g'
                    ORDER BY rev DESC, name LIMIT -1 OFFSET ?3)";
    run(conn, thin, params![id, ANSWER, rules::ANSWERS as i64])?;
    Ok(())
}
