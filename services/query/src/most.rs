//! How large an answer may be that goes out by a door, whoever asks and in whatever role.

use std::collections::BTreeMap;

use catwalk_web::{Caller, Role};

/// How large an answer may be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Most {
    pub rows: usize,
    /// Of its values, before they are written in some form.
    pub bytes: usize,
    /// Rows for roles that may have more than others, or less. Who has several roles has the most of them.
    pub rows_of: BTreeMap<Role, usize>,
}

impl Default for Most {
    fn default() -> Most {
        Most {
            rows: 50_000_000,
            bytes: 16 << 30,
            rows_of: BTreeMap::new(),
        }
    }
}

impl Most {
    pub(crate) fn rows_for(&self, caller: &Caller) -> usize {
        let of_role = |role| self.rows_of.get(role).copied().unwrap_or(self.rows);
        caller.roles.iter().map(of_role).max().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use catwalk_web::Days;

    use super::*;

    #[test]
    fn who_has_several_roles_has_the_most_of_them() {
        let most = Most {
            rows: 100,
            rows_of: [(Role::Surveillance, 10), (Role::Regulator, 1_000)].into(),
            ..Most::default()
        };
        let rows_for = |roles: &[Role]| {
            most.rows_for(&Caller {
                id: "anna".to_owned(),
                name: "Anna".to_owned(),
                roles: roles.iter().copied().collect(),
                properties: None,
                days: Days::default(),
                station: "10.0.0.7".to_owned(),
            })
        };
        assert_eq!(rows_for(&[Role::Surveillance]), 10);
        assert_eq!(rows_for(&[Role::Auditor]), 100);
        assert_eq!(rows_for(&[Role::Surveillance, Role::Auditor]), 100);
        assert_eq!(rows_for(&[Role::Auditor, Role::Regulator]), 1_000);
        assert_eq!(rows_for(&[]), 0);
    }
}
