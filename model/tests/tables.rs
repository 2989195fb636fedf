//! Both tables: the committed bytes are valid, and no other bytes make a reader panic.

use hardwon_core::vector::{Embedder, normalise};
use hardwon_model::Corrupt;
use hardwon_model::embed::{Table, TableEmbedder};
use proptest::prelude::*;

/// A small AMT1 table with the given tokens, two dimensions and values that differ by row.
fn small_table(tokens: &[&str], bits: u32) -> Vec<u8> {
    let text = tokens.concat();
    let mut out = b"AMT1".to_vec();
    for number in [tokens.len() as u32, 2, text.len() as u32, 4, bits] {
        out.extend(number.to_le_bytes());
    }
    let mut end = 0u32;
    out.extend(end.to_le_bytes());
    for token in tokens {
        end += token.len() as u32;
        out.extend(end.to_le_bytes());
    }
    out.extend(text.bytes());
    out.resize(out.len().next_multiple_of(4), 0);
    out.extend(0.5f32.to_le_bytes().repeat(tokens.len()));
    for row in 0..tokens.len() as u8 {
        if bits == 4 { out.push(row | 0xf0) } else { out.extend([row, 0xff]) }
    }
    out
}

fn embed(table: Table<'_>, text: &str) -> Vec<f32> {
    let mut out = vec![0.0; table.dims()];
    TableEmbedder::new(table, "test", 900_000, 750_000).embed(text, &mut out);
    out
}

fn unit(mut values: Vec<f32>) -> Vec<f32> {
    normalise(&mut values);
    values
}

#[test]
fn the_longest_piece_wins_and_rows_add_up() {
    let bytes = small_table(&["##er", "##est", "test", "tes", "世", "世界"], 4);
    assert_eq!(Table::parse(&bytes).err(), Some(Corrupt("its tokens are not sorted texts")));
    let bytes = small_table(&["##er", "##est", "tes", "test", "世", "世界"], 4);
    let table = Table::parse(&bytes).unwrap();
    assert_eq!(table.longest_prefix(b"tester"), Some((3, 4)));
    assert_eq!(table.longest_prefix(b"tess"), Some((2, 3)));
    assert_eq!(table.longest_prefix(b"te"), None);
    // Rows 3 and 0: (3 - 8) + (0 - 8) and 2 * (15 - 8), each times one half.
    assert_eq!(embed(table, "Tester"), unit(vec![-6.5, 7.0]));
    assert_eq!(embed(table, "世 界世界"), unit(vec![(4.0 - 8.0 + 5.0 - 8.0) / 2.0, 7.0]));
}

#[test]
fn values_of_eight_bits_are_read() {
    let bytes = small_table(&["a", "b"], 8);
    assert_eq!(embed(Table::parse(&bytes).unwrap(), "b b a"), unit(vec![1.0, -1.5]));
}

#[test]
fn truncated_and_padded_tables_are_refused() {
    let whole = small_table(&["a", "b", "世"], 4);
    for end in 0..whole.len() {
        assert!(Table::parse(&whole[..end]).is_err(), "{end}");
    }
    let mut longer = whole.clone();
    longer.push(0);
    assert!(Table::parse(&longer).is_err());
}

#[test]
fn a_scale_that_is_not_a_number_is_refused() {
    let mut bytes = small_table(&["a"], 4);
    let at = bytes.len() - 5;
    bytes[at..at + 4].copy_from_slice(&f32::NAN.to_le_bytes());
    assert!(Table::parse(&bytes).is_err());
}

proptest! {
    #[test]
    fn no_bytes_make_the_embedder_panic(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..6),
    ) {
        let mut bytes = small_table(&["##b", "##c", "a", "ab", "世", "世界"], 4);
        for (at, value) in changes {
            let at = at.index(bytes.len());
            bytes[at] = value;
        }
        for table in [Table::parse(&bytes), Table::open(&bytes)].into_iter().flatten().filter(|t| t.dims() < 10_000) {
            embed(table, "ab abc 世界 世 zzz");
        }
    }

    #[test]
    fn no_header_makes_the_reader_panic(
        numbers in prop::array::uniform5(any::<u32>()),
        rest in prop::collection::vec(any::<u8>(), 0..64),
    ) {
        let mut bytes = b"AMT1".to_vec();
        bytes.extend(numbers.into_iter().flat_map(u32::to_le_bytes));
        bytes.extend(rest);
        prop_assert!(Table::parse(&bytes).is_err());
    }
}

#[cfg(feature = "default-embedder")]
#[test]
fn the_embedding_table_is_valid() {
    let table = Table::parse(include_bytes!("../data/table.bin")).unwrap();
    assert_eq!((table.rows(), table.dims()), (45_623, 256));
}

#[cfg(feature = "tokens")]
mod pairs {
    use super::*;
    use hardwon_model::tokens::{Pairs, count_piece};

    const FILE: &[u8] = include_bytes!("../data/o200k.bin");

    #[test]
    fn the_token_table_is_valid() {
        let pairs = Pairs::parse(FILE).unwrap();
        assert_eq!(pairs.longest(), 128);
        assert_eq!(count_piece(&pairs, " because"), 1);
    }

    #[test]
    fn truncated_and_padded_tables_are_refused() {
        for end in [0, 3, 4, 19, 20, 1043, 1044, FILE.len() / 2, FILE.len() - 1] {
            assert!(Pairs::parse(&FILE[..end]).is_err(), "{end}");
        }
        assert!(Pairs::parse(&[FILE, &[0]].concat()).is_err());
    }

    /// The check sees single changed bits of ids, counts, starts and entries, where they matter.
    #[test]
    fn a_changed_order_is_refused() {
        for at in [4, 8, 12, 1044, 1052, 40_000] {
            let mut bytes = FILE.to_vec();
            bytes[at] ^= 1;
            assert!(Pairs::parse(&bytes).is_err(), "{at}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]
        #[test]
        fn no_bytes_make_the_counter_panic(
            changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..400),
            head in prop::option::of((16usize..1044, any::<u8>())),
        ) {
            let mut bytes = FILE.to_vec();
            for (at, value) in changes {
                let at = 20 + at.index(bytes.len() - 20);
                bytes[at] = value;
            }
            if let Some((at, value)) = head {
                bytes[at] = value;
            }
            for pairs in [Pairs::parse(&bytes), Pairs::open(&bytes)].into_iter().flatten() {
                for piece in [" because", "internationalization", "世界世界"].map(|p| p.repeat(9)) {
                    let count = count_piece(&pairs, &piece);
                    prop_assert!(count >= 1 && count <= piece.len());
                }
            }
        }
    }
}
