//! The start of a connection, and bytes that are no valid calls.

use tallrow_mock::MockCluster;
use tallrow_wire::exception::{self, RemoteException};
use tallrow_wire::frame::{self, Response};
use tallrow_wire::preamble::{self, Auth};
use tallrow_wire::proto::*;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use crate::frames::{Fixture, Frames, bytes, dial, get, mutation, put};

/// What the master replies to these bytes before it closes the connection.
async fn answer_to(cluster: &MockCluster, sent: &[u8]) -> Vec<u8> {
    let mut stream = dial(cluster, cluster.rpc_address());
    stream.write_all(sent).await.unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await.unwrap();
    answer
}

fn exception_in(answer: &[u8]) -> RemoteException {
    let response = Response::decode(answer[4..].to_vec().into()).unwrap();
    assert_eq!(response.header.call_id, Some(preamble::NO_CALL));
    RemoteException::from_response(&response.header.exception.unwrap())
}

#[tokio::test]
async fn a_bad_preamble_is_answered_with_an_exception_and_closed() {
    let cluster = MockCluster::start().await.unwrap();
    for (sent, class, text) in [
        (
            b"GET / ",
            exception::FATAL_CONNECTION,
            "Expected HEADER=HBas but received HEADER=GET  from",
        ),
        (
            b"HBas\x01\x50",
            exception::WRONG_VERSION,
            "serverVersion=0, clientVersion=1, authMethod=80",
        ),
        (b"HBas\x00\x11", exception::BAD_AUTH, "serverVersion=0, clientVersion=0, authMethod=17"),
    ] {
        let error = exception_in(&answer_to(&cluster, sent).await);
        assert_eq!(error.class, class);
        assert!(error.message.starts_with(text) && error.do_not_retry, "{}", error.message);
    }
}

#[tokio::test]
async fn a_bad_header_closes_the_connection_without_a_reply() {
    let cluster = MockCluster::start().await.unwrap();
    let start = |change: &dyn Fn(&mut ConnectionHeader)| {
        let mut header = preamble::header("ClientService", "u");
        change(&mut header);
        preamble::encode_with_header(Auth::Simple, &header).to_vec()
    };
    for sent in [
        start(&|h| h.service_name = None),
        start(&|h| h.service_name = Some("NoService".into())),
        start(&|h| h.cell_block_codec_class = Some("no.such.Codec".into())),
        start(&|h| h.cell_block_compressor_class = Some("no.such.Compressor".into())),
        start(&|h| h.user_info = Some(UserInformation::default())),
        b"HBas\x00\x50\x00\x00\x00\x02\xFF\xFF".to_vec(),
        b"HBas\x00\x50\xFF\xFF\xFF\xFF".to_vec(),
    ] {
        assert_eq!(answer_to(&cluster, &sent).await, b"");
    }
}

#[tokio::test]
async fn the_registry_preamble_returns_the_cluster_id_and_the_security_one_an_exception() {
    let cluster = MockCluster::builder().seed(5).start().await.unwrap();
    let answer = answer_to(&cluster, b"Regist").await;
    let response = Response::decode(answer[4..].to_vec().into()).unwrap();
    let id: GetConnectionRegistryResponse = prost::Message::decode(response.message).unwrap();
    assert_eq!(id.cluster_id.len(), 36);
    let again = MockCluster::builder().seed(5).start().await.unwrap();
    assert_eq!(answer_to(&again, b"Regist").await, answer);
    // After the security preamble another one is expected; a broken one ends the connection.
    let answer = answer_to(&cluster, b"SecuriGET / ").await;
    let mut rest = bytes::BytesMut::from(&answer[..]);
    let first = frame::split(&mut rest, frame::DEFAULT_MAX_LEN).unwrap().unwrap();
    let header = Response::decode(first).unwrap().header;
    let error = RemoteException::from_response(&header.exception.unwrap());
    assert_eq!(
        (error.class.as_str(), error.message.as_str(), error.do_not_retry),
        (exception::SECURITY_NOT_ENABLED, "security is not enabled", false)
    );
    assert_eq!(exception_in(&rest).class, exception::FATAL_CONNECTION);
}

/// A frame that HBase 2.6.4 sends after a preamble, with its exception in plain text.
fn refusal(class: &str, text: &str, do_not_retry: u8) -> Vec<u8> {
    let short = |len: usize| u8::try_from(len).unwrap();
    let (of_class, of_text) = (short(class.len()), short(text.len()));
    let exception = 2 + of_class + 2 + of_text + 2;
    let header = 6 + 2 + exception;
    let numbers = [0, 0, 0, header + 1, header, 0x08, 0xff, 0xff, 0xff, 0xff, 0x0f, 0x12];
    let fields = [&[exception, 0x0a, of_class][..], class.as_bytes(), &[0x12, of_text]].concat();
    [&numbers[..], &fields, text.as_bytes(), &[0x28, do_not_retry]].concat()
}

/// Like HBase: the bytes with which a connection is refused.
#[tokio::test]
async fn answers_to_preambles_have_the_bytes_of_a_real_server() {
    let cluster = MockCluster::start().await.unwrap();
    let answer = answer_to(&cluster, b"SecuriGET / ").await;
    let first = refusal(exception::SECURITY_NOT_ENABLED, "security is not enabled", 0);
    assert_eq!(answer[..first.len()], first);
    let second = exception_in(&answer[first.len()..]).message;
    assert!(second.starts_with("Expected HEADER=HBas but received HEADER=GET  from "), "{second}");
    let len = u8::try_from(second.len()).unwrap();
    let text =
        [exception::FATAL_CONNECTION.as_bytes(), &[0x12, len], second.as_bytes(), &[0x28, 1]];
    assert!(answer.ends_with(&text.concat()), "{}", answer.escape_ascii());
}

/// Unlike HBase: a login by Kerberos is asked for and always refused, because the mock has no
/// keys.
#[tokio::test]
async fn a_secured_server_names_its_principal_and_refuses_whom_it_cannot_verify() {
    let principal = "hbase/localhost@EXAMPLE.ORG";
    let cluster = MockCluster::builder().server_principal(principal).start().await.unwrap();
    // `Regist` is answered before anyone has to log in.
    assert!(!answer_to(&cluster, b"Regist").await.is_empty());
    let simple = answer_to(&cluster, b"HBas\x00\x50").await;
    assert_eq!(simple, refusal(exception::ACCESS_DENIED, "Authentication is required", 1));
    assert!(simple.starts_with(b"\0\0\0\x5f\x5e\x08\xff\xff\xff\xff\x0f\x12\x56\x0a\x36org."));

    let answer = answer_to(&cluster, b"SecuriHBas\x00\x50").await;
    let named =
        [b"\0\0\0\x25\x06\x08\xff\xff\xff\xff\x0f\x1d\x0a\x1b", principal.as_bytes()].concat();
    assert_eq!(answer, [named, simple].concat());

    let kerberos = answer_to(&cluster, b"HBas\x00\x51\x00\x00\x00\x03tok").await;
    let error =
        b"\0\0\0\x01\0\0\0\x21javax.security.sasl.SaslException\0\0\0\x13GSS initiate failed";
    assert_eq!(kerberos, error);
    let digest = answer_to(&cluster, b"HBas\x00\x52\x00\x00\x00\x00").await;
    assert!(digest.ends_with(b"Server is not configured to do DIGEST authentication."));
}

#[tokio::test]
async fn a_sasl_client_is_told_to_continue_without_sasl() {
    let cluster = MockCluster::start().await.unwrap();
    let mut stream = dial(&cluster, cluster.rpc_address());
    stream.write_all(b"HBas\x00\x51\x00\x00\x00\x03tok").await.unwrap();
    let mut switch = [0; 8];
    stream.read_exact(&mut switch).await.unwrap();
    assert_eq!(switch, [0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xA8]);
}

#[tokio::test]
async fn only_the_master_has_the_master_service() {
    let t = Fixture::new(&[]).await;
    let server = t.cluster.server_address(0).unwrap();
    let mut connection = Frames::open(&t.cluster, server, "MasterService").await;
    connection.send("IsMasterRunning", &IsMasterRunningRequest {}, b"").await;
    assert!(connection.receive().await.is_none());
    // The master answers reads too, and has no region.
    let mut client = Frames::open(&t.cluster, t.cluster.rpc_address(), "ClientService").await;
    let request = GetRequest { region: t.region(b"a"), get: get("a") };
    let error = client.call::<GetResponse>("Get", &request).await.unwrap_err();
    assert_eq!(error.class, exception::NOT_SERVING_REGION);
}

#[tokio::test]
async fn calls_that_cannot_be_decoded_fail_and_the_connection_stays_open() {
    let mut t = Fixture::new(&[]).await;
    let error = t.client.call::<Empty>("NoSuchMethod", &Empty {}).await.unwrap_err();
    assert_eq!((error.class.as_str(), error.do_not_retry), (exception::DO_NOT_RETRY, true));
    assert!(error.message.ends_with("java.lang.UnsupportedOperationException: NoSuchMethod"));
    let error = t.client.call::<Empty>("Get", &Empty {}).await.unwrap_err();
    assert_eq!(
        (error.class.as_str(), error.do_not_retry),
        (exception::UNINITIALIZED_MESSAGE, false)
    );
    assert!(error.message.contains(" is unable to read call parameter from client "));
    // Field 1 as a number where a message should be.
    let garbled = IsSplitOrMergeEnabledRequest { switch_type: 1 };
    let error = t.client.call::<Empty>("Get", &garbled).await.unwrap_err();
    assert_eq!((error.class.as_str(), error.do_not_retry), (exception::INVALID_PROTOBUF, false));
    t.get(get("a")).await.unwrap();
}

#[tokio::test]
async fn a_frame_above_the_limit_is_rejected_and_the_connection_closed() {
    let mut t = Fixture::new(&[]).await;
    t.client.send_bytes(b"\xFF\xFF\xFF\xFF").await;
    let response = t.client.receive().await.unwrap();
    let error = RemoteException::from_response(&response.header.exception.unwrap());
    assert_eq!(error.class, exception::REQUEST_TOO_BIG);
    assert!(t.client.receive().await.is_none());
}

#[tokio::test]
async fn a_client_without_a_codec_gets_cells_inside_messages() {
    let mut t = Fixture::new(&[]).await;
    t.put("r", "q", 1, "v").await;
    let mut header = preamble::header("ClientService", "u");
    header.cell_block_codec_class = None;
    let mut stream = dial(&t.cluster, t.cluster.server_address(0).unwrap());
    stream.write_all(&preamble::encode_with_header(Auth::Simple, &header)).await.unwrap();
    t.client = Frames::over(stream);
    let (answer, cells) = t.get(get("r")).await.unwrap();
    assert!(cells.is_empty());
    let inline = answer.result.unwrap();
    assert_eq!((inline.stale, inline.partial), (Some(false), Some(false)));
    let (missing, _) = t.get(get("nothing")).await.unwrap();
    assert_eq!(missing.result.unwrap().associated_cell_count, Some(0));
    assert_eq!(inline.cell[0].value, Some(bytes("v")));
    let (answer, _) = t.scan(Scan::default(), 1).await.unwrap();
    assert_eq!((answer.results.len(), answer.results[0].cell.len()), (1, 1));
    let append = mutation(MutationType::Append, "r", &[("q", 0, "w")]);
    let (answer, _) = t.mutate(append).await.unwrap();
    assert_eq!(answer.result.unwrap().cell[0].value, Some(bytes("vw")));
}

/// Corrupted and truncated frames: each is answered or closes the connection, and the cluster still
/// works.
#[tokio::test]
async fn no_bytes_break_the_server() {
    let mut t = Fixture::new(&[]).await;
    t.put("r", "q", 1, "v").await;
    let server = t.cluster.server_address(0).unwrap();
    let read = GetRequest { region: t.region(b"r"), get: get("r") };
    let write = t.request(put("r"));
    let action = Action { mutation: Some(write.mutation.clone()), ..Default::default() };
    let batch = MultiRequest {
        region_action: vec![RegionAction {
            region: t.region(b"r"),
            action: vec![action],
            ..Default::default()
        }],
        ..Default::default()
    };
    let scan = ScanRequest {
        region: Some(t.region(b"r")),
        scan: Some(Scan { batch_size: Some(1), ..Default::default() }),
        ..Default::default()
    };
    let header = |method: &str| RequestHeader {
        call_id: Some(1),
        method_name: Some(method.into()),
        ..Default::default()
    };
    let mut frames: [bytes::BytesMut; 4] = Default::default();
    frame::encode_request(header("Get"), &read, b"", &mut frames[0]);
    frame::encode_request(header("Mutate"), &write, b"", &mut frames[1]);
    frame::encode_request(header("Multi"), &batch, b"", &mut frames[2]);
    frame::encode_request(header("Scan"), &scan, b"", &mut frames[3]);
    let mut state = 1u64;
    let mut random = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state as usize
    };
    for round in 0..4000 {
        let mut frame = frames[round % 4].to_vec();
        for _ in 0..1 + random() % 4 {
            let at = 4 + random() % (frame.len() - 4);
            frame[at] = random() as u8;
        }
        if random() % 4 == 0 {
            frame.truncate(4 + random() % (frame.len() - 4));
            let len = (frame.len() - 4) as u32;
            frame[..4].copy_from_slice(&len.to_be_bytes());
        }
        let mut connection = Frames::open(&t.cluster, server, "ClientService").await;
        connection.send_bytes(&frame).await;
        if let Some(response) = connection.receive().await
            && let Some(exception) = response.header.exception
        {
            let error = RemoteException::from_response(&exception);
            assert!(!error.message.contains("the mock has a bug"), "{} {frame:?}", error.message);
        }
    }
    t.put("a row of its own", "still", 1, "here").await;
    assert_eq!(t.values("a row of its own").await, ["still=here"]);
}

/// Like HBase: the time to live of a cell is a tag, which is returned to a client whose codec has
/// tags.
#[tokio::test]
async fn the_ttl_of_a_cell_is_a_tag_for_a_codec_with_tags() {
    let mut f = Fixture::new(&[]).await;
    let ttl = 3_600_000_u64.to_be_bytes();
    let mut put = mutation(MutationType::Put, "a", &[("q", 0, "v")]);
    put.attribute = vec![NameBytesPair { name: "_ttl".into(), value: Some(ttl.to_vec().into()) }];
    f.mutate(put).await.unwrap();
    let request = GetRequest { region: f.region(b"a"), get: get("a") };
    let mut blocks = Vec::new();
    for codec in ["KeyValueCodec", "KeyValueCodecWithTags"] {
        let mut header = preamble::header("ClientService", "test");
        header.cell_block_codec_class = Some(format!("org.apache.hadoop.hbase.codec.{codec}"));
        let mut stream = dial(&f.cluster, f.cluster.server_address(0).unwrap());
        let start = preamble::encode_with_header(Auth::Simple, &header);
        stream.write_all(&start).await.unwrap();
        let mut client = Frames::over(stream);
        client.send("Get", &request, b"").await;
        blocks.push(client.receive().await.unwrap().cells);
    }
    // Both lengths, the type of the tag, and the time to live.
    let tags = [&[0, 11, 0, 9, 8][..], &ttl[..]].concat();
    let [plain, tagged] = &blocks[..] else { panic!("{blocks:?}") };
    assert!(plain.ends_with(b"v"), "{plain:?}");
    assert_eq!(tagged[4..], [&plain[4..], &tags[..]].concat());
    assert_eq!(tagged[..4], (tagged.len() as u32 - 4).to_be_bytes());
}
