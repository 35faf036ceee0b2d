//! How the embedded log is written down. Numbers are big-endian, so that keys sort.
//!
//! | keyspace | key | value |
//! | --- | --- | --- |
//! | `meta` | `version` | the version of this layout, u8 |
//! | `meta` | `topic/` name | partitions, u32 |
//! | a topic's name | partition u32, offset u64 | timestamp i64, presence u8, length of the key u32, key, value |
//! | a compacted topic's name + `.keys` | partition u32, key | offset of the latest record, u64 |
//! | `offsets` | length of the group u16, group, partition u32, topic's name | offset to come next, u64 |

use crate::{Error, Message, Partition, Record, Result};

pub(super) const VERSION: u8 = 1;

const HAS_KEY: u8 = 1;
const HAS_VALUE: u8 = 2;
const HEADER_BYTES: usize = 8 + 1 + 4;

pub(super) fn record_key(index: u32, offset: u64) -> [u8; 12] {
    let mut key = [0; 12];
    key[..4].copy_from_slice(&index.to_be_bytes());
    key[4..].copy_from_slice(&offset.to_be_bytes());
    key
}

pub(super) fn latest_key(index: u32, key: &[u8]) -> Vec<u8> {
    [&index.to_be_bytes(), key].concat()
}

pub(super) fn offset_key(group: &str, partition: Partition) -> Vec<u8> {
    // `Store::join` refuses a group whose name is longer.
    let length = group.len() as u16;
    [
        &length.to_be_bytes(),
        group.as_bytes(),
        &partition.index.to_be_bytes(),
        partition.topic.name().as_bytes(),
    ]
    .concat()
}

pub(super) fn topic_key(name: &str) -> String {
    format!("topic/{name}")
}

pub(super) fn encode(message: &Message, timestamp_ms: i64) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(HEADER_BYTES + message.bytes());
    bytes.extend_from_slice(&timestamp_ms.to_be_bytes());
    bytes.push(
        HAS_KEY
            | if message.value.is_some() {
                HAS_VALUE
            } else {
                0
            },
    );
    // `Store::check` refuses a longer key.
    bytes.extend_from_slice(&(message.key.len() as u32).to_be_bytes());
    bytes.extend_from_slice(&message.key);
    bytes.extend_from_slice(message.value.as_deref().unwrap_or_default());
    bytes
}

pub(super) fn decode(partition: Partition, key: &[u8], bytes: &[u8]) -> Result<Record> {
    let corrupt = || Error::Corrupt {
        place: partition.to_string(),
        reason: format!("a record of {} bytes under {key:?}", bytes.len()),
    };
    let offset = key.get(4..).and_then(number).ok_or_else(corrupt)?;
    let (header, rest) = bytes.split_at_checked(HEADER_BYTES).ok_or_else(corrupt)?;
    let timestamp_ms = header.get(..8).and_then(number).ok_or_else(corrupt)? as i64;
    let presence = header[8];
    let key_bytes = short(&header[9..]).ok_or_else(corrupt)? as usize;
    let (key, value) = rest.split_at_checked(key_bytes).ok_or_else(corrupt)?;
    Ok(Record {
        partition,
        offset,
        key: (presence & HAS_KEY != 0).then(|| key.to_vec()),
        value: (presence & HAS_VALUE != 0).then(|| value.to_vec()),
        timestamp_ms,
    })
}

pub(super) fn number(bytes: &[u8]) -> Option<u64> {
    bytes.try_into().ok().map(u64::from_be_bytes)
}

pub(super) fn short(bytes: &[u8]) -> Option<u32> {
    bytes.try_into().ok().map(u32::from_be_bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Topic;

    #[test]
    fn a_record_is_read_as_it_was_written() {
        let partition = Topic::State.partition(3);
        for message in [
            Message::new(Topic::State, "BJ-07", "a snapshot"),
            Message::new(Topic::State, "", ""),
            Message::removal(Topic::State, "BJ-07"),
        ] {
            let bytes = encode(&message, -5);
            let record = decode(partition, &record_key(3, 9), &bytes).unwrap();
            let expected = Record {
                partition,
                offset: 9,
                key: Some(message.key),
                value: message.value,
                timestamp_ms: -5,
            };
            assert_eq!(record, expected);
        }
    }

    #[test]
    fn a_record_cut_short_is_an_error() {
        let bytes = encode(&Message::new(Topic::State, "BJ-07", ""), 0);
        for length in 0..bytes.len() {
            let cut = decode(
                Topic::State.partition(0),
                &record_key(0, 0),
                &bytes[..length],
            );
            assert!(matches!(cut, Err(Error::Corrupt { .. })), "{length}");
        }
    }
}
