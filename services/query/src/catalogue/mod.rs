//! What somebody may see of the archive: which tables and columns, of which properties and days, and whether patrons
//! by their ids or by other names.
//!
//! What is hidden is not there: no catalogue lists it, and no error names it. Where rows or values are hidden, the
//! scan ends in a node ([`seen`]) that no condition and no expression of a question passes, so that none of them is
//! ever worked out on what its asker may not see.

mod mask;
mod seen;

use std::collections::BTreeSet;
use std::sync::Arc;

use catwalk_archive::Table;
use catwalk_web::{Caller, Days, Pseudonyms, Role};
use datafusion::catalog::TableProvider;

use self::mask::MASKS;
use self::seen::Seen;

/// The column that says of which casino a row is.
const PROPERTY: &str = "property";

/// Whether a role sees patrons by their ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Patrons {
    Never,
    /// For a case that is open.
    ForCase,
    Always,
}

/// What a role may ask about.
struct Right {
    role: Role,
    patrons: Patrons,
    /// Tables, and columns as `table.column`.
    hidden: &'static [&'static str],
}

/// Whoever has several roles sees what any of them sees.
const RIGHTS: [Right; 6] = [
    Right {
        role: Role::Surveillance,
        patrons: Patrons::Always,
        hidden: &["access", "cases"],
    },
    Right {
        role: Role::SurveillanceSupervisor,
        patrons: Patrons::Always,
        hidden: &["access", "cases"],
    },
    Right {
        role: Role::SurveillanceDirector,
        patrons: Patrons::Always,
        hidden: &["access"],
    },
    Right {
        role: Role::Investigator,
        patrons: Patrons::ForCase,
        hidden: &["access"],
    },
    // Who reconciles needs no patron, and nothing of what surveillance says of one.
    Right {
        role: Role::Auditor,
        patrons: Patrons::Never,
        hidden: &[
            "access",
            "cases",
            "log_entries",
            "quarantine",
            "incidents.video",
            "dispositions.video",
        ],
    },
    // Who oversees everybody else alone reads who has asked what.
    Right {
        role: Role::Regulator,
        patrons: Patrons::ForCase,
        hidden: &[],
    },
];

/// What somebody may see of the archive.
#[derive(Clone, Debug)]
pub struct Catalogue {
    /// Tables, and columns as `table.column`.
    hidden: BTreeSet<&'static str>,
    /// How patrons are called; by their ids if there is nothing here.
    pseudonyms: Option<Pseudonyms>,
    properties: Option<Vec<String>>,
    days: Days,
}

impl Catalogue {
    /// All that there is: for whoever has the files.
    pub fn everything() -> Catalogue {
        Catalogue {
            hidden: BTreeSet::new(),
            pseudonyms: None,
            properties: None,
            days: Days::default(),
        }
    }

    /// What a caller sees, with a case that is open or without one.
    pub fn of(caller: &Caller, has_case: bool, pseudonyms: &Pseudonyms) -> Catalogue {
        let rights = || rights(caller);
        let patrons = rights().map(|right| right.patrons).max();
        let by_id = match patrons {
            Some(Patrons::Always) => true,
            Some(Patrons::ForCase) => has_case,
            Some(Patrons::Never) | None => false,
        };
        let mut all = rights().map(|right| right.hidden.iter().copied().collect::<BTreeSet<_>>());
        let first = all.next();
        let hidden = all.fold(first.unwrap_or_default(), |both, one| &both & &one);
        let hidden = match patrons {
            None => catwalk_archive::TABLES.map(|table| table.name).into(),
            Some(_) => hidden,
        };
        Catalogue {
            hidden,
            pseudonyms: (!by_id).then(|| pseudonyms.clone()),
            properties: caller.properties.clone(),
            days: caller.days,
        }
    }

    /// Whether nothing at all is hidden.
    pub(crate) fn is_everything(&self) -> bool {
        let shows_rows = self.properties.is_none() && self.days.is_all();
        shows_rows && self.hidden.is_empty() && self.pseudonyms.is_none()
    }

    /// Whether patrons are shown by their ids.
    pub(crate) fn names_patrons(&self) -> bool {
        self.pseudonyms.is_none()
    }

    /// Whether patrons would be shown by their ids if a case were open.
    pub(crate) fn wants_case(caller: &Caller) -> bool {
        rights(caller).map(|right| right.patrons).max() == Some(Patrons::ForCase)
    }

    /// Whether a table is among what may be asked about.
    pub(crate) fn has(&self, table: &Table) -> bool {
        let of_some =
            self.properties.is_none() || table.columns.iter().any(|column| column.name == PROPERTY);
        of_some && !self.hidden.contains(table.name)
    }

    /// A table as it may be seen; the very same if nothing of it is hidden.
    pub(crate) fn seen(
        &self,
        table: &'static Table,
        all: Arc<dyn TableProvider>,
    ) -> Arc<dyn TableProvider> {
        let is_hidden = |column: &str| {
            let mut of_table = self.hidden.iter().filter_map(|name| name.split_once('.'));
            of_table.any(|(of, name)| of == table.name && name == column)
        };
        let schema = all.schema();
        let names = schema.fields().iter().map(|field| field.name().as_str());
        let columns: Vec<usize> = (0..)
            .zip(names)
            .filter_map(|(place, name)| (!is_hidden(name)).then_some(place))
            .collect();
        let masks = MASKS.iter().filter(|mask| mask.table == table.name);
        let masks = match &self.pseudonyms {
            Some(pseudonyms) => masks.map(|mask| (mask, pseudonyms.clone())).collect(),
            None => Vec::new(),
        };
        let is_whole = columns.len() == schema.fields().len() && masks.is_empty();
        if is_whole && self.properties.is_none() && self.days.is_all() {
            return all;
        }
        Arc::new(Seen::new(
            all,
            columns,
            masks,
            self.properties.clone(),
            self.days,
        ))
    }
}

fn rights(caller: &Caller) -> impl Iterator<Item = &'static Right> {
    RIGHTS
        .iter()
        .filter(|right| caller.roles.contains(&right.role))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn caller(roles: &[Role]) -> Caller {
        Caller {
            id: "anna".to_owned(),
            name: "Anna".to_owned(),
            roles: roles.iter().copied().collect(),
            properties: None,
            days: Days::default(),
            station: "10.0.0.7".to_owned(),
        }
    }

    fn hidden(roles: &[Role], has_case: bool) -> Vec<&'static str> {
        let names = Pseudonyms::passing().unwrap();
        let catalogue = Catalogue::of(&caller(roles), has_case, &names);
        let tables = catwalk_archive::TABLES.into_iter();
        tables
            .filter(|table| !catalogue.has(table))
            .map(|table| table.name)
            .collect()
    }

    #[test]
    fn each_role_has_its_tables_and_who_has_two_has_those_of_both() {
        assert_eq!(hidden(&[Role::Regulator], true), [""; 0]);
        assert_eq!(hidden(&[Role::Investigator], true), ["access"]);
        assert_eq!(hidden(&[Role::Surveillance], false), ["cases", "access"]);
        let auditor = hidden(&[Role::Auditor], true);
        assert_eq!(auditor, ["log_entries", "quarantine", "cases", "access"]);
        let both = hidden(&[Role::Auditor, Role::Surveillance], false);
        assert_eq!(both, ["cases", "access"]);
        assert_eq!(
            hidden(&[Role::Operator], true).len(),
            catwalk_archive::TABLES.len()
        );
        assert_eq!(hidden(&[], true).len(), catwalk_archive::TABLES.len());
    }

    #[test]
    fn what_is_named_as_hidden_or_masked_is_there() {
        let named = RIGHTS.iter().flat_map(|right| right.hidden);
        let masked = MASKS.iter().map(|mask| (mask.table, Some(mask.column)));
        let named = named.map(|name| match name.split_once('.') {
            Some((table, column)) => (table, Some(column)),
            None => (*name, None),
        });
        for (table, column) in named.chain(masked) {
            let table = Table::named(table).unwrap_or_else(|| panic!("no table {table}"));
            let known = |name| table.columns.iter().any(|column| column.name == name);
            assert!(column.is_none_or(known), "{}.{column:?}", table.name);
        }
    }

    /// Whoever adds a column says here what it tells of patrons.
    #[test]
    fn every_column_that_may_name_a_patron_is_masked_or_hidden() {
        for table in catwalk_archive::TABLES {
            for column in table.columns {
                let meaning = column.meaning.to_ascii_lowercase();
                let tells = column.name.contains("player")
                    || column.name.contains("patron")
                    || meaning.contains("json object")
                    || meaning.contains("in a sentence");
                let full = format!("{}.{}", table.name, column.name);
                let is_masked = MASKS
                    .iter()
                    .any(|mask| mask.table == table.name && mask.column == column.name);
                let names_none = mask::WITHOUT_ANY.contains(&full.as_str());
                assert!(!tells || is_masked || names_none, "{full}");
            }
        }
    }
}
