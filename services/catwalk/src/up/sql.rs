//! The archive for clients of PostgreSQL, as a service of the house.

use std::time::Duration;

use anyhow::Context as _;
use catwalk_archive::Archive;
use catwalk_query::{Bounds, Most, RunningSql, SqlServer};
use catwalk_web::{TlsFiles, Users};

use super::{House, given};
use crate::config::Config;

impl House {
    /// Opens the door for clients of PostgreSQL, and says how to come in.
    pub(super) fn serve_sql(
        &self,
        config: &Config,
        users: Option<&Users>,
    ) -> anyhow::Result<RunningSql> {
        let users = users.context("nobody may come in")?;
        let (sql, files) = (&config.sql, &config.tls);
        let tls = given(&files.cert).map(|cert| TlsFiles {
            cert: cert.to_owned(),
            key: files.key.clone(),
            client_ca: None,
        });
        let tell = |what: &str| eprintln!("catwalk: {what}");
        let server = SqlServer::bind(users.clone(), sql.listen, tls, tell);
        let server = server.context("see sql.listen and [tls]")?;
        let address = server.address();
        let bounds = Bounds {
            time: Duration::from_secs(sql.max_seconds),
            memory_bytes: sql.max_memory_mb << 20,
            disk_bytes: sql.max_disk_mb << 20,
            ..Bounds::default()
        };
        let archive = Archive::at(&config.archive.url)?;
        let worth = self.appraiser.clone();
        let bounds = (bounds, most(config)?);
        let running = server.start(&archive, self.ledger()?, worth, bounds)?;
        let (host, port) = (address.ip(), address.port());
        let user = if users.needs_no_token() {
            "demo"
        } else {
            "YOU"
        };
        eprintln!("catwalk: psql \"host={host} port={port} dbname=catwalk user={user}\"");
        Ok(running)
    }
}

/// How large an answer to a question in SQL may be, at whatever door.
pub(super) fn most(config: &Config) -> anyhow::Result<Most> {
    let sql = &config.sql;
    let rows_of = sql.max_rows_of.iter().map(|(role, rows)| {
        let role = role.parse().map_err(anyhow::Error::msg);
        Ok((role.context("sql.max_rows_of")?, *rows))
    });
    Ok(Most {
        rows: sql.max_rows,
        bytes: sql.max_answer_mb.saturating_mul(1 << 20),
        rows_of: rows_of.collect::<anyhow::Result<_>>()?,
    })
}
