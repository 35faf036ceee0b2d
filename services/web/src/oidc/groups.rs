//! What the groups of a provider are allowed here.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use super::Refused;
use crate::{Days, Role, Scope};

/// What a group of the provider is allowed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    /// As the provider calls it.
    pub group: String,
    pub roles: BTreeSet<Role>,
    /// What may be seen of; `None`: all.
    pub properties: Option<BTreeSet<String>>,
}

/// What somebody in these groups is allowed: the roles of all of them, for the properties that each of the roles was
/// given for.
pub(super) fn scope(known: &[Group], groups: &[String]) -> Result<Scope, Refused> {
    let mut of_roles: BTreeMap<Role, Option<BTreeSet<String>>> = BTreeMap::new();
    for known in known.iter().filter(|known| groups.contains(&known.group)) {
        for role in &known.roles {
            let properties = of_roles
                .entry(*role)
                .or_insert_with(|| Some(BTreeSet::new()));
            match (&known.properties, properties) {
                (Some(more), Some(properties)) => properties.extend(more.iter().cloned()),
                (None, properties) => *properties = None,
                (Some(_), None) => {}
            }
        }
    }
    if of_roles.is_empty() {
        return Err(Refused("none of your groups has a role here".to_owned()));
    }
    let mut properties: Option<BTreeSet<String>> = None;
    for of_role in of_roles.values().flatten() {
        properties = Some(match properties {
            None => of_role.clone(),
            Some(both) => both.intersection(of_role).cloned().collect(),
        });
    }
    if properties.as_ref().is_some_and(BTreeSet::is_empty) {
        let why =
            "your groups have different roles for different properties: they have none in common";
        return Err(Refused(why.to_owned()));
    }
    Ok(Scope {
        roles: of_roles.into_keys().collect(),
        properties,
        days: Days::default(),
    })
}

/// The groups that a claim names: a list of texts, or one.
pub(super) fn named(claims: &Map<String, Value>, claim: &str) -> Option<Vec<String>> {
    match found(claims, claim)? {
        Value::String(one) => Some(vec![one.clone()]),
        Value::Array(several) => several
            .iter()
            .map(|one| Some(one.as_str()?.to_owned()))
            .collect(),
        _ => None,
    }
}

/// A claim by its name, or by its way through others with points between.
pub(super) fn found<'a>(claims: &'a Map<String, Value>, claim: &str) -> Option<&'a Value> {
    if let Some(value) = claims.get(claim) {
        return Some(value);
    }
    let (first, rest) = claim.split_once('.')?;
    found(claims.get(first)?.as_object()?, rest)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn group(name: &str, roles: &[Role], properties: Option<&[&str]>) -> Group {
        Group {
            group: name.to_owned(),
            roles: roles.iter().copied().collect(),
            properties: properties.map(|all| all.iter().map(|&one| one.to_owned()).collect()),
        }
    }

    fn allowed(groups: &[&str]) -> Result<(Vec<Role>, Option<Vec<String>>), String> {
        let known = [
            group("ieb", &[Role::Investigator], Some(&["ebh"])),
            group("ieb-west", &[Role::Investigator], Some(&["mgm"])),
            group("audit", &[Role::Auditor], None),
            group("audit-west", &[Role::Auditor], Some(&["mgm"])),
        ];
        let groups: Vec<String> = groups.iter().map(|&group| group.to_owned()).collect();
        let scope = scope(&known, &groups).map_err(|refused| refused.0)?;
        let properties = scope.properties.map(|all| all.into_iter().collect());
        Ok((scope.roles.into_iter().collect(), properties))
    }

    #[test]
    fn several_groups_never_allow_more_than_each_role_was_given_for() {
        let (ebh, mgm) = ("ebh".to_owned(), "mgm".to_owned());
        let investigator = vec![Role::Investigator];
        let both = vec![Role::Investigator, Role::Auditor];
        assert_eq!(
            allowed(&["ieb", "cooks"]),
            Ok((investigator.clone(), Some(vec![ebh.clone()])))
        );
        assert_eq!(
            allowed(&["ieb", "ieb-west"]),
            Ok((investigator, Some(vec![ebh.clone(), mgm])))
        );
        assert_eq!(allowed(&["ieb", "audit"]), Ok((both, Some(vec![ebh]))));
        assert_eq!(
            allowed(&["audit", "audit-west"]),
            Ok((vec![Role::Auditor], None))
        );
        assert!(allowed(&["ieb", "audit-west"]).is_err());
        assert!(allowed(&["cooks"]).is_err() && allowed(&[]).is_err());
    }

    #[test]
    fn groups_are_found_by_name_or_by_way() {
        let claims = json!({
            "groups": ["a", "b"], "one": "c", "realm_access": {"roles": ["d"]},
            "https://house.example/groups": ["e"], "odd": [1], "none": null,
        });
        let claims = claims.as_object().unwrap();
        let named = |claim| named(claims, claim);
        let list = |all: &[&str]| Some(all.iter().map(|&one| one.to_owned()).collect());
        assert_eq!(named("groups"), list(&["a", "b"]));
        assert_eq!(named("one"), list(&["c"]));
        assert_eq!(named("realm_access.roles"), list(&["d"]));
        assert_eq!(named("https://house.example/groups"), list(&["e"]));
        assert_eq!(
            (named("odd"), named("none"), named("no.way")),
            (None, None, None)
        );
    }
}
