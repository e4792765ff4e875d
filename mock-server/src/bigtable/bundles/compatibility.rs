//! Whether new definitions of a bundle read what was written by its old ones.

use super::definitions::{Definitions, Field};

/// Returns what a change takes away from those who use the old definitions: a message, an enum, a
/// field or a value that is gone, or a field that has another type or name. `None` if it takes away
/// nothing.
pub(in crate::bigtable) fn incompatibility(old: &Definitions, new: &Definitions) -> Option<String> {
    for (name, fields) in &old.messages {
        let Some(now) = new.messages.get(name) else {
            return Some(format!("The message {name} is gone"));
        };
        for (number, field) in fields {
            match now.get(number) {
                None => return Some(format!("The field {} of {name} is gone", field.name)),
                Some(now) if !is_same(field, now) => {
                    return Some(format!(
                        "The field {} of {name} has another type or name",
                        field.name
                    ));
                }
                Some(_) => {}
            }
        }
    }
    for (name, values) in &old.enums {
        let Some(now) = new.enums.get(name) else {
            return Some(format!("The enum {name} is gone"));
        };
        if let Some((value, _)) =
            values.iter().find(|(value, number)| now.get(*value) != Some(number))
        {
            return Some(format!("The value {value} of {name} is gone, or has another number"));
        }
    }
    None
}

fn is_same(a: &Field, b: &Field) -> bool {
    (&a.name, a.label, a.r#type, &a.type_name) == (&b.name, b.label, b.r#type, &b.type_name)
}

#[cfg(test)]
mod tests {
    use super::super::definitions::tests::encoded;
    use super::*;

    #[test]
    fn what_takes_away_nothing_is_compatible() {
        let of = |fields: &[(&str, i32, i32)], values: &[&str]| {
            Definitions::read(&encoded(fields, values)).unwrap()
        };
        let old = of(&[("a", 1, 5), ("e", 2, 14)], &["X"]);
        assert_eq!(incompatibility(&old, &old), None);
        let more = of(&[("a", 1, 5), ("e", 2, 14), ("b", 3, 9)], &["X", "Y"]);
        assert_eq!(incompatibility(&old, &more), None);
        let without = Definitions { messages: Default::default(), ..old.clone() };
        for (new, why) in [
            (of(&[("e", 2, 14)], &["X"]), "The field a of .p.M is gone"),
            (
                of(&[("a", 1, 3), ("e", 2, 14)], &["X"]),
                "The field a of .p.M has another type or name",
            ),
            (
                of(&[("b", 1, 5), ("e", 2, 14)], &["X"]),
                "The field a of .p.M has another type or name",
            ),
            (of(&[("a", 1, 5), ("e", 2, 14)], &["Y"]), "The value X of .p.M.E is gone"),
            (without, "The message .p.M is gone"),
            (Definitions { enums: Default::default(), ..old.clone() }, "The enum .p.M.E is gone"),
        ] {
            let found = incompatibility(&old, &new).unwrap();
            assert!(found.starts_with(why), "{found}");
        }
    }
}
