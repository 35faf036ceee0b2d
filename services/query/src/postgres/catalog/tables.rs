//! The tables of `pg_catalog`.

use arrow::datatypes::DataType;

use super::made::Made;
use super::{DATABASE, Relation};
use crate::postgres::kind::Kind;

/// Numbers of schemas.
const CATALOG_SCHEMA: i64 = 11;
const PUBLIC_SCHEMA: i64 = 2_200;
const QUERIES_SCHEMA: i64 = 2_201;
const INFORMATION_SCHEMA: i64 = 13_000;

pub(super) fn namespaces() -> Made {
    Made::default()
        .int(
            "oid",
            [
                CATALOG_SCHEMA,
                PUBLIC_SCHEMA,
                QUERIES_SCHEMA,
                INFORMATION_SCHEMA,
            ],
        )
        .text(
            "nspname",
            ["pg_catalog", "public", "catwalk", "information_schema"],
        )
        .all("nspowner=10 nspacl=null")
}

pub(super) fn classes(relations: &[Relation]) -> Made {
    let all = || relations.iter();
    Made::default()
        .int("oid", all().map(|one| one.oid.into()))
        .text("relname", all().map(|one| &*one.name))
        .text(
            "relkind",
            all().map(|one| if one.is_view() { "v" } else { "r" }),
        )
        .int(
            "relnatts",
            all().map(|one| i64::try_from(one.columns.len()).unwrap_or_default()),
        )
        .all("relnamespace=2200 reltype=0 reloftype=0 relowner=10 relam=2 relfilenode=0 \
             reltablespace=0 relpages=0 reltuples=-1 relallvisible=0 reltoastrelid=0 relhasindex=false \
             relisshared=false relpersistence='p' relchecks=0 relhasrules=false relhastriggers=false \
             relhassubclass=false relrowsecurity=false relforcerowsecurity=false relispopulated=true \
             relreplident='n' relispartition=false relrewrite=0 relfrozenxid=0 relminmxid=0 relacl=null \
             reloptions=nolist relpartbound=null relhasoids=false")
}

pub(super) fn attributes(relations: &[Relation]) -> Made {
    let all = || {
        relations.iter().flat_map(|one| {
            (1i64..)
                .zip(&one.columns)
                .map(move |(place, column)| (one, place, column))
        })
    };
    Made::default()
        .int("attrelid", all().map(|(one, ..)| one.oid.into()))
        .text("attname", all().map(|(.., column)| &*column.name))
        .int(
            "atttypid",
            all().map(|(.., column)| column.kind.oid().into()),
        )
        .int(
            "attlen",
            all().map(|(.., column)| column.kind.length().into()),
        )
        .int("attnum", all().map(|(_, place, _)| place))
        .flag("attnotnull", all().map(|(.., column)| !column.is_nullable))
        .int(
            "attndims",
            all().map(|(.., column)| column.kind.is_list.into()),
        )
        .all("atttypmod=-1 attstattarget=-1 attcacheoff=-1 attbyval=false attstorage='p' attalign='i' \
             attcompression='' atthasdef=false atthasmissing=false attidentity='' attgenerated='' \
             attisdropped=false attislocal=true attinhcount=0 attcollation=0 attacl=null \
             attoptions=nolist attfdwoptions=null attmissingval=null")
}

pub(super) fn types() -> Made {
    let rows: Vec<(i64, String, i64, i64, i64, &str)> = Kind::ALL
        .iter()
        .flat_map(|kind| {
            let (oid, list, length, name, _) = kind.facts();
            let (oid, list) = (i64::from(oid), i64::from(list));
            [
                (oid, name.to_owned(), length.into(), 0, list, "N"),
                (list, format!("_{name}"), -1, oid, 0, "A"),
            ]
        })
        .chain([
            (705, "unknown".to_owned(), -2, 0, 0, "X"),
            (1043, "varchar".to_owned(), -1, 0, 0, "S"),
            (26, "oid".to_owned(), 4, 0, 0, "N"),
            (114, "json".to_owned(), -1, 0, 0, "U"),
        ])
        .collect();
    let all = || rows.iter();
    Made::default()
        .int("oid", all().map(|row| row.0))
        .text("typname", all().map(|row| &*row.1))
        .int("typlen", all().map(|row| row.2))
        .int("typelem", all().map(|row| row.3))
        .int("typarray", all().map(|row| row.4))
        .text("typcategory", all().map(|row| row.5))
        .text(
            "typinput",
            all().map(|row| {
                if row.3 == 0 {
                    format!("{}in", row.1)
                } else {
                    "array_in".to_owned()
                }
            }),
        )
        .text(
            "typreceive",
            all().map(|row| {
                if row.3 == 0 {
                    format!("{}recv", row.1)
                } else {
                    "array_recv".to_owned()
                }
            }),
        )
        .all(
            "typnamespace=11 typowner=10 typbyval=false typtype='b' typispreferred=false \
             typisdefined=true typdelim=',' typrelid=0 typsubscript='-' typoutput='-' typsend='-' \
             typnotnull=false typbasetype=0 typtypmod=-1 typndims=0 typcollation=0 typdefault=null \
             typacl=null",
        )
}

pub(super) fn descriptions(relations: &[Relation]) -> Made {
    let rows: Vec<(i64, i64, String)> = relations
        .iter()
        .flat_map(|one| {
            let own = one
                .comment
                .clone()
                .map(|told| (i64::from(one.oid), 0, told));
            let columns = (1i64..).zip(&one.columns).filter_map(|(place, column)| {
                Some((i64::from(one.oid), place, column.comment.clone()?))
            });
            own.into_iter().chain(columns)
        })
        .collect();
    Made::default()
        .int("objoid", rows.iter().map(|row| row.0))
        .int("objsubid", rows.iter().map(|row| row.1))
        .text("description", rows.iter().map(|row| &*row.2))
        .all("classoid=1259")
}

pub(super) fn databases() -> Made {
    Made::default()
        .int("oid", [1])
        .text("datname", [DATABASE])
        .all("datdba=10 encoding=6 datlocprovider='c' datistemplate=false datallowconn=true \
             datconnlimit=-1 dattablespace=0 datcollate='C' datctype='C' daticulocale=null datacl=nolist")
}

pub(super) fn roles(user: &str) -> Made {
    Made::default()
        .int("oid", [10])
        .text("rolname", [user])
        .all("rolsuper=false rolinherit=true rolcreaterole=false rolcreatedb=false rolcanlogin=true \
             rolreplication=false rolbypassrls=false rolconnlimit=-1 rolpassword=null rolvaliduntil=null \
             rolconfig=null")
}

/// Columns that any of the tables has that never have rows.
pub(super) fn empty(table: &str) -> Made {
    let none = || std::iter::empty::<i64>();
    let of = |names: &'static str| {
        let names = names.split_whitespace();
        names.filter(|name| is_of(table, name))
    };
    let made = match table {
        // What types say of their functions are names here, and programs look for them by number.
        "pg_proc" => Made::default().maybe("oid", std::iter::empty()),
        _ => Made::default().int("oid", none()),
    };
    let made = of(NUMBERS).fold(made, |made, name| made.int(name, none()));
    let made = of(TEXTS).fold(made, |made, name| made.maybe(name, std::iter::empty()));
    let made = of(FLAGS).fold(made, |made, name| made.flag(name, std::iter::empty()));
    let made = of(NUMBER_LISTS).fold(made, |made, name| made.lists(name, DataType::Int64));
    of("stxkind").fold(made, |made, name| made.lists(name, DataType::Utf8))
}

/// Columns of functions and of ranges are of their tables alone: programs join them without saying whose they are.
fn is_of(table: &str, column: &str) -> bool {
    let owner = [("pro", "pg_proc"), ("rng", "pg_range")]
        .into_iter()
        .find(|(begin, _)| column.starts_with(begin))
        .map(|(_, owner)| owner);
    match owner {
        Some(owner) => owner == table,
        None => table != "pg_proc" && table != "pg_range",
    }
}

const NUMBER_LISTS: &str = "conkey confkey stxkeys";

const NUMBERS: &str = "adrelid adnum indexrelid indrelid indnatts indnkeyatts inhrelid inhparent inhseqno conrelid \
    connamespace confrelid conindid conparentid contypid tgrelid tgconstraint polrelid stxrelid \
    stxnamespace enumtypid enumsortorder rngtypid rngsubtype pronamespace prorettype pronargs \
    proowner prolang ftrelid ftserver partrelid ev_class classid objid objsubid refclassid refobjid \
    prrelid prpubid pnpubid pnnspid roleid member grantor seqrelid seqtypid objoid classoid \
    collnamespace extnamespace oprnamespace opcmethod spcowner castsource casttarget srvowner srvfdw \
    tgparentid stxstattarget n_live_tup rngmultitypid";

const TEXTS: &str = "adbin conname contype tgname polname polcmd polqual polwithcheck stxname enumlabel proname \
    prosrc prokind rulename deptype pubname collname extname extversion lanname spcname srvname \
    description oprname opcname evtname schemaname matviewname sequencename definition confupdtype \
    confdeltype confmatchtype tgenabled ftoptions srvoptions fdwname indoption indclass indcollation \
    indkey indexprs indpred partstrat polroles relname ev_type ev_enabled \
    proargtypes provolatile prqual prattrs aggkind aggfnoid collprovider collcollate collctype";

const FLAGS: &str = "indisunique indisprimary indisclustered indisvalid indisreplident indisexclusion \
    indnullsnotdistinct indisready indimmediate condeferrable condeferred convalidated connoinherit \
    conislocal tgisinternal polpermissive inhdetachpending puballtables pubinsert pubupdate \
    pubdelete pubtruncate pubviaroot proisstrict proretset is_instead collisdeterministic opcdefault";
