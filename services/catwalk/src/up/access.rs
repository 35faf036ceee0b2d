//! Who is let in, and by which door: users, TLS, addresses.

use std::net::SocketAddr;
use std::path::Path;
use std::time::Duration;

use anyhow::Context;
use catwalk_web::{Group, Limits, OidcSettings, Server, TlsFiles, UserSettings, Users};
use serde_json::json;

use super::given;
use crate::config::Config;

/// The users of this installation. Where there are none yet, the terminal says how the first is made.
pub(crate) fn users(config: &Config) -> anyhow::Result<Users> {
    let settings = &config.users;
    let users = Users::open(UserSettings {
        file: settings.file.clone(),
        idle: Duration::from_secs(60 * settings.idle_minutes),
        longest: Duration::from_secs(3600 * settings.session_hours),
        house: house(config),
        tell: |what| eprintln!("catwalk: {what}"),
        oidc: provider(config)?,
    });
    let users = users.context("see [users] and [oidc]")?;
    if let Some(first) = users.first_token() {
        let (token, path) = (first.token(), first.path().display());
        eprintln!(
            "catwalk: there is no user yet, and until there is one only this machine is answered.\n\
             catwalk: make the first with this one-time token, good until {}: {token}\n\
             catwalk: (it is in {path} too; `catwalk users add` in another terminal does without it)",
            first.expires()
        );
    }
    Ok(users)
}

/// The provider that people may sign in by, if there is one.
fn provider(config: &Config) -> anyhow::Result<Option<OidcSettings>> {
    let oidc = &config.oidc;
    if oidc.issuer.is_empty() {
        anyhow::ensure!(
            oidc.groups.is_empty() && oidc.client_id.is_empty(),
            "oidc.issuer is missing"
        );
        return Ok(None);
    }
    let mut groups = Vec::new();
    for group in &oidc.groups {
        let roles = group.roles.iter().map(|role| role.parse());
        let roles: Result<_, String> = roles.collect();
        let place = || format!("oidc.groups, {:?}", group.group);
        groups.push(Group {
            group: group.group.clone(),
            roles: roles.map_err(anyhow::Error::msg).with_context(place)?,
            properties: group.properties.clone(),
        });
    }
    let text = |text: &String| Some(text.clone()).filter(|text| !text.is_empty());
    Ok(Some(OidcSettings {
        name: text(&oidc.name).unwrap_or_else(|| oidc.issuer.clone()),
        issuer: oidc.issuer.clone(),
        client: oidc.client_id.clone(),
        secret_file: given(&oidc.client_secret_file).map(Path::to_owned),
        redirect: oidc.redirect_url.clone(),
        scopes: oidc.scopes.clone(),
        also: oidc.also.clone(),
        ca: given(&oidc.ca).map(Path::to_owned),
        user_claim: oidc.user_claim.clone(),
        name_claim: oidc.name_claim.clone(),
        groups_claim: oidc.groups_claim.clone(),
        audience: text(&oidc.audience),
        confirmed_within: Duration::from_secs(24 * 3600 * oidc.tokens_days),
        groups,
    }))
}

/// What whoever signs in is told of the house.
pub(crate) fn house(config: &Config) -> serde_json::Value {
    let archive = &config.archive;
    json!({
        "name": config.house.name,
        "zone": archive.time_zone,
        "gaming_day_begins": format!("{:02}:00", archive.gaming_day_hour),
    })
}

/// A server for users; off this machine it speaks TLS or does not start.
pub(crate) fn server(
    config: &Config,
    users: &Users,
    address: SocketAddr,
    setting: &str,
) -> anyhow::Result<Server> {
    let files = &config.tls;
    let tls = (!files.cert.as_os_str().is_empty()).then(|| TlsFiles {
        cert: files.cert.clone(),
        key: files.key.clone(),
        client_ca: Some(files.client_ca.clone()).filter(|path| !path.as_os_str().is_empty()),
    });
    let server = Server::bind_for(users.clone(), address, tls, Limits::default());
    server.with_context(|| {
        format!("{setting} = \"{address}\" cannot be served: see {setting} and [tls]")
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use catwalk_web::Role;

    use super::*;

    fn read(text: &str) -> anyhow::Result<Option<OidcSettings>> {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), text).unwrap();
        provider(&Config::load(Some(file.path()))?)
    }

    #[test]
    fn a_provider_is_as_its_section_says() {
        assert!(read("").unwrap().is_none());
        let oidc = "[oidc]\nissuer = \"https://login.example\"\nclient_id = \"catwalk\"\n\
            [[oidc.groups]]\ngroup = \"ieb\"\nroles = [\"investigator\"]\nproperties = [\"ebh\"]\n\
            [[oidc.groups]]\ngroup = \"audit\"\nroles = [\"auditor\", \"operator\"]\n";
        let read_one = read(oidc).unwrap().unwrap();
        assert_eq!(
            (read_one.name.as_str(), read_one.audience),
            ("https://login.example", None)
        );
        assert_eq!(
            read_one.confirmed_within,
            Duration::from_secs(7 * 24 * 3600)
        );
        let groups = [
            Group {
                group: "ieb".to_owned(),
                roles: [Role::Investigator].into(),
                properties: Some(["ebh".to_owned()].into()),
            },
            Group {
                group: "audit".to_owned(),
                roles: [Role::Auditor, Role::Operator].into(),
                properties: None,
            },
        ];
        assert_eq!(read_one.groups, groups);
        let wrong = format!("{:#}", read(&oidc.replace("auditor", "boss")).unwrap_err());
        assert!(
            wrong.contains("oidc.groups") && wrong.contains("\"boss\""),
            "{wrong}"
        );
        let nowhere = read("[oidc]\nclient_id = \"catwalk\"")
            .unwrap_err()
            .to_string();
        assert_eq!(nowhere, "oidc.issuer is missing");
        let never = format!("{:#}", read("[oidc]\ntokens_days = 0").unwrap_err());
        assert!(never.contains("oidc.tokens_days = 0"), "{never}");
    }
}
