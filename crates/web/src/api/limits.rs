//! What is known of every game: records in print, bounds, proofs; and the judge to go through them.

use std::sync::{Arc, OnceLock};

use axum::extract::{Path, State};
use bound::formula::{self, TABLE};
use geometry::{Game, Rules};
use run::known;
use serde::Serialize;

use super::games::Printed;
use crate::answer::{self, Answer};
use crate::refusal::Refusal;
use crate::server::App;

/// One game from its usual cross.
#[derive(Serialize)]
struct Row {
    game: String,
    dots: usize,
    in_print: Option<Printed>,
    /// The bound by the best formula, and its argument, line by line.
    bound: Option<u64>,
    by: Option<&'static str>,
    argument: Vec<String>,
    /// Whether a game as long as the bound is known.
    exact: bool,
    /// The least bound of which a proof comes with the program, once the judge has gone through it.
    proven: Option<u32>,
    /// What a proof shows, in words, and its name.
    claim: Option<String>,
    proof: Option<String>,
    endless: bool,
}

/// All games of the table of Demaine et al. (2006).
pub(crate) async fn table(State(app): State<Arc<App>>) -> Answer {
    static ROWS: OnceLock<Vec<Row>> = OnceLock::new();
    let rows = app.slow.run(|_| ROWS.get_or_init(|| TABLE.iter().map(row).collect()));
    answer::json(rows.await?)
}

fn row(published: &formula::Published) -> Row {
    let rules = Rules::new(published.k + 1, published.touching).expect("the table is within range");
    let game = Game::from_cross(rules);
    let bound = formula::best(&game);
    let (proven, endless) = (known::bound(&game), known::endless(&game));
    let claim = proven.as_ref().map(|known| known.claim.clone());
    let proof = proven.as_ref().map(|known| known.file.to_owned());
    let in_print = known::in_print(&game);
    let least =
        [bound.as_ref().map(|bound| bound.bound), proven.as_ref().map(|known| known.bound.into())];
    let least = least.into_iter().flatten().min();
    Row {
        game: rules.to_string(),
        dots: game.start.dots().len(),
        exact: least.is_some() && least == in_print.map(|game| game.moves.into()),
        in_print: in_print.map(Printed::from),
        bound: bound.as_ref().map(|bound| bound.bound),
        by: bound.as_ref().map(|bound| bound.method.name()),
        argument: bound.map(|bound| bound.argument).unwrap_or_default(),
        proven: proven.map(|known| known.bound),
        claim: claim.or_else(|| endless.as_ref().map(|known| known.claim.clone())),
        proof: proof.or_else(|| endless.as_ref().map(|known| format!("endless/{}", known.file))),
        endless: endless.is_some(),
    }
}

#[derive(Serialize)]
struct Checked {
    verdict: &'static str,
    claim: Option<String>,
    reason: Option<String>,
    seconds: f64,
}

/// Has the judge go through a proof now.
pub(crate) async fn check(State(app): State<Arc<App>>, Path(name): Path<String>) -> Answer {
    if !known::proofs().any(|known| known == name) {
        return Err(Refusal::NotFound);
    }
    let checked = app.slow.run(move |_| {
        let began = std::time::Instant::now();
        let proof = known::check(&name).expect("a name of the list");
        let seconds = began.elapsed().as_secs_f64();
        match proof {
            Ok(proof) => {
                Checked { verdict: "proven", claim: Some(proof.claim()), reason: None, seconds }
            }
            Err(refusal) => {
                let reason = Some(refusal.to_string());
                Checked { verdict: "refused", claim: None, reason, seconds }
            }
        }
    });
    answer::json(&checked.await?)
}
