//! Others who have seen heads: time stamps, and a witness.

use std::path::Path;
use std::{fs, process};

use catwalk_archive::{read_key, rotate};
use catwalk_proof::{Checkpoint, Folder, Note};

use crate::altered::parts;
use crate::{catwalk, copy, house, round};

/// A time stamp authority as `openssl` makes one, and its answer to a question.
const AUTHORITY: &str = r#"
[req]
distinguished_name = name
x509_extensions = v3
prompt = no
[name]
CN = Time stamps
[v3]
extendedKeyUsage = critical,timeStamping
[tsa]
default_tsa = here
[here]
serial = serial
default_policy = 1.2.3.4.1
digests = sha256
accuracy = secs:1
signer_digest = sha256
ess_cert_id_alg = sha256
"#;

/// Runs `openssl` in a folder: whether it was content, and what it said.
fn openssl(away: &Path, args: &str) -> (bool, String) {
    let mut command = process::Command::new("openssl");
    let ran = command
        .args(args.split(' '))
        .current_dir(away)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&[ran.stdout, ran.stderr].concat()).into_owned();
    (ran.status.success(), said)
}

/// An authority stamps the file `heads`.
fn stamp_heads(away: &Path) {
    fs::write(away.join("tsa.conf"), AUTHORITY).unwrap();
    for step in [
        "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -config tsa.conf -keyout tsa.key \
         -out tsa.pem",
        "ts -query -data heads -sha256 -cert -out heads.tsq",
        "ts -reply -config tsa.conf -queryfile heads.tsq -signer tsa.pem -inkey tsa.key -out heads.tsr",
    ] {
        let (done, said) = openssl(away, step);
        assert!(done, "{step}: {said}");
    }
}

#[test]
fn the_heads_of_a_gaming_day_are_stamped_by_openssl_and_evidence_carries_the_stamp() {
    let away = tempfile::tempdir().unwrap();
    let away = away.path();
    copy(&house().join("archive"), &away.join("archive"));
    fs::copy(house().join("archive.key"), away.join("archive.key")).unwrap();
    // As the archiver keeps them at the end of a day.
    let heads = catwalk(away, &["proof", "head", "--archive", "archive"]).1;
    fs::create_dir_all(away.join("archive/_proof/days")).unwrap();
    fs::write(away.join("archive/_proof/days/2026-11-15"), &heads).unwrap();
    let args = [
        "proof",
        "head",
        "--day",
        "2026-11-15",
        "--archive",
        "archive",
    ];
    let (status, told, _) = catwalk(away, &args);
    assert_eq!((status, &told), (0, &heads));
    fs::write(away.join("heads"), told).unwrap();
    stamp_heads(away);
    let stamp = [
        "proof",
        "stamp",
        "2026-11-15",
        "heads.tsr",
        "--archive",
        "archive",
    ];
    let (status, _, errors) = catwalk(away, &stamp);
    assert_eq!(status, 0, "{errors}");
    let wrong = [
        "proof",
        "stamp",
        "2026-11-15",
        "tsa.pem",
        "--archive",
        "archive",
    ];
    let (status, _, errors) = catwalk(away, &wrong);
    assert!(
        status == 1 && errors.contains("not of the heads of 2026-11-15"),
        "{errors}"
    );
    let round = round();
    let evidence = ["evidence", &round, "-o", "b.zip", "--archive", "archive"];
    let (status, told, errors) = catwalk(away, &evidence);
    assert_eq!(status, 0, "{told}{errors}");
    for (name, bytes) in parts(&fs::read(away.join("b.zip")).unwrap()).unwrap() {
        if let Some(name) = name.strip_prefix("stamps/") {
            fs::write(away.join(format!("from-{name}")), bytes).unwrap();
        }
    }
    let check = "ts -verify -data from-2026-11-15 -in from-2026-11-15.tsr -CAfile tsa.pem";
    let (holds, said) = openssl(away, check);
    assert!(holds, "{said}");
    fs::write(away.join("from-2026-11-15"), heads.replace('\n', "\n\n")).unwrap();
    assert!(!openssl(away, check).0, "other heads have the stamp");
    let (status, told, _) = catwalk(away, &["verify", "b.zip"]);
    assert_eq!(status, 0, "{told}");
    // Heads that a day has kept are held against the trees too.
    let (status, told, _) = catwalk(away, &["verify", "archive"]);
    assert!(status == 0, "{told}");
}

/// The house itself, with its own key, signs another history and a shorter one. Its true head is put back, and given.
fn house_lies(copied: &Path, look: &impl Fn() -> (i32, String, String)) -> Checkpoint {
    let path = copied.join("000/checkpoint");
    let honest = fs::read_to_string(&path).unwrap();
    let head = Checkpoint::read(Note::read(&honest).unwrap().text()).unwrap();
    let secret = read_key(&house().join("archive.key")).unwrap().unwrap();
    let secret = secret.named(&head.origin).unwrap();
    for (size, told) in [
        (head.size + 1, "history was changed"),
        (head.size - 1, "fewer than"),
    ] {
        let other = Checkpoint {
            size,
            root: catwalk_proof::tree::leaf(b"another history"),
            ..head.clone()
        };
        fs::write(&path, other.sign(&secret).unwrap().to_string()).unwrap();
        let (status, _, errors) = look();
        assert!(
            status == 1 && errors.contains("ALARM: tree 0") && errors.contains(told),
            "{errors}"
        );
    }
    fs::write(&path, honest).unwrap();
    head
}

#[test]
fn a_witness_cosigns_what_grows_and_alarms_at_another_history() {
    let away = tempfile::tempdir().unwrap();
    let trees = house().join("archive/_proof");
    let copied = away.path().join("trees");
    copy(&trees, &copied);
    let key = fs::read_to_string(house().join("house.vkey")).unwrap();
    let look = || {
        let args = [
            "witness",
            "trees",
            "--house",
            key.trim(),
            "--memory",
            "memory",
            "--once",
        ];
        catwalk(away.path(), &args)
    };
    let (status, told, errors) = look();
    assert!(status == 0 && told.lines().count() == 3, "{told}{errors}");
    let (status, told, _) = look();
    assert_eq!((status, &*told), (0, ""), "nothing is new");
    // What was cosigned is a head that the archive is held against.
    let last = away.path().join("memory/000/last");
    let (status, told, errors) = catwalk(
        house(),
        &["verify", "--head", last.to_str().unwrap(), "archive"],
    );
    assert!(
        status == 0 && told.contains("1 given heads"),
        "{told}{errors}"
    );
    let head = house_lies(&copied, &look);
    // A key that is handed on is followed.
    let (old, kept) = (away.path().join("key"), house().join("archive.key"));
    fs::copy(kept, &old).unwrap();
    let (_, new) = rotate(&Folder::new(&copied), &old).unwrap();
    let secret = read_key(&old)
        .unwrap()
        .unwrap()
        .named(&head.origin)
        .unwrap();
    assert_ne!(new, secret.verifying());
    let path = copied.join("000/checkpoint");
    fs::write(path, head.sign(&secret).unwrap().to_string()).unwrap();
    let (status, _, errors) = look();
    assert_eq!(status, 0, "{errors}");
    fs::remove_dir_all(copied.join("001")).unwrap();
    let (status, _, errors) = look();
    assert!(
        status == 1 && errors.contains("ALARM: tree 1 had a head"),
        "{errors}"
    );
}
