//! Hand labels of the coding-agent sessions, made by reading them: the ends of the failing calls' ids by cluster.

/// Failures that teach something.
pub(crate) const CODING: &[(&str, &[&str])] = &[
    ("no upstream branch", &["M27ZmeTa", "Ubt17q6v", "XufeChoj", "yZMnFcmD"]),
    ("file does not exist", &["V8esUMzm", "4951uemP", "nv3AzYpf"]),
    ("paths ignored by git", &["YGidT1Ey", "wHW7ZA82", "uw6DP67V"]),
    ("hook: format", &["KDNRgfTQ", "cZ2ShTTy", "mvtknDW8"]),
    ("hook: credo", &["z9xV72x3", "G67XM3wt", "aRaQ9HB7"]),
    ("hook: dialyzer", &["zwDCjPxk", "6KtR4yjn", "rmFLwa24", "ct7zfjuV", "ahYbkKJe", "BjiRXqVm"]),
    ("no secret key base", &["jStFVShk", "ya1BhC9m"]),
    ("lazy_html missing", &["p6VmcC1x", "YPqCpGh4"]),
    ("text to replace not found", &["Caout4Wo", "DJzyFTBx"]),
    ("file too large to read", &["irKBAZNC"]),
    ("unknown revision", &["nGEgs9nD"]),
    ("bundler cannot resolve", &["YuWd77EM"]),
    ("unterminated JSON", &["kYVYEqEL"]),
    ("permission denied", &["C2e4tCQh"]),
    ("path beyond a symbolic link", &["VfoJ3nAY"]),
    ("command not found", &["edge_001"]),
];

/// Failures that teach nothing: edit-test loops, cascades, refusals.
pub(crate) const CODING_NOISE: &[&str] = &[
    "UeG4VbFF", "TBTRyr9f", "EjdcizME", "2yfwNvGJ", "DQcxKxHB", "ibZt4qkX", "9487bXFt", "ngNFZuEZ",
    "36e21Efm", "yrGuAE6V", "1EwDYB8V", "HJbSTtUE", "zfuihf8y", "8x558Eus", "aGt7mzaY", "niSg7vvw",
    "dxuotC3Q", "GLL4y9q6", "T8pFAZPi", "7d8qV1Sc", "w4dguQGx",
];
