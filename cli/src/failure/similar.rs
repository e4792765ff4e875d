//! Finds the existing name that the user perhaps meant by a name that does not exist.

/// Returns the name that differs least from a text, if the name is similar to the text.
pub(crate) fn similar<'a>(text: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let lower = text.to_lowercase();
    let near = names.into_iter().map(|name| {
        let qualifier = name.rsplit(':').next().unwrap_or(name);
        let to = |name: &str| strsim::osa_distance(&name.to_lowercase(), &lower);
        // A table in a namespace is often named without the namespace.
        (to(name).min(to(qualifier) + usize::from(qualifier != name)), name)
    });
    let (distance, name) = near.min()?;
    (distance <= 2 && distance * 2 <= text.chars().count()).then_some(name)
}

/// Returns `; is it NAME?` if a name is similar to the text, or else an empty text.
pub(crate) fn suggestion_text<'a>(text: &str, names: impl IntoIterator<Item = &'a str>) -> String {
    similar(text, names).map_or_else(String::new, |name| format!("; is it {name}?"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_similar_is_proposed() {
        let names = ["orders", "shop:orders", "customers", "d"];
        assert_eq!(similar("order", names), Some("orders"));
        assert_eq!(similar("Orders", names), Some("orders"));
        assert_eq!(similar("custmer", ["customer"]), Some("customer"));
        assert_eq!(similar("sales", ["shop:sales"]), Some("shop:sales"));
        assert_eq!(similar("events", names), None);
        assert_eq!(similar("x", names), None);
        assert_eq!(suggestion_text("order", names), "; is it orders?");
        assert_eq!(suggestion_text("other", ["unlike"]), "");
    }
}
