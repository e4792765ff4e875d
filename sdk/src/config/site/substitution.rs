//! The replacement of `${name}` in values, as in Hadoop's `Configuration`.

use std::collections::HashMap;

use super::property::is_secret;

/// How many replacements one value may need (`Configuration.MAX_SUBST`).
const MAX: usize = 20;
/// The length of the longest value, in bytes.
const MAX_BYTES: usize = 1 << 20;

/// The values by which `${name}` can be replaced.
pub(super) struct Variables<'a> {
    /// The values of properties, as they are written.
    pub(super) properties: HashMap<&'a str, &'a str>,
    pub(super) environment: &'a dyn Fn(&str) -> Option<String>,
}

/// A value after its replacements.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ExpandedValue {
    pub(crate) text: String,
    /// Whether a secret value was inserted.
    pub(crate) contains_secret: bool,
    /// The name of a variable that has no value, and is therefore still in the text, as in Hadoop.
    pub(crate) unset_variable: Option<String>,
}

impl Variables<'_> {
    /// Returns the value with all its variables replaced.
    pub(super) fn expand(&self, value: &str) -> Result<ExpandedValue, String> {
        let mut expanded = ExpandedValue { text: value.to_owned(), ..ExpandedValue::default() };
        let mut names: Vec<String> = Vec::new();
        while let Some((start, end)) = innermost(&expanded.text) {
            let name = expanded.text.get(start + 2..end).unwrap_or_default().to_owned();
            let Some(value) = self.value(&name) else {
                expanded.unset_variable = Some(name);
                break;
            };
            expanded.contains_secret |= is_secret(&name);
            expanded.text.replace_range(start..=end, &value);
            if expanded.text.len() > MAX_BYTES {
                return Err(format!(
                    "its value has more than {MAX_BYTES} bytes once ${{{name}}} is replaced"
                ));
            }
            names.push(name);
            if names.len() > MAX {
                names.dedup();
                return Err(format!(
                    "its value takes more than {MAX} replacements; do ${{{}}} and ${{{}}} refer to each other?",
                    names.first().map_or("", String::as_str),
                    names.get(1).or(names.first()).map_or("", String::as_str),
                ));
            }
        }
        Ok(expanded)
    }

    fn value(&self, name: &str) -> Option<String> {
        if let Some(variable) = name.strip_prefix("env.") {
            return match variable.split_once('-') {
                None => (self.environment)(variable),
                Some((variable, default)) => match variable.strip_suffix(':') {
                    Some(variable) => (self.environment)(variable).filter(|v| !v.is_empty()),
                    None => (self.environment)(variable),
                }
                .or_else(|| Some(default.to_owned())),
            };
        }
        match name {
            // Java's system properties with these names.
            "user.name" => {
                (self.environment)("HADOOP_USER_NAME").or_else(|| (self.environment)("USER"))
            }
            "user.home" => (self.environment)("HOME"),
            "java.io.tmpdir" => std::env::temp_dir().to_str().map(str::to_owned),
            _ => None,
        }
        .or_else(|| self.properties.get(name).map(|value| (*value).to_owned()))
    }
}

/// Returns the positions of the `$` and the `}` of the first `${..}` that contains no other
/// variable.
fn innermost(text: &str) -> Option<(usize, usize)> {
    let mut from = 0;
    loop {
        let end = from + text.get(from..)?.find('}')?;
        // What lies before the last `}` is not looked at again: a name has no `}`.
        let begins = text.get(from..end)?.rfind("${").map(|start| from + start);
        if let Some(start) = begins
            && !text.get(start + 2..end)?.is_empty()
            && !text.get(start + 2..end)?.contains(['$', ' '])
        {
            return Some((start, end));
        }
        from = end + 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expand(value: &str) -> Result<ExpandedValue, String> {
        let environment = |name: &str| match name {
            "ZK" => Some("zk1".to_owned()),
            "EMPTY" => Some(String::new()),
            "HOME" => Some("/home/ada".to_owned()),
            "DB_PASSWORD" => Some("p".to_owned()),
            _ => None,
        };
        let properties = HashMap::from([
            ("a", "1"),
            ("b", "${a}${a}"),
            ("loop", "${pool}"),
            ("pool", "x${loop}"),
            ("self", "${self}"),
            ("key.1", "one"),
            ("store.password", "p"),
        ]);
        Variables { properties, environment: &environment }.expand(value)
    }

    #[test]
    fn variables_are_replaced_from_the_inside_out() {
        for (value, text) in [
            ("plain", "plain"),
            ("${a}", "1"),
            ("<${b}>", "<11>"),
            ("${key.${a}}", "one"),
            ("${env.ZK},${env.OTHER-zk2},${env.EMPTY:-zk3},${env.EMPTY-x}", "zk1,zk2,zk3,"),
            ("${user.home}/x", "/home/ada/x"),
            ("$a ${} ${a b} $}{", "$a ${} ${a b} $}{"),
        ] {
            let expanded = expand(value).unwrap();
            assert_eq!(
                (expanded.text.as_str(), expanded.unset_variable, expanded.contains_secret),
                (text, None, false)
            );
        }
    }

    #[test]
    fn a_value_does_not_grow_without_an_end() {
        let long = "x".repeat(100_000);
        let properties = HashMap::from([("long", &long[..])]);
        let variables = Variables { properties, environment: &|_| None };
        let of = |count: usize| variables.expand(&"${long}".repeat(count));
        assert_eq!(of(10).unwrap().text.len(), 1_000_000);
        let error = of(11).unwrap_err();
        assert!(error.contains("more than 1048576 bytes once ${long} is replaced"), "{error}");
        // Each `}` is looked at once: a second look at all before it would take minutes.
        assert_eq!(variables.expand(&"}".repeat(1_000_000)).unwrap().text.len(), 1_000_000);
    }

    #[test]
    fn what_is_not_set_stays_and_is_told() {
        let expanded = expand("${a}/${none}").unwrap();
        assert_eq!(
            (expanded.text.as_str(), expanded.unset_variable.as_deref()),
            ("1/${none}", Some("none"))
        );
    }

    #[test]
    fn cycles_are_errors() {
        for value in ["${loop}", "${self}"] {
            let error = expand(value).unwrap_err();
            assert!(error.contains("more than 20 replacements"), "{error}");
        }
        assert!(expand("${loop}").unwrap_err().contains("${loop} and ${pool} refer to each other"));
    }

    #[test]
    fn a_value_with_a_secret_inside_is_one() {
        assert!(expand("x${store.password}").unwrap().contains_secret);
        assert!(expand("x${env.DB_PASSWORD}").unwrap().contains_secret);
    }
}
