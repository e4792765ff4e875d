//! Hosts and ports, as addresses and files write them.

/// `host`, `host:port` or `[v6]:port`, as `host:port`.
pub(crate) fn host_and_port(text: &str, default_port: u16) -> Result<String, String> {
    let (host, port) = match text.rsplit_once(':') {
        Some((host, port)) if !host.contains(':') || host.ends_with(']') => (host, Some(port)),
        _ => (text, None),
    };
    if host.is_empty() {
        return Err(format!("a host is missing in {text:?}"));
    }
    if let Some(c) = host.chars().find(|c| c.is_whitespace() || "@;|\\".contains(*c)) {
        return Err(format!("{c:?} is not allowed in a host; hosts are separated by ','"));
    }
    match port.map(str::parse::<u16>) {
        None => Ok(format!("{host}:{default_port}")),
        Some(Ok(port)) if port > 0 => Ok(format!("{host}:{port}")),
        _ => Err(format!("{text:?} has no port between 1 and 65535")),
    }
}
