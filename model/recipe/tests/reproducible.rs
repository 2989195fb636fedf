//! The committed data files are what the recipe makes, byte for byte.

#[test]
fn the_data_files_are_reproduced() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../data");
    for (name, bytes) in hardwon_model_recipe::files().expect("the vocabulary is a merge table") {
        let found = std::fs::read(folder.join(name)).expect("a committed file");
        assert!(found == bytes, "{name} differs from what the recipe makes");
    }
}
