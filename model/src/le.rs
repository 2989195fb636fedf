//! Little-endian reads that answer 0 past the end, so that no table can make a reader panic.
//!
//! Decides byte order. Never decides whether a table is valid: its `parse` does.

/// The `N` bytes at `at`, or zeros where they are not all there.
#[inline]
pub(crate) const fn chunk<const N: usize>(bytes: &[u8], at: usize) -> [u8; N] {
    match bytes.split_at_checked(at) {
        Some((_, tail)) => match tail.first_chunk::<N>() {
            Some(chunk) => *chunk,
            None => [0; N],
        },
        None => [0; N],
    }
}

/// The unsigned 32-bit number at byte `at`.
#[inline]
pub(crate) const fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(chunk(bytes, at))
}

/// The `index`-th number of `width` bits (at most 56) in a packed string; the string needs 8 bytes behind it.
#[inline]
pub(crate) const fn packed(bytes: &[u8], index: usize, width: u32) -> u64 {
    let bit = index as u64 * width as u64;
    let word = u64::from_le_bytes(chunk(bytes, (bit / 8) as usize));
    (word >> (bit % 8)) & ((1 << width) - 1)
}
