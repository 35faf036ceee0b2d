//! What a destination is told.

use catwalk_events::Timestamp;
use catwalk_events::audit::Incident;
use serde_json::{Value, json};

/// One delivery.
#[derive(Clone, Debug)]
pub(crate) struct Letter {
    /// Of an incident its id and revision: whoever gets it twice knows that by it. It has no full stop in it, which
    /// separates it from what is signed with it.
    pub(crate) id: String,
    pub(crate) at: Timestamp,
    pub(crate) what: What,
}

#[derive(Clone, Debug)]
pub(crate) enum What {
    Incident(Box<News>),
    /// That we are there: whoever misses it knows that nobody would tell him.
    Heartbeat {
        every_seconds: u64,
    },
    Test,
}

/// What has become of an incident.
#[derive(Clone, Debug)]
pub(crate) struct News {
    pub(crate) why: Why,
    pub(crate) incident: Incident,
    /// As the API shows it.
    pub(crate) shown: Value,
    /// The priority that was told before.
    pub(crate) before: Option<u32>,
}

/// Why an incident is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Why {
    Opened,
    Raised,
    Escalated,
    Acknowledged,
    Closed,
}

impl Why {
    pub(crate) fn word(self) -> &'static str {
        match self {
            Why::Opened => "opened",
            Why::Raised => "raised",
            Why::Escalated => "escalated",
            Why::Acknowledged => "acknowledged",
            Why::Closed => "closed",
        }
    }
}

impl Letter {
    pub(crate) fn new(at: Timestamp, what: What) -> Letter {
        let id = match &what {
            What::Incident(news) => format!("{}-{}", news.incident.id, news.incident.revision),
            What::Heartbeat { .. } => format!("heartbeat-{}", at.micros()),
            What::Test => format!("test-{}", at.micros()),
        };
        Letter { id, at, what }
    }

    /// What kind of letter it is, as programs read it.
    pub(crate) fn kind(&self) -> String {
        match &self.what {
            What::Incident(news) => format!("incident.{}", news.why.word()),
            What::Heartbeat { .. } => "heartbeat".to_owned(),
            What::Test => "test".to_owned(),
        }
    }

    pub(crate) fn priority(&self) -> u32 {
        match &self.what {
            What::Incident(news) => news.incident.priority,
            What::Heartbeat { .. } | What::Test => 4,
        }
    }

    /// In one line, without signs that control anything.
    pub(crate) fn headline(&self) -> String {
        let line = match &self.what {
            What::Incident(news) => {
                let one = &news.incident;
                let (why, table) = (news.why.word(), &one.table);
                format!("p{} {why} {table}: {}", one.priority, one.headline)
            }
            What::Heartbeat { .. } => "the surveillance desk is at work".to_owned(),
            What::Test => "a test of this destination: nothing has happened".to_owned(),
        };
        let line: String = line
            .chars()
            .map(|sign| if sign.is_control() { ' ' } else { sign })
            .collect();
        line.chars().take(400).collect()
    }

    /// The same as JSON: `type`, `timestamp`, `data`.
    pub(crate) fn json(&self) -> Value {
        let data = match &self.what {
            What::Incident(news) => news.shown.clone(),
            What::Heartbeat { every_seconds } => json!({"next_within_seconds": every_seconds}),
            What::Test => json!({"about": self.headline()}),
        };
        json!({"type": self.kind(), "id": self.id, "timestamp": self.at.to_string(), "data": data})
    }

    /// The same for a person, some lines.
    pub(crate) fn text(&self) -> String {
        let mut text = format!("{}\r\n\r\n", self.headline());
        if let What::Incident(news) = &self.what {
            let one = &news.incident;
            let link = news.shown["camera"]["url"].as_str();
            for (name, value) in [
                ("incident", Some(one.id.as_str())),
                ("property", Some(&*one.property)),
                ("table", Some(&*one.table)),
                ("game", one.game.as_deref()),
                ("round", one.round.as_deref()),
                ("dealer", one.dealer.as_deref()),
                ("rules", Some(&*one.cites.join("; "))),
                ("began", Some(&*one.began.to_string())),
                ("house lost", Some(&*one.exposure_cents.to_string())),
                ("at stake", Some(&*one.at_stake_cents.to_string())),
                ("held by", one.held_by.as_deref()),
                ("status", Some(&*one.status)),
                ("recording", link),
            ] {
                if let Some(value) = value.filter(|value| !value.is_empty()) {
                    text.push_str(&format!("{name}: {value}\r\n"));
                }
            }
        }
        text.push_str(&format!("\r\ndelivery {}\r\n", self.id));
        text
    }
}
