//! Those whom an act names, with the users of a house.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use catwalk_desk::{Room, Service, Settings, api};
use catwalk_web::{Actor, Days, Limits, Role, Scope, Server, UserSettings, Users, UsersFile};
use serde_json::{Value, json};

use crate::support::{Person, finding, formats, open, send};

/// The users of a house, and the token of each.
struct Staff {
    file: UsersFile,
    users: Users,
    actor: Actor,
}

impl Staff {
    fn new(folder: &Path) -> Staff {
        let path = folder.join("users.json");
        let settings = UserSettings {
            file: path.clone(),
            idle: Duration::from_secs(3_600),
            longest: Duration::from_secs(3_600),
            house: Value::Null,
            tell: |_| (),
            oidc: None,
        };
        Staff {
            file: UsersFile::at(path),
            users: Users::open(settings).unwrap(),
            actor: Actor {
                by: "a test".to_owned(),
                station: "here".to_owned(),
            },
        }
    }

    fn add(&self, id: &str, role: Role, property: Option<&str>) -> String {
        let scope = Scope {
            roles: [role].into(),
            properties: property.map(|property| [property.to_owned()].into()),
            days: Days::default(),
        };
        self.file.add(&self.actor, id, id, &scope, None).unwrap();
        let lifetime = Duration::from_secs(3_600);
        let made = self.file.make_token(&self.actor, id, &scope, lifetime);
        made.unwrap().key
    }
}

#[test]
fn nothing_is_given_to_nobody_and_reviewed_by_nobody() {
    let folder = tempfile::tempdir().unwrap();
    let log = open(&["folder", folder.path().join("log").to_str().unwrap()]);
    let staff = Staff::new(folder.path());
    let ann = staff.add("ann", Role::Surveillance, None);
    for (id, role, property) in [
        ("bob", Role::Surveillance, Some("ebh")),
        ("cid", Role::Surveillance, Some("other")),
        ("ida", Role::Investigator, None),
        ("olga", Role::Operator, None),
        ("gone", Role::SurveillanceSupervisor, None),
    ] {
        staff.add(id, role, property);
    }
    staff.file.revoke(&staff.actor, "gone").unwrap();
    let address = "127.0.0.1:0".parse().unwrap();
    let server = Server::bind_for(staff.users.clone(), address, None, Limits::default()).unwrap();
    let room = Room::open(Settings::default());
    let web = server.start(api::routes(room.clone())).unwrap();
    let stop = Arc::new(AtomicBool::new(false));
    let (of_desk, stops) = (log.clone(), stop.clone());
    let desk = thread::spawn(move || {
        let mut service = Service::join(of_desk, "one", formats(), room).unwrap();
        service.run(&formats(), &stops).unwrap();
    });
    let ann = Person::with_token(&web.address().to_string(), &ann);
    send(&*log, &[finding("wager.late", 1, 0, Some(1))]);
    let id = ann.wait_for(1)[0]["id"].as_str().unwrap().to_owned();

    let mut number = 0;
    let mut tried = |asked: Value, wanted: u16| {
        number += 1;
        let (status, told) = ann.act(&id, &format!("a-{number}"), asked.clone());
        assert_eq!(status, wanted, "{asked}: {told}");
        told["code"].clone()
    };
    tried(json!({"deed": "claim"}), 201);
    for nobody in ["bobb", "Bob", "cid", "ida", "olga", "gone", "clock"] {
        for deed in ["assign", "hand_over"] {
            let code = tried(json!({"deed": deed, "to": nobody}), 422);
            assert_eq!(code, "no_such_person", "{nobody}");
        }
    }
    let reviewed = |by: &str| json!({"deed": "dispose", "disposal": {"verdict": "false_alarm", "reviewer": by}});
    for nobody in ["eve", "Ann", "cid", "olga", "gone"] {
        assert_eq!(tried(reviewed(nobody), 422), "no_such_person", "{nobody}");
    }
    assert_eq!(tried(reviewed("ann"), 422), "reviewer");
    tried(reviewed("ida"), 201);
    tried(json!({"deed": "undo"}), 201);
    tried(json!({"deed": "hand_over", "to": "bob"}), 201);

    // Of several each is judged by itself, and nobody takes over a shift who is not there.
    let body = json!({"acts": [
        {"incident": id, "id": "s-1", "deed": "assign", "to": "nobody", "seen_acts": 4, "seen_findings": 1},
        {"incident": id, "id": "s-2", "deed": "acknowledge", "seen_acts": 4, "seen_findings": 1},
    ]});
    let (_, told) = ann.post("/acts", &body);
    assert_eq!(told["results"][0]["code"], "no_such_person", "{told}");
    assert_eq!(told["results"][1]["ok"], true, "{told}");
    let over = |to: &str| json!({"id": to, "kind": "hand_over", "property": "ebh", "to": to, "summary": "x"});
    assert_eq!(ann.post("/log", &over("cid")).0, 422);
    assert_eq!(ann.post("/log", &over("bob")).0, 201);
    stop.store(true, Ordering::Release);
    desk.join().unwrap();
}
