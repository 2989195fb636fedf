//! Seed phrases in many carriers.

use std::format;
use std::string::String;

use super::Dice;

pub(super) fn seed(d: &mut Dice) -> String {
    let list = [
        "abandon", "ability", "absorb", "acoustic", "balance", "bamboo", "cactus", "canvas", "debris",
        "dinosaur", "eagle", "elbow", "fabric", "ginger", "harvest", "indoor", "jungle", "kiwi", "lizard",
        "mango", "nephew", "orbit", "pelican", "quantum", "rabbit", "scout", "tiger", "unveil", "velvet",
        "walnut", "yellow", "zebra",
    ];
    let count = [12, 15, 18, 24][d.below(4)];
    let gap = d.pick(&[" ", " ", ", ", "\n"]);
    let words = (0..count).map(|_| d.pick(&list)).collect::<std::vec::Vec<_>>().join(gap);
    let before = d.pick(&[
        "seed phrase: ",
        "my seed phrase is ",
        "mnemonic = \"",
        "Recovery phrase for the wallet: ",
        "wallet: ",
        "Seed-Phrase: ",
        "phrase de récupération : ",
        "frase semilla: ",
        "frase de recuperação: ",
        "сид-фраза: ",
        "シードフレーズ：",
        "助记词：",
        "\"mnemonic\": \"",
        "MNEMONIC=",
    ]);
    format!("{before}⟦{words}⟧")
}
