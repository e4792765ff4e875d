//! Row keys written as text are read back unchanged, and other text is refused.

use proptest::prelude::*;
use tallrow_codec::show;

proptest! {
    #[test]
    fn notations_round_trip(row in prop::collection::vec(any::<u8>(), 0..20)) {
        prop_assert_eq!(show::from_shell(&show::shell(&row).to_string()), Ok(row.clone()));
        prop_assert_eq!(show::from_hex(&show::hex(&row).to_string()), Ok(row.clone()));
        prop_assert_eq!(show::from_base64(&show::base64(&row).to_string()), Ok(row.clone()));
    }

    #[test]
    fn accepted_base64_is_what_would_be_written(text in "[A-Da-d+/=]{0,9}") {
        if let Ok(row) = show::from_base64(&text) {
            prop_assert_eq!(show::base64(&row).to_string(), text);
        }
    }

    #[test]
    fn any_text_is_read_or_refused(text in ".{0,12}") {
        let _ = (show::from_shell(&text), show::from_hex(&text), show::from_base64(&text));
    }
}

#[test]
fn errors_report_position_and_expectation() {
    let shell = |text| show::from_shell(text).unwrap_err().to_string();
    assert_eq!(
        shell(r"ab\q"),
        "read a row key from the shell's notation: found 'q' at character 3, expected x or a backslash"
    );
    assert_eq!(
        shell(r"a\x0"),
        "read a row key from the shell's notation: it ends where a hex digit is expected"
    );
    let hex = show::from_hex("abc").unwrap_err().to_string();
    assert_eq!(
        hex,
        "read a row key from hex: it ends where the second digit of a byte is expected"
    );
}
