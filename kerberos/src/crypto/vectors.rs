//! The examples of RFC 3961, RFC 3962 and RFC 8009.

use super::cipher::{Aes, Mac};
use super::derive::{derive, n_fold};
use super::{Enctype, Key};

fn hex(text: &str) -> Vec<u8> {
    let digits: Vec<u8> =
        text.chars().filter_map(|c| c.to_digit(16)).map(|digit| digit as u8).collect();
    digits.chunks(2).map(|pair| pair[0] << 4 | pair[1]).collect()
}

/// RFC 3961, appendix A.1.
#[test]
fn inputs_are_folded() {
    for (input, len, expected) in [
        ("012345", 8, "be072631276b1955"),
        ("password", 7, "78a07b6caf85fa"),
        ("Rough Consensus, and Running Code", 8, "bb6ed30870b7f0e0"),
        ("password", 21, "59e4a8ca7c0385c3c37b3f6d2000247cb6e6bd5b3e"),
        (
            "MASSACHVSETTS INSTITVTE OF TECHNOLOGY",
            24,
            "db3b0d8f0b061e603282b308a50841229ad798fab9540c1b",
        ),
        ("Q", 21, "518a54a2 15a8452a 518a54a2 15a8452a 518a54a2 15"),
        ("ba", 21, "fb25d531 ae897449 9f52fd92 ea9857c4 ba24cf29 7e"),
        ("kerberos", 8, "6b65726265726f73"),
        ("kerberos", 16, "6b65726265726f737b9b5b2b93132b93"),
        ("kerberos", 21, "8372c236344e5f1550cd0747e15d62ca7a5a3bcea4"),
        ("kerberos", 32, "6b65726265726f737b9b5b2b93132b935c9bdcdad95c9899c4cae4dee6d6cae4"),
    ] {
        assert_eq!(n_fold(input.as_bytes(), len), hex(expected), "{input} {len}");
    }
}

/// RFC 3962, appendix B: keys from passwords.
#[test]
fn passwords_are_keys_by_sha1() {
    let clef = "\u{1d11e}";
    for (rounds, password, salt, short, long) in [
        (
            1,
            "password",
            &b"ATHENA.MIT.EDUraeburn"[..],
            "42263c6e89f4fc28b8df68ee09799f15",
            "fe697b52bc0d3ce14432ba036a92e65bbb52280990a2fa27883998d72af30161",
        ),
        (
            2,
            "password",
            b"ATHENA.MIT.EDUraeburn",
            "c651bf29e2300ac27fa469d693bdda13",
            "a2e16d16b36069c135d5e9d2e25f896102685618b95914b467c67622225824ff",
        ),
        (
            1_200,
            "password",
            b"ATHENA.MIT.EDUraeburn",
            "4c01cd46d632d01e6dbe230a01ed642a",
            "55a6ac740ad17b4846941051e1e8b0a7548d93b0ab30a8bc3ff16280382b8c2a",
        ),
        (
            5,
            "password",
            b"\x12\x34\x56\x78\x78\x56\x34\x12",
            "e9b23d52273747dd5c35cb55be619d8e",
            "97a4e786be20d81a382d5ebc96d5909cabcdadc87ca48f574504159f16c36e31",
        ),
        (
            1_200,
            &"X".repeat(64),
            b"pass phrase equals block size",
            "59d1bb789a828b1aa54ef9c2883f69ed",
            "89adee3608db8bc71f1bfbfe459486b05618b70cbae22092534e56c553ba4b34",
        ),
        (
            1_200,
            &"X".repeat(65),
            b"pass phrase exceeds block size",
            "cb8005dc5f90179a7f02104c0018751d",
            "d78c5c9cb872a8c9dad4697f0bb5b2d21496c82beb2caeda2112fceea057401b",
        ),
        (
            50,
            clef,
            b"EXAMPLE.COMpianist",
            "f149c1f2e154a73452d43e7fe62a56e5",
            "4b6d9839f84406df1f09cc166db4b83c571848b784a3d6bdc346589a3e393f9e",
        ),
    ] {
        for (enctype, expected) in [(Enctype::Aes128Sha1, short), (Enctype::Aes256Sha1, long)] {
            let rounds = u32::to_be_bytes(rounds);
            let key =
                Key::from_password(enctype, password.as_bytes(), salt, Some(&rounds)).unwrap();
            assert_eq!(key.bytes(), hex(expected), "{enctype} {password}");
        }
    }
}

/// RFC 3962, appendix B: ciphertext stealing.
#[test]
fn ciphertext_is_stolen() {
    let aes = Aes::new(b"chicken teriyaki").unwrap();
    let text = b"I would like the General Gau's Chicken, please, and wonton soup.";
    for (len, expected) in [
        (17, "c6353568f2bf8cb4d8a580362da7ff7f97"),
        (31, "fc00783e0efdb2c1d445d4c8eff7ed2297687268d6ecccc0c07b25e25ecfe5"),
        (32, "39312523a78662d5be7fcbcc98ebf5a897687268d6ecccc0c07b25e25ecfe584"),
        (
            47,
            "97687268d6ecccc0c07b25e25ecfe584b3fffd940c16a18c1b5549d2f838029e39312523a78662d5be7fcbcc98ebf5",
        ),
        (
            48,
            "97687268d6ecccc0c07b25e25ecfe5849dad8bbb96c4cdc03bc103e1a194bbd839312523a78662d5be7fcbcc98ebf5a8",
        ),
        (
            64,
            "97687268d6ecccc0c07b25e25ecfe58439312523a78662d5be7fcbcc98ebf5a84807efe836ee89a526730dbc2f7bc8409dad8bbb96c4cdc03bc103e1a194bbd8",
        ),
    ] {
        let mut data = text[..len].to_vec();
        aes.encrypt(&mut data).unwrap();
        assert_eq!(data, hex(expected), "{len}");
        aes.decrypt(&mut data).unwrap();
        assert_eq!(data, text[..len], "{len}");
    }
}

const SHORT: &str = "3705d96080c17728a0e800eab6e0d23c";
const LONG: &str = "6d404d37faf79f9df0d33568d320669800eb4836472ea8a026d16b7182460c52";

/// RFC 8009, appendix A: keys from passwords.
#[test]
fn passwords_are_keys_by_sha2() {
    let salt = [&hex("10DF9DD783E5BC8ACEA1730E74355F61")[..], b"ATHENA.MIT.EDUraeburn"].concat();
    for (enctype, expected) in [
        (Enctype::Aes128Sha2, "089BCA48B105EA6EA77CA5D2F39DC5E7"),
        (Enctype::Aes256Sha2, "45BD806DBF6A833A9CFFC1C94589A222367A79BC21C413718906E9F578A78467"),
    ] {
        let key = Key::from_password(enctype, b"password", &salt, None).unwrap();
        assert_eq!(key.bytes(), hex(expected));
    }
}

/// RFC 8009, appendix A: derived keys.
#[test]
fn keys_are_derived_by_sha2() {
    for (enctype, base, last, len, expected) in [
        (Enctype::Aes128Sha2, SHORT, 0x99, 16, "B31A018A48F54776F403E9A396325DC3"),
        (Enctype::Aes128Sha2, SHORT, 0xAA, 16, "9B197DD1E8C5609D6E67C3E37C62C72E"),
        (Enctype::Aes128Sha2, SHORT, 0x55, 16, "9FDA0E56AB2D85E1569A688696C26A6C"),
        (Enctype::Aes256Sha2, LONG, 0x99, 24, "EF5718BE86CC84963D8BBB5031E9F5C4BA41F28FAF69E73D"),
        (
            Enctype::Aes256Sha2,
            LONG,
            0xAA,
            32,
            "56AB22BEE63D82D7BC5227F6773F8EA7A5EB1C825160C38312980C442E5C7E49",
        ),
        (Enctype::Aes256Sha2, LONG, 0x55, 24, "69B16514E3CD8E56B82010D5C73012B622C4D00FFC23ED1F"),
    ] {
        let key = derive(enctype, &hex(base), &[0, 0, 0, 2, last], len).unwrap();
        assert_eq!(*key, hex(expected), "{enctype} {last:02x}");
    }
}

/// RFC 8009, appendix A: encryption and checksums.
#[test]
fn texts_are_encrypted_by_sha2() {
    for (enctype, base, confounder, plain, expected) in [
        (
            Enctype::Aes128Sha2,
            SHORT,
            "7E5895EAF2672435BAD817F545A37148",
            "",
            "EF85FB890BB8472F4DAB20394DCA781DAD877EDA39D50C870C0D5A0A8E48C718",
        ),
        (
            Enctype::Aes128Sha2,
            SHORT,
            "7BCA285E2FD4130FB55B1A5C83BC5B24",
            "000102030405",
            "84D7F30754ED987BAB0BF3506BEB09CFB55402CEF7E6877CE99E247E52D16ED4421DFDF8976C",
        ),
        (
            Enctype::Aes128Sha2,
            SHORT,
            "56AB21713FF62C0A1457200F6FA9948F",
            "000102030405060708090A0B0C0D0E0F",
            "3517D640F50DDC8AD3628722B3569D2AE07493FA8263254080EA65C1008E8FC295FB4852E7D83E1E7C48C37EEBE6B0D3",
        ),
        (
            Enctype::Aes128Sha2,
            SHORT,
            "A7A4E29A4728CE10664FB64E49AD3FAC",
            "000102030405060708090A0B0C0D0E0F1011121314",
            "720F73B18D9859CD6CCB4346115CD336C70F58EDC0C4437C5573544C31C813BCE1E6D072C186B39A413C2F92CA9B8334A287FFCBFC",
        ),
        (
            Enctype::Aes256Sha2,
            LONG,
            "F764E9FA15C276478B2C7D0C4E5F58E4",
            "",
            "41F53FA5BFE7026D91FAF9BE959195A058707273A96A40F0A01960621AC612748B9BBFBE7EB4CE3C",
        ),
        (
            Enctype::Aes256Sha2,
            LONG,
            "B80D3251C1F6471494256FFE712D0B9A",
            "000102030405",
            "4ED7B37C2BCAC8F74F23C1CF07E62BC7B75FB3F637B9F559C7F664F69EAB7B6092237526EA0D1F61CB20D69D10F2",
        ),
        (
            Enctype::Aes256Sha2,
            LONG,
            "53BF8A0D105265D4E276428624CE5E63",
            "000102030405060708090A0B0C0D0E0F",
            "BC47FFEC7998EB91E8115CF8D19DAC4BBBE2E163E87DD37F49BECA92027764F68CF51F14D798C2273F35DF574D1F932E40C4FF255B36A266",
        ),
        (
            Enctype::Aes256Sha2,
            LONG,
            "763E65367E864F02F55153C7E3B58AF1",
            "000102030405060708090A0B0C0D0E0F1011121314",
            "40013E2DF58E8751957D2878BCD2D6FE101CCFD556CB1EAE79DB3C3EE86429F2B2A602AC86FEF6ECB647D6295FAE077A1FEB517508D2C16B4192E01F62",
        ),
    ] {
        let key = Key::new(enctype, &hex(base)).unwrap().for_usage(2);
        let confounder: [u8; 16] = hex(confounder).try_into().unwrap();
        let sealed = key.encrypt_with(&confounder, &[&hex(plain)]).unwrap();
        assert_eq!(sealed, hex(expected), "{enctype} {plain}");
        assert_eq!(*key.decrypt(sealed).unwrap(), hex(plain));
    }
    let plain = hex("000102030405060708090A0B0C0D0E0F1011121314");
    for (enctype, base, expected) in [
        (Enctype::Aes128Sha2, SHORT, "D78367186643D67B411CBA9139FC1DEE"),
        (Enctype::Aes256Sha2, LONG, "45EE791567EEFCA37F4AC1E0222DE80D43C3BFA06699672A"),
    ] {
        let key = Key::new(enctype, &hex(base)).unwrap().for_usage(2);
        assert_eq!(key.checksum(&[&plain]), hex(expected));
        assert!(key.verify(&[&plain[..5], &plain[5..]], &hex(expected)));
    }
}

/// A message that was changed, cut or encrypted for another use is refused, whatever its length.
#[test]
fn what_was_changed_is_refused() {
    for enctype in Enctype::ALL {
        let key = Key::new(enctype, &vec![9; enctype.key_len()]).unwrap();
        for len in [0, 1, 15, 16, 17, 31, 32, 33, 100] {
            let plain = vec![5; len];
            let sealed = key.encrypt(3, &plain).unwrap();
            assert_eq!(*key.decrypt(3, &sealed).unwrap(), plain, "{enctype} {len}");
            key.decrypt(4, &sealed).unwrap_err();
            for at in 0..sealed.len() {
                let mut changed = sealed.clone();
                changed[at] ^= 1;
                key.decrypt(3, &changed).unwrap_err();
                key.decrypt(3, &sealed[..at]).unwrap_err();
            }
        }
        let mac = Mac::new(enctype, b"").unwrap();
        assert!(!mac.verify(&[b"a"], b""), "an empty checksum is none");
    }
}
