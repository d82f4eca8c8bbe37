//! Writes the files that each target starts from into its corpus: `seeds ROOT CORPUS`.

use std::path::Path;

fn main() -> std::io::Result<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [root, corpus] = &args[..] else { panic!("ROOT CORPUS") };
    for reader in morpion_fuzz::READERS {
        let folder = Path::new(corpus).join(reader.name);
        std::fs::create_dir_all(&folder)?;
        for (number, seed) in (reader.seeds)(Path::new(root)).iter().enumerate() {
            std::fs::write(folder.join(format!("seed-{number}")), seed)?;
        }
    }
    Ok(())
}
