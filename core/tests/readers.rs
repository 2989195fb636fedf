//! The readers on samples written for them, on hostile input, and on real traces where those are at hand.

#[path = "readers/common.rs"]
mod common;
#[path = "readers/formats.rs"]
mod formats;
#[path = "readers/hostile.rs"]
mod hostile;
#[path = "readers/props.rs"]
mod props;
#[path = "readers/real.rs"]
mod real;
#[path = "readers/samples.rs"]
mod samples;
