//! What servers say to clients that log in, and the files of the client, for the readers of
//! `tallrow::fuzz`.

pub(crate) const HBASE_SITE: &str = r#"<?xml version="1.0"?>
<!-- of the cluster -->
<configuration xmlns:xi="http://www.w3.org/2001/XInclude">
  <property><name>hbase.zookeeper.quorum</name><value>zk1,${other}</value></property>
  <property><name>other</name><value>zk2,${env.TALLROW_UNSET:-zk3}</value><final>true</final></property>
  <configuration><property name="hbase.rpc.protection" value="privacy &lt;" final="false"/></configuration>
  <property><name>a</name><value><![CDATA[&x]]></value><description>text</description></property>
</configuration>
"#;

/// What may stand in an `hbase-site.xml`.
pub(crate) const SITE_WORDS: &[&str] = &[
    "<configuration>",
    "</configuration>",
    "<property>",
    "</property>",
    "<name>",
    "</name>",
    "<value>",
    "</value>",
    "<final>",
    "${other}",
    "${",
    "}",
    "${env.HOME-x}",
    "<fallback>",
    "&amp;",
    "&#x41;",
    "<![CDATA[",
    "]]>",
    "<!DOCTYPE c [<!ENTITY a 'b'>]>",
    "\n",
];

/// What may stand in a challenge of DIGEST-MD5.
pub(crate) const DIGEST_WORDS: &[&str] = &[
    "\"",
    "\\",
    ",",
    "=",
    "nonce=a,",
    "qop=\"auth\",",
    "maxbuf=16777216,",
    "realm=\"\",",
    "\0",
    "?",
];

fn framed(text: &[u8]) -> Vec<u8> {
    [&(text.len() as u32).to_be_bytes()[..], text].concat()
}

/// An answer of SASL with a token.
fn token(text: &[u8]) -> Vec<u8> {
    [&[0; 4][..], &framed(text)].concat()
}

/// Servers that prove who they are, and then protect their messages in each way.
pub(crate) fn sasl_answers() -> Vec<Vec<u8>> {
    let offers = |layers: u8| token(&[b'p', layers, 0, 1, 0]);
    let messages = |kind: &str| {
        let message = |text: &str| framed(format!("{kind}{text}").as_bytes());
        [message("one"), message(""), message(&"two".repeat(100))].concat()
    };
    vec![
        [&[0][..], &token(b"more"), &token(b"proof"), &offers(7), &messages("s")].concat(),
        [&[0][..], &token(b"proof"), &offers(3), &messages("p")].concat(),
        [&[0][..], &token(b"proof"), &offers(1), b"anything"].concat(),
    ]
}

/// Servers that refuse, or that want no proof.
pub(crate) fn sasl_refusals() -> Vec<Vec<u8>> {
    let class = framed(b"javax.security.sasl.SaslException");
    let refusal = [&[0, 0, 0, 1][..], &class, &framed(b"GSS initiate failed")].concat();
    let simple = [0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xA8].to_vec();
    let challenge = br#"realm="default",nonce="a",qop="auth-conf",cipher="rc4",algorithm=md5-sess"#;
    let by_token = [token(challenge), token(b"rspauth=00")].concat();
    let said = [refusal, simple, framed(b"AccessDeniedException"), by_token];
    let by = |by: u8| said.clone().map(|said| [&[by][..], &said].concat());
    [by(0), by(1)].concat()
}

/// Challenges, each with the proof of the server.
pub(crate) fn digest_challenges() -> Vec<Vec<u8>> {
    [
        "realm=\"default\",nonce=\"a\\\"b\",qop=\"auth,auth-int,auth-conf\",charset=utf-8,cipher=\"3des,rc4,des\",algorithm=md5-sess",
        "nonce=a, qop=auth-int, algorithm=md5-sess, maxbuf=65536",
        "nonce=\"a\",algorithm=md5-sess",
    ]
    .map(|challenge| format!("{challenge}\0rspauth=?").into_bytes())
    .to_vec()
}

/// Messages of DIGEST-MD5, signed and encrypted, and of AES.
pub(crate) fn wrapped_frames() -> Vec<Vec<u8>> {
    let texts: [&[u8]; 4] = [b"one", b"", &[7; 1_000], b"four"];
    [0, 1, 2].map(|which| tallrow::fuzz::frames_of(which, &texts)).to_vec()
}

/// A field of a protobuf message with its length.
fn field(number: u8, bytes: &[u8]) -> Vec<u8> {
    let len = u8::try_from(bytes.len()).unwrap();
    assert!(len < 128);
    [&[number << 3 | 2, len][..], bytes].concat()
}

/// The answer to the header of a connection: a cipher, and two keys with their starts.
pub(crate) fn aes_keys() -> Vec<u8> {
    let keys = [2, 3, 4, 5].map(|number| field(number, &[number; 16])).concat();
    framed(&field(1, &[field(1, b"AES/CTR/NoPadding"), keys].concat()))
}

/// The tokens of a job, in both formats of Hadoop.
pub(crate) fn token_files() -> Vec<Vec<u8>> {
    // The user, and the time at which the token ends.
    let identifier = [&field(2, b"ada@R")[..], &[0x28, 0x80, 0xA0, 0xF8, 0xE6, 0xF5, 0x85, 2]];
    let identifier = framed(&identifier.concat());
    let parts = [&identifier[..], b"secret", b"HBASE_AUTH_TOKEN", b"1234-abcd"];
    let short = |bytes: &[u8]| [&[bytes.len() as u8][..], bytes].concat();
    let writable = parts.iter().map(|part| short(part)).collect::<Vec<_>>().concat();
    let writable = [b"HDTS\x00\x01", &short(b"alias")[..], &writable, b"\x00"].concat();
    let token: Vec<u8> = (1..).zip(parts).flat_map(|(number, part)| field(number, part)).collect();
    let named = field(1, &[field(1, b"alias"), field(2, &token)].concat());
    vec![writable, [b"HDTS\x01", &short(&named)[..]].concat()]
}
