//! Writes the answers that never change into a folder, for pages without a server: records, bounds
//! and games, each below the name of its route.

use std::error::Error;
use std::fs;
use std::path::PathBuf;

use morpion_api as api;
use serde_json::{Value, to_value};

fn main() -> Result<(), Box<dyn Error>> {
    let folder = PathBuf::from(std::env::args().nth(1).ok_or("usage: answers FOLDER")?);
    fs::create_dir_all(folder.join("games"))?;
    let write =
        |name: &str, view: Value| fs::write(folder.join(format!("{name}.json")), view.to_string());
    let rows = api::view::bound_rows();
    write("records", to_value(api::records()?)?)?;
    write("bounds", to_value(&rows)?)?;
    for name in ["3T", "3D", "4T", "4D", "5T", "5D", "6T", "6D"] {
        let proven = rows.iter().find(|row| row.game == name).and_then(|row| row.proven);
        write(&format!("games/{name}"), to_value(api::game(name, proven)?)?)?;
    }
    Ok(())
}
