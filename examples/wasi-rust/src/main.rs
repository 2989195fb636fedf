//! A host of the component in one file: `agent COMPONENT STORE`. Memory in a SQLite file that processes share.

use std::time::{SystemTime, UNIX_EPOCH};

use exports::hardwon::memory::types::Env;
use hardwon::memory::host_store::{Change, Host as HostStores, HostStore, Page, Row, Span};
use hardwon::memory::host_types::{Failure, Host as HostTypes};
use rusqlite::{Connection, Result as Sql, TransactionBehavior::Immediate};
use wasmtime::component::{Component, HasSelf, Linker, Resource, bindgen};
use wasmtime::{Engine, Store};

bindgen!({ path: "../../wit", world: "memory", with: { "hardwon:memory/host-store.store": Rows } });

const OPEN: &str = "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON;
    CREATE TABLE IF NOT EXISTS row (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;";

/// Stands for the one store of this host.
pub struct Rows;
struct Host(Connection);

impl HostTypes for Host {}
impl HostStores for Host {}
impl HostStore for Host {
    fn read(&mut self, _: Resource<Rows>, spans: Vec<Span>) -> Result<Page, Failure> {
        rows(&mut self.0, &spans).map_err(|cause| Failure::Failed(cause.to_string()))
    }
    fn write(&mut self, _: Resource<Rows>, change: Change) -> Result<bool, Failure> {
        write(&mut self.0, &change).map_err(|cause| Failure::Failed(cause.to_string()))
    }
    fn drop(&mut self, _: Resource<Rows>) -> wasmtime::Result<()> {
        Ok(())
    }
}

fn version(db: &Connection) -> Sql<u64> {
    db.query_one("PRAGMA user_version", (), |row| row.get::<_, u32>(0).map(u64::from))
}

fn rows(db: &mut Connection, spans: &[Span]) -> Sql<Page> {
    let (tx, mut rows) = (db.transaction()?, Vec::new());
    for span in spans {
        let mut find = tx.prepare("SELECT key, value FROM row WHERE key >= ? AND key < ?")?;
        let found =
            find.query_map([&span.first, &span.end], |row| Ok(Row { key: row.get(0)?, value: row.get(1)? }))?;
        rows.append(&mut found.collect::<Sql<_>>()?);
    }
    Ok(Page { version: version(&tx)?, rows })
}

fn write(db: &mut Connection, change: &Change) -> Sql<bool> {
    let tx = db.transaction_with_behavior(Immediate)?;
    if version(&tx)? != change.version {
        return Ok(false);
    }
    let run = |sql: &str, values: &[&String]| tx.execute(sql, rusqlite::params_from_iter(values)).map(drop);
    change.removes.iter().try_for_each(|key| run("DELETE FROM row WHERE key = ?", &[key]))?;
    change.puts.iter().try_for_each(|row| run("REPLACE INTO row VALUES (?, ?)", &[&row.key, &row.value]))?;
    tx.execute_batch(&format!("PRAGMA user_version = {}", change.version + 1))?;
    tx.commit()?;
    db.execute_batch(if change.erases { "VACUUM; PRAGMA wal_checkpoint(TRUNCATE);" } else { "" })?;
    Ok(true)
}

/// The clock and the random source of one call.
fn env() -> Result<Env, Box<dyn std::error::Error>> {
    let now = SystemTime::now().duration_since(UNIX_EPOCH)?.as_millis() as i64;
    Ok(Env { now, seed: (getrandom::u64()?, getrandom::u64()?) })
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let [component, path] = [1, 2].map(|n| std::env::args().nth(n).expect("usage: agent COMPONENT STORE"));
    let (engine, db) = (Engine::default(), Connection::open(path)?);
    db.execute_batch(OPEN)?;
    let (mut store, mut linker) = (Store::new(&engine, Host(db)), Linker::new(&engine));
    Memory::add_to_linker::<_, HasSelf<_>>(&mut linker, |host: &mut Host| host)?;
    let instance = Memory::instantiate(&mut store, &Component::from_file(&engine, component)?, &linker)?;
    let spaces = instance.hardwon_memory_engine().space();
    let space = spaces.call_open(&mut store, Some(Resource::new_own(0)), None)??;
    spaces.call_teach(&mut store, space, env()?, "Run the formatter before you commit.", None)??;
    println!("{}", spaces.call_recall(&mut store, space, env()?, "format the code and commit", None)??.block);
    Ok(())
}
