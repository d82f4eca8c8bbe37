//! Endless play: found, verified and written.

use std::path::Path;

use bound::endless::{self, EndlessPlay};
use geometry::Game;

use super::{ProofFile, ProveError, verify_and_write};

/// Searches for endless play with `effort` positions for each front and reach, and writes the proof
/// to a file. `None` says nothing about the game.
pub fn prove(
    game: &Game,
    effort: usize,
    program: &str,
    file: Option<&Path>,
) -> Result<Option<(EndlessPlay, ProofFile)>, ProveError> {
    let Some(play) = endless::find(game, effort) else { return Ok(None) };
    let proof = verify_and_write(play.to_text(program).as_bytes(), file.map(Path::to_owned))?;
    Ok(Some((play, proof)))
}
