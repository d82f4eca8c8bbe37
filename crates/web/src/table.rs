//! What is known of the usual games: records in print, bounds, proofs. The judge goes through every proof
//! for it, which takes a moment, so it is found out once, when somebody first asks; no page waits for it to
//! play.

use bound::formula::{self, TABLE};
use geometry::{Game, Rules};
use lab::known;
use serde::Serialize;
use tokio::sync::OnceCell;

use crate::refusal::Refusal;
use crate::work::WorkPool;

/// All games of the table of Demaine et al. (2006).
#[derive(Default)]
pub(crate) struct Table(OnceCell<Vec<Row>>);

/// One game from its usual cross.
#[derive(Serialize)]
pub(crate) struct Row {
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
    pub(crate) proven: Option<u32>,
    /// What a proof shows, in words, and its name.
    claim: Option<String>,
    proof: Option<String>,
    endless: bool,
}

/// The longest game in print.
#[derive(Serialize)]
pub(crate) struct Printed {
    moves: u32,
    by: &'static str,
}

impl From<known::PublishedRecord> for Printed {
    fn from(known::PublishedRecord { moves, by }: known::PublishedRecord) -> Self {
        Self { moves, by }
    }
}

impl Table {
    /// All rows; whoever asks first has them made, the others wait.
    pub(crate) async fn rows(&self, work: &WorkPool) -> Result<&[Row], Refusal> {
        let make = || work.run(|_| TABLE.iter().map(row).collect());
        Ok(self.0.get_or_try_init(make).await?)
    }

    /// The row of a game, if it is in the table.
    pub(crate) async fn row(&self, game: &Game, work: &WorkPool) -> Result<Option<&Row>, Refusal> {
        let name = game.rules.to_string();
        Ok(self.rows(work).await?.iter().find(|row| row.game == name))
    }
}

fn row(published: &formula::PublishedRow) -> Row {
    let rules = Rules::new(published.k + 1, published.touching).expect("the table is within range");
    let game = Game::from_cross(rules);
    let bound = formula::best(&game);
    let (proven, endless) = (known::bound(&game), known::endless(&game));
    let claim = proven.as_ref().map(|known| known.claim.clone());
    let proof = proven.as_ref().map(|known| known.file.to_owned());
    let in_print = known::published_record(&game);
    let least =
        [bound.as_ref().map(|bound| bound.bound), proven.as_ref().map(|known| known.bound.into())];
    let least = least.into_iter().flatten().min();
    Row {
        game: rules.to_string(),
        dots: game.start.dots().len(),
        exact: least.is_some() && least == in_print.map(|game| game.moves.into()),
        in_print: in_print.map(Printed::from),
        bound: bound.as_ref().map(|bound| bound.bound),
        by: bound.as_ref().map(|bound| bound.formula.name()),
        argument: bound.map(|bound| bound.argument).unwrap_or_default(),
        proven: proven.map(|known| known.bound),
        claim: claim.or_else(|| endless.as_ref().map(|known| known.claim.clone())),
        proof: proof.or_else(|| endless.as_ref().map(|known| known.file.to_owned())),
        endless: endless.is_some(),
    }
}
