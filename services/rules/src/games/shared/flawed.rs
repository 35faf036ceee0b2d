//! Rounds made from a lawful one by changing a few of its places, for the tests of a family.

use serde_json::Value;

/// Cards written with spaces between them.
pub(crate) fn cards(text: &str) -> Value {
    text.split_whitespace().collect()
}

/// The document with some of its places overwritten. Keys that are not there are added, and the
/// last step `-` adds to a list.
pub(crate) fn changed(mut document: Value, changes: &[(&str, Value)]) -> Value {
    for (place, value) in changes {
        let (parent, key) = parent_of(&mut document, place);
        match parent {
            Value::Array(list) if key == "-" => list.push(value.clone()),
            Value::Array(list) => list[key.parse::<usize>().unwrap()] = value.clone(),
            object => object[key] = value.clone(),
        }
    }
    document
}

/// The document without the key or the entry at a place.
pub(crate) fn removed(mut document: Value, place: &str) -> Value {
    let (parent, key) = parent_of(&mut document, place);
    match parent {
        Value::Array(list) => drop(list.remove(key.parse().unwrap())),
        object => drop(object.as_object_mut().unwrap().remove(key)),
    }
    document
}

fn parent_of<'a, 'b>(document: &'a mut Value, place: &'b str) -> (&'a mut Value, &'b str) {
    let (parent, key) = place.rsplit_once('/').unwrap();
    (document.pointer_mut(parent).expect(place), key)
}
