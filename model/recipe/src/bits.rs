//! Packs numbers of a fixed bit width, low bits first.
//!
//! Decides the bit order of both tables. Never pads between numbers.

/// A growing string of bits.
#[derive(Debug, Default)]
pub struct Bits {
    bytes: Vec<u8>,
    open: u64,
    filled: u32,
}

impl Bits {
    /// Appends `value` as `width` bits.
    ///
    /// # Panics
    /// When `value` does not fit, or `width` is over 56.
    pub fn push(&mut self, value: u64, width: u32) {
        assert!(width <= 56 && value >> width == 0, "{value} does not fit {width} bits");
        self.open |= value << self.filled;
        self.filled += width;
        while self.filled >= 8 {
            self.bytes.push(self.open.to_le_bytes()[0]);
            self.open >>= 8;
            self.filled -= 8;
        }
    }

    /// The bytes; the last one is filled up with zero bits.
    #[must_use]
    pub fn finish(mut self) -> Vec<u8> {
        if self.filled > 0 {
            self.bytes.push(self.open.to_le_bytes()[0]);
        }
        self.bytes
    }
}
