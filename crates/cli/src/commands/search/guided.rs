//! Searches with a trained network.

use std::sync::Arc;

use anyhow::{Context, Result, bail};
use geometry::{Game, Move};
use learn::{Guide, INFO, Model, prior};
use search::{Method, Values};

use super::{Args, method};
use crate::commands::learn::read_model;
use crate::files;

/// How many games of the network tell NRPA which lines are promising, and the seed of their chance.
const GAMES: usize = 200;
const SEED: u64 = 1;

/// The method that uses the network given; `None` if none is given.
pub(super) fn method_of(
    args: &Args,
    game: &Game,
    from: Option<&[Move]>,
    given: &[(&str, &str)],
) -> Result<Option<Method>> {
    let name = args.method.as_deref();
    let Some(file) = &args.model else {
        if name == Some(INFO.name) {
            bail!("--method learned needs --model FILE; `morpion learn train` makes one");
        }
        return Ok(None);
    };
    if args.resume {
        bail!("a search with a model is not saved, and cannot be resumed: leave --resume out");
    }
    let model = read_model(file)?;
    check(&model, game, from).with_context(|| format!("--model {}", files::name(file)))?;
    match name {
        Some("learned") => {
            let values = Values::read(INFO.parameters, game, given.iter().copied());
            let values = values.context("--method learned")?;
            let guide = Guide::new(Arc::new(model), &values);
            Ok(Some(Method::outside(&INFO, values, Arc::new(guide))))
        }
        Some(name) => {
            let prior = Arc::new(prior(&model, GAMES, SEED));
            let informed = method(name, game, given)?.with_prior(prior);
            let informed = informed.with_context(|| {
                format!("--method {name} has no use for --model: nrpa and learned have")
            })?;
            Ok(Some(informed))
        }
        None => bail!("--model needs --method learned or --method nrpa"),
    }
}

/// Whether the network is of this game, and can see its first moves.
fn check(model: &Model, game: &Game, from: Option<&[Move]>) -> Result<()> {
    let trained = model.frame.game();
    if trained != game {
        bail!("it was trained for {trained}, not for {game}");
    }
    if let Some(mv) = from.unwrap_or_default().iter().find(|&&mv| !model.frame.holds(mv)) {
        let side = model.frame.side();
        bail!(
            "its board of {side} x {side} does not hold the first moves: {mv} is beyond the edge"
        );
    }
    Ok(())
}
