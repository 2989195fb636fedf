//! Merges the bytes of one piece: always the pair of the lowest rank, the leftmost of equals.
//!
//! Decides how many tokens remain. Never stores them. Short pieces look for the next pair by scanning; long ones
//! keep their pairs in a heap, so that no piece takes quadratic time.

use super::ranks::{NONE, Ranks};
use alloc::collections::BinaryHeap;
use alloc::vec::Vec;
use core::cmp::Reverse;

/// The number of tokens of `piece`.
pub(super) fn count(ranks: &mut Ranks<'_>, piece: &[u8]) -> usize {
    match piece.len() {
        0 | 1 => piece.len(),
        2..=12 => count_short::<12>(ranks, piece),
        13..=64 => count_short::<64>(ranks, piece),
        _ => count_long(ranks, piece),
    }
}

/// For pieces of at most `N` bytes: no memory but the stack.
fn count_short<const N: usize>(ranks: &mut Ranks<'_>, piece: &[u8]) -> usize {
    let mut room = [Node::GONE; N];
    let nodes = room.get_mut(..piece.len()).unwrap_or_default();
    link(ranks, piece, nodes);
    let mut tokens = piece.len();
    while let Some(at) = leftmost_lowest(nodes) {
        merge(ranks, nodes, at, |_, _| ());
        tokens -= 1;
    }
    tokens
}

fn leftmost_lowest(nodes: &[Node]) -> Option<usize> {
    let (mut best, mut lowest) = (None, NONE);
    for (at, node) in nodes.iter().enumerate() {
        if node.rank < lowest {
            (best, lowest) = (Some(at), node.rank);
        }
    }
    best
}

/// For pieces of any length. A heap entry is stale when its node has another rank by now.
fn count_long(ranks: &mut Ranks<'_>, piece: &[u8]) -> usize {
    let mut nodes: Vec<Node> = piece.iter().map(|_| Node::GONE).collect();
    link(ranks, piece, &mut nodes);
    let ranked = nodes.iter().enumerate().filter(|(_, node)| node.rank != NONE);
    let entries: Vec<_> = ranked.map(|(at, node)| Reverse((node.rank, at as u32))).collect();
    let mut heap = BinaryHeap::from(entries);
    let mut tokens = piece.len();
    while let Some(Reverse((rank, at))) = heap.pop() {
        if nodes[at as usize].rank == rank {
            merge(ranks, &mut nodes, at as usize, |rank, at| heap.push(Reverse((rank, at as u32))));
            tokens -= 1;
        }
    }
    tokens
}

/// One token, linked to its neighbours by position.
#[derive(Clone, Copy)]
struct Node {
    id: u32,
    /// The rank of the pair with the next token, which is also the id of what they make.
    rank: u32,
    before: u32,
    next: u32,
}

impl Node {
    /// A token that was merged into the one before it.
    const GONE: Self = Self { id: 0, rank: NONE, before: NONE, next: NONE };
}

/// Makes one token of each byte.
fn link(ranks: &mut Ranks<'_>, piece: &[u8], nodes: &mut [Node]) {
    let mut following: Option<(usize, u32)> = None;
    for (at, (&byte, node)) in piece.iter().zip(nodes).enumerate().rev() {
        node.id = ranks.byte_id(byte);
        node.before = (at as u32).wrapping_sub(1);
        if let Some((next, id)) = following {
            node.next = next as u32;
            node.rank = ranks.of(node.id, id);
        }
        following = Some((at, node.id));
    }
}

/// Lets the token at `at` take in the next one, and tells `ranked` each pair that this brings about.
fn merge(ranks: &mut Ranks<'_>, nodes: &mut [Node], at: usize, mut ranked: impl FnMut(u32, usize)) {
    let Node { rank: merged, next: gone, before, .. } = nodes[at];
    let next = nodes[gone as usize].next;
    nodes[gone as usize].rank = NONE;
    nodes[at].id = merged;
    nodes[at].next = next;
    nodes[at].rank = NONE;
    if let Some(node) = nodes.get_mut(next as usize) {
        node.before = at as u32;
        let id = node.id;
        nodes[at].rank = ranks.of(merged, id);
    }
    let own = nodes[at].rank;
    if own != NONE {
        ranked(own, at);
    }
    if let Some(node) = nodes.get_mut(before as usize) {
        node.rank = ranks.of(node.id, merged);
        if node.rank != NONE {
            ranked(node.rank, before as usize);
        }
    }
}
