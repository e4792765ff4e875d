//! The parser of hosts and ports, as they are written in addresses, files and variables.
//!
//! All code that reads a host, or a list of hosts, calls this module, so that all places accept and
//! refuse the same hosts.

use std::net::Ipv6Addr;

/// The forms in which a host can be written, for error texts.
const FORMS: &str = "write host, host:port, [IPv6] or [IPv6]:port";

/// The characters that a host must not contain, besides spaces and control characters.
const NOT_IN_A_HOST: &str = "/\\@;|?#&=[]<>{}()\"'`,";

/// Parses a list of hosts with `,` between them, and returns each as `host:port` or `[v6]:port`.
///
/// # Errors
/// A host is not valid. The text says why. If the list has several hosts, the text also contains
/// the position of the host's first character in the list, from 1.
pub(crate) fn parse_hosts(text: &str, default_port: u16) -> Result<Vec<String>, String> {
    let mut at = 1;
    let mut hosts = Vec::new();
    for part in text.split(',') {
        let blank = part.chars().take_while(|c| c.is_whitespace()).count();
        let place = at + blank.min(part.trim_end().chars().count());
        at += part.chars().count() + 1;
        let host = host_and_port(part.trim(), default_port);
        hosts.push(host.map_err(|why| match text.contains(',') {
            true => format!("{why} (at character {place} of {:?})", without_password(text)),
            false => why,
        })?);
    }
    Ok(hosts)
}

/// Parses a list of hosts like [`parse_hosts`], for a property of HBase's files, but skips empty
/// parts between commas, as Java does.
///
/// # Errors
/// The errors of [`parse_hosts`]; also a list without any host.
pub(crate) fn parse_hosts_skipping_empty(
    text: &str,
    default_port: u16,
) -> Result<Vec<String>, String> {
    let given: Vec<&str> = text.split(',').map(str::trim).filter(|host| !host.is_empty()).collect();
    parse_hosts(&given.join(","), default_port)
}

/// Hides the password before each host in a text, for errors.
pub(crate) fn without_password(text: &str) -> String {
    let part = |part: &str| match part
        .rsplit_once('@')
        .map(|(user, host)| (user.rsplit_once(':'), host))
    {
        Some((Some((user, _)), host)) => format!("{user}:(hidden)@{host}"),
        _ => part.to_owned(),
    };
    text.split(',').map(part).collect::<Vec<_>>().join(",")
}

/// Parses `host`, `host:port`, `[v6]`, `[v6]:port` or `v6`, and returns it as `host:port` or
/// `[v6]:port`.
///
/// # Errors
/// The text is not valid; the error says why.
pub(crate) fn host_and_port(text: &str, default_port: u16) -> Result<String, String> {
    let (host, port) = parse_host(text)?;
    Ok(join(host, port.unwrap_or(default_port)))
}

/// Parses a host, and returns it without brackets, with the port if there is one.
///
/// # Errors
/// The text is not valid; the error says why.
pub(crate) fn parse_host(text: &str) -> Result<(&str, Option<u16>), String> {
    if text.is_empty() {
        return Err("a host is missing".to_owned());
    }
    let wrong = |why: &str| Err(format!("{text:?}: {why}; {FORMS}"));
    if let Some((scheme, _)) = text.split_once("://") {
        return wrong(&format!("a host has no scheme; remove {scheme}://"));
    }
    if text.contains('@') {
        let why = "'@' is not allowed in a host; a user is given with the setting `user`";
        return Err(format!("{:?}: {why}", without_password(text)));
    }
    if let Some(inner) = text.strip_prefix('[') {
        let Some((host, rest)) = inner.split_once(']') else {
            return wrong("its bracket is not closed");
        };
        if !is_v6(host) {
            return wrong("what is in brackets is no IPv6 address");
        }
        return match rest.strip_prefix(':') {
            Some(port) => Ok((host, Some(self::port(text, port)?))),
            None if rest.is_empty() => Ok((host, None)),
            None => wrong("only a port can follow the bracket, after a colon"),
        };
    }
    if is_v6(text) {
        return Ok((text, None));
    }
    let (host, port) = match text.split_once(':') {
        Some((host, port)) => (host, Some(port)),
        None => (text, None),
    };
    if host.is_empty() {
        return wrong("the host before the port is missing");
    }
    let is_illegal = |c: &char| c.is_whitespace() || c.is_control() || NOT_IN_A_HOST.contains(*c);
    if let Some(c) = host.chars().find(is_illegal) {
        let why = format!("{c:?} is not allowed in a host; hosts are separated by ','");
        return Err(format!("{text:?}: {why}"));
    }
    match port {
        Some(port) if port.contains(':') => wrong("an IPv6 address with a port is in brackets"),
        Some(port) => Ok((host, Some(self::port(text, port)?))),
        None => Ok((host, None)),
    }
}

/// Splits `host:port` into the host, without brackets, and the port; a text without a port is only
/// a host.
pub(crate) fn split(address: &str) -> (&str, Option<u16>) {
    let (host, port) = match address.rsplit_once(':') {
        Some((host, port)) if !host.contains(':') || host.ends_with(']') => (host, Some(port)),
        _ => (address, None),
    };
    let bare = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host);
    (bare, port.and_then(|port| port.parse().ok()))
}

/// Returns `host:port`; an IPv6 address gets brackets.
pub(crate) fn join(host: &str, port: u16) -> String {
    match host.contains(':') {
        true => format!("[{host}]:{port}"),
        false => format!("{host}:{port}"),
    }
}

fn port(text: &str, port: &str) -> Result<u16, String> {
    let digits = !port.is_empty() && port.bytes().all(|b| b.is_ascii_digit());
    match port.parse::<u16>() {
        Ok(port) if digits && port > 0 => Ok(port),
        _ => Err(format!("{text:?} has no port between 1 and 65535")),
    }
}

/// Whether a text is an IPv6 address, without a zone or with one, as in `fe80::1%eth0`.
fn is_v6(text: &str) -> bool {
    let (address, zone) = match text.split_once('%') {
        Some((address, zone)) => (address, Some(zone)),
        None => (text, None),
    };
    let is_zone = |c: char| c.is_ascii_alphanumeric() || "-._~".contains(c);
    address.parse::<Ipv6Addr>().is_ok()
        && zone.is_none_or(|zone| !zone.is_empty() && zone.chars().all(is_zone))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_is_given_back_with_its_port() {
        for (text, expected) in [
            ("a", "a:7"),
            ("a:1", "a:1"),
            ("rs_1.example", "rs_1.example:7"),
            ("[::1]", "[::1]:7"),
            ("[::1]:1", "[::1]:1"),
            ("::1", "[::1]:7"),
            ("[fe80::1%lo]:1", "[fe80::1%lo]:1"),
            ("fe80::1%eth0", "[fe80::1%eth0]:7"),
        ] {
            assert_eq!(host_and_port(text, 7).as_deref(), Ok(expected));
            let (host, port) = split(expected);
            assert_eq!(join(host, port.unwrap()), expected);
        }
        assert_eq!(split("[fe80::1%lo]:1"), ("fe80::1%lo", Some(1)));
        assert_eq!(split("host"), ("host", None));
    }

    #[test]
    fn the_place_of_a_wrong_host_is_said() {
        assert_eq!(parse_hosts(" a , b:1", 7).unwrap(), ["a:7", "b:1"]);
        let why = parse_hosts("a, b c,d", 7).unwrap_err();
        assert_eq!(
            why,
            "\"b c\": ' ' is not allowed in a host; hosts are separated by ',' (at character 4 of \"a, b c,d\")"
        );
        let why = parse_hosts("http://a:1", 7).unwrap_err();
        assert!(why.starts_with("\"http://a:1\": a host has no scheme; remove http://"), "{why}");
        let why = parse_hosts("b,ada:hunter2@a", 7).unwrap_err();
        assert!(why.contains("\"ada:(hidden)@a\": '@' is not allowed in a host; a user"), "{why}");
        assert!(!why.contains("hunter2"), "{why}");
        assert!(parse_hosts("a,,b", 7).unwrap_err().contains("missing"));
        assert_eq!(parse_hosts_skipping_empty("a,, b:1,", 7).unwrap(), ["a:7", "b:1"]);
        assert!(parse_hosts_skipping_empty(" , ", 7).unwrap_err().contains("a host is missing"));
    }
}
