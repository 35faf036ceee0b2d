//! How the embedded log is written down. Numbers are big-endian, so that keys sort.
//!
//! | keyspace | key | value |
//! | --- | --- | --- |
//! | `meta` | `version` | the version of this layout, u8 |
//! | `meta` | `batches` | how many batches were written since there are marks, u64 |
//! | `meta` | `topic/` name | partitions, u32 |
//! | `meta` | `unchecked/` name, partition u32 | the offset before which records have no checksum, u64 |
//! | `meta` | `hole/` name, partition u32, offset u64 | the offset up to which records are lost, u64 |
//! | a topic's name | partition u32, offset u64 | time i64, presence u8, key length u32, checksum u32, key, value |
//! | a compacted topic's name + `.keys` | partition u32, key | offset of the latest record, u64 |
//! | `offsets` | length of the group u16, group, partition u32, topic's name | offset to come next, u64 |
//!
//! Layout 1 had no checksums, batches, unchecked offsets or holes; it is read, and becomes layout 2 when it is opened.

use xxhash_rust::xxh3::xxh3_64;

use crate::{Error, Message, Partition, Record, Result};

pub(super) const VERSION: u8 = 2;
/// The layout before there were checksums.
pub(super) const UNCHECKED_VERSION: u8 = 1;

const HAS_KEY: u8 = 1;
const HAS_VALUE: u8 = 2;
const HAS_CHECKSUM: u8 = 4;
const HEADER_BYTES: usize = 8 + 1 + 4;
const CHECKSUM_BYTES: usize = 4;

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

pub(super) fn unchecked_key(partition: Partition) -> Vec<u8> {
    in_meta("unchecked/", partition)
}

pub(super) fn hole_key(partition: Partition, from: u64) -> Vec<u8> {
    [in_meta("hole/", partition), from.to_be_bytes().to_vec()].concat()
}

pub(super) fn in_meta(what: &str, partition: Partition) -> Vec<u8> {
    let name = partition.topic.name();
    [
        what.as_bytes(),
        name.as_bytes(),
        b"/",
        &partition.index.to_be_bytes(),
    ]
    .concat()
}

pub(super) fn encode(
    message: &Message,
    timestamp_ms: i64,
    partition: Partition,
    offset: u64,
) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(HEADER_BYTES + CHECKSUM_BYTES + message.bytes());
    bytes.extend_from_slice(&timestamp_ms.to_be_bytes());
    let value = if message.value.is_some() {
        HAS_VALUE
    } else {
        0
    };
    bytes.push(HAS_KEY | HAS_CHECKSUM | value);
    // `Store::check` refuses a longer key.
    bytes.extend_from_slice(&(message.key.len() as u32).to_be_bytes());
    bytes.extend_from_slice(&[0; CHECKSUM_BYTES]);
    bytes.extend_from_slice(&message.key);
    bytes.extend_from_slice(message.value.as_deref().unwrap_or_default());
    let checksum = checksum(partition, offset, &bytes);
    bytes[HEADER_BYTES..HEADER_BYTES + CHECKSUM_BYTES].copy_from_slice(&checksum);
    bytes
}

/// Reads a record. `checked` says that it was written with a checksum.
pub(super) fn decode(
    partition: Partition,
    key: &[u8],
    bytes: &[u8],
    checked: bool,
) -> Result<Record> {
    let damaged = || Error::Damaged {
        place: partition.to_string(),
        what: format!(
            "the record under {key:?}, of {} bytes, is not as it was written",
            bytes.len()
        ),
    };
    let offset = offset_of(key).ok_or_else(damaged)?;
    let (header, rest) = bytes.split_at_checked(HEADER_BYTES).ok_or_else(damaged)?;
    let timestamp_ms = header.get(..8).and_then(number).ok_or_else(damaged)? as i64;
    let presence = header[8];
    let has_checksum = presence & HAS_CHECKSUM != 0;
    if checked && !has_checksum {
        return Err(damaged());
    }
    let checksum_bytes = if has_checksum { CHECKSUM_BYTES } else { 0 };
    let (found, rest) = rest.split_at_checked(checksum_bytes).ok_or_else(damaged)?;
    if has_checksum {
        let mut bytes = bytes.to_vec();
        bytes[HEADER_BYTES..HEADER_BYTES + CHECKSUM_BYTES].fill(0);
        if found != checksum(partition, offset, &bytes) {
            return Err(damaged());
        }
    }
    let key_bytes = short(&header[9..]).ok_or_else(damaged)? as usize;
    let (key, value) = rest.split_at_checked(key_bytes).ok_or_else(damaged)?;
    Ok(Record {
        partition,
        offset,
        key: (presence & HAS_KEY != 0).then(|| key.to_vec()),
        value: (presence & HAS_VALUE != 0).then(|| value.to_vec()),
        timestamp_ms,
    })
}

/// Of a record with zeros in the place of its checksum, and of where it belongs.
fn checksum(partition: Partition, offset: u64, bytes: &[u8]) -> [u8; CHECKSUM_BYTES] {
    let content = xxh3_64(bytes);
    let place = xxh3_64(&in_meta("", partition));
    let all = [
        content.to_be_bytes(),
        place.to_be_bytes(),
        offset.to_be_bytes(),
    ]
    .concat();
    (xxh3_64(&all) as u32).to_be_bytes()
}

/// The offset in the key of a record.
pub(super) fn offset_of(key: &[u8]) -> Option<u64> {
    key.get(4..).and_then(number)
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
            let bytes = encode(&message, -5, partition, 9);
            let record = decode(partition, &record_key(3, 9), &bytes, true).unwrap();
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
    fn a_record_that_was_cut_changed_or_moved_is_an_error() {
        let partition = Topic::State.partition(0);
        let message = Message::new(Topic::State, "BJ-07", "a snapshot");
        let bytes = encode(&message, 0, partition, 9);
        let damaged = |offset: u64, bytes: &[u8]| {
            let read = decode(partition, &record_key(0, offset), bytes, true);
            matches!(read, Err(Error::Damaged { .. }))
        };
        for length in 0..bytes.len() {
            assert!(damaged(9, &bytes[..length]), "{length}");
        }
        for bit in 0..bytes.len() * 8 {
            let mut flipped = bytes.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            assert!(damaged(9, &flipped), "{bit}");
        }
        assert!(damaged(10, &bytes));
    }

    #[test]
    fn a_record_of_the_first_layout_is_read() {
        let mut bytes = vec![0; 8];
        bytes.extend([HAS_KEY | HAS_VALUE, 0, 0, 0, 5]);
        bytes.extend(b"BJ-07an event");
        let partition = Topic::FloorEvents.partition(0);
        let record = decode(partition, &record_key(0, 2), &bytes, false).unwrap();
        assert_eq!(record.value.as_deref(), Some(&b"an event"[..]));
        assert!(decode(partition, &record_key(0, 2), &bytes, true).is_err());
    }
}
