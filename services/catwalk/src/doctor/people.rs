//! Who may do what: the users file, and what lies beside it.

use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use catwalk_web::{Role, UsersFile};

use super::{Report, own_uid};
use crate::config::{Config, Service};

pub(super) fn examine(report: &mut Report, config: &Config) {
    const CHECK: &str = "users";
    let needed = [Service::Console, Service::Gateway, Service::Sql];
    if !needed.into_iter().any(|service| config.answers(service)) {
        return;
    }
    let file = UsersFile::at(&config.users.file);
    let shown = file.path().display();
    let roll = match file.read() {
        Ok(roll) => roll,
        Err(error) => {
            report.wrong(
                CHECK,
                error.to_string(),
                "only the owner may read it, and it must be as `catwalk users` wrote it",
            );
            return;
        }
    };
    if roll.users.is_empty() {
        report.warn(
            CHECK,
            format!("{shown}: nobody is a user yet; until then only this machine is answered"),
            "`catwalk users add NAME --role surveillance_director,operator`",
        );
        return;
    }
    let there = || roll.users.values().filter(|user| user.revoked.is_none());
    let people = there().filter(|user| user.signs_in()).count();
    let tokens = roll.tokens.values();
    let tokens = tokens.filter(|token| token.revoked.is_none() && !token.expires.has_passed());
    let (count, tokens) = (there().count(), tokens.count());
    match there().any(|user| user.roles.contains(&Role::Operator)) {
        true => report.ok(CHECK, format!("{shown}: {count} users, {people} with a password, {tokens} good tokens")),
        false => report.warn(
            CHECK,
            format!("{shown}: {count} users, and none of them is an operator"),
            "give the role to who runs the installation: `catwalk users change NAME --role operator`",
        ),
    }
    private(report, file.path());
    private(report, &file.record());
}

/// Whose the file is, and whether others read it.
fn private(report: &mut Report, path: &Path) {
    const CHECK: &str = "permissions";
    let shown = path.display();
    let looked = path.metadata().and_then(|meta| Ok((meta, own_uid()?)));
    match looked {
        Err(error) => report.wrong(
            CHECK,
            format!("{shown}: {error}"),
            "the record of acts belongs to the users file: bring it back from a backup",
        ),
        Ok((meta, _)) if meta.mode() & 0o077 != 0 => report.wrong(
            CHECK,
            format!(
                "others may read or write {shown} (mode {:o})",
                meta.mode() & 0o777
            ),
            format!("chmod 600 {shown}"),
        ),
        Ok((meta, own)) if meta.uid() != own => report.warn(
            CHECK,
            format!(
                "{shown} belongs to the user with the number {}, and this is {own}",
                meta.uid()
            ),
            "see that it belongs to the user that runs the services",
        ),
        Ok(_) => report.ok(CHECK, format!("{shown} is its owner's alone")),
    }
}
