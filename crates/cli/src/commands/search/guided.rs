//! Searches with a trained network.

use std::sync::Arc;

use anyhow::{Context, Result, bail};
use geometry::{Game, Move};
use learn::{INFO, NetworkFile, NetworkMethod, prior};
use search::{MethodSpec, ParameterValues};

use super::{Args, method};
use crate::files;
use crate::output::note;

/// The games that give NRPA its prior, and their seed.
const GAMES: usize = 200;
const SEED: u64 = 1;

/// The method that uses --model; `None` without it.
pub(super) fn method_of(
    args: &Args,
    name: Option<&str>,
    game: &Game,
    from: Option<&[Move]>,
    given: &[(&str, &str)],
) -> Result<Option<MethodSpec>> {
    let Some(file) = &args.model else {
        if name == Some(INFO.name) {
            bail!("--method learned needs --model FILE; train one with `morpion learn train`");
        }
        return Ok(None);
    };
    if args.resume {
        bail!("a search with a model cannot be resumed; leave --resume out");
    }
    let model = lab::training_folder::read_network(file)?;
    check(&model, game, from).with_context(|| format!("--model {}", files::name(file)))?;
    match name {
        Some("learned") => {
            let values = ParameterValues::parse(INFO.parameters, game, given.iter().copied());
            let values = values.context("--method learned")?;
            let guide = NetworkMethod::new(Arc::new(model), &values);
            Ok(Some(MethodSpec::external(&INFO, values, Arc::new(guide))))
        }
        Some(name) if name != "nrpa" => {
            bail!("--method {name} does not use --model; nrpa and learned do")
        }
        Some(name) => {
            note(format_args!("playing {GAMES} games of the network first, within --for"));
            let prior = Arc::new(prior(&model, GAMES, SEED));
            Ok(method(name, game, given)?.with_prior(prior))
        }
        None => bail!("--model needs --method learned or --method nrpa"),
    }
}

/// Checks that the network is for this game and its board holds the first moves.
fn check(model: &NetworkFile, game: &Game, from: Option<&[Move]>) -> Result<()> {
    let trained = model.encoder.game();
    if trained != game {
        bail!("it was trained for {trained}, not for {game}");
    }
    if let Some(mv) = from.unwrap_or_default().iter().find(|&&mv| !model.encoder.contains(mv)) {
        let side = model.encoder.side();
        bail!("the first moves do not fit its {side} x {side} board: {mv} is off the board");
    }
    Ok(())
}
