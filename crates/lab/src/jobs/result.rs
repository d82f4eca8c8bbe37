//! The result of a job, its message `morpion-result/1` (`docs/reference/state-files.md`), and its
//! verification.

use bound::BoardProblem;
use evidence::{VerifiedProof, VerifiedRecord, VerifyError};
use geometry::Game;
use hunt::{HuntSpec, PROGRAM};
use serde::{Deserialize, Serialize};
use store::AcceptedResult;

use super::{Job, Work};

/// The format of results.
const FORMAT: &str = "morpion-result/1";

/// The most bytes of a result.
pub const MOST_RESULT_BYTES: usize = 16 << 20;

/// What a worker submits. Nothing of it counts until it is verified.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JobResult {
    format: String,
    /// The id of the job.
    pub task: String,
    /// The program that computed it.
    pub program: String,
    /// How long it took.
    pub seconds: f64,
    /// The number of playouts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub playouts: Option<u64>,
    /// The game found, as the text of a native file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub game: Option<String>,
    /// The certificate found, as text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub certificate: Option<String>,
}

impl JobResult {
    /// The result of a job without a game or certificate yet.
    pub fn new(job: &Job, seconds: f64) -> Self {
        Self {
            format: FORMAT.to_owned(),
            task: job.id().to_string(),
            program: PROGRAM.to_owned(),
            seconds,
            playouts: None,
            game: None,
            certificate: None,
        }
    }

    /// Its message.
    pub fn to_bytes(&self) -> Vec<u8> {
        serde_json::to_vec(self).expect("a message is made of JSON values")
    }
}

/// Why a result is not accepted.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ResultError {
    /// Larger than any result.
    #[error("a result of {0} bytes; at most {MOST_RESULT_BYTES} are accepted")]
    TooLarge(usize),
    /// Not the JSON expected.
    #[error("not a result: {0}")]
    Malformed(String),
    /// Another version.
    #[error("its format is `{0}`; this program reads `{FORMAT}`")]
    Format(String),
    /// The result of another job.
    #[error("it is the result of another task, {0}")]
    OtherJob(String),
    /// Not the kind of result that the job asks for.
    #[error("expected a {0} and nothing else")]
    Expected(&'static str),
    /// The verifier refuses it.
    #[error(transparent)]
    NotAccepted(#[from] VerifyError),
    /// A game of another kind.
    #[error("a game of {found}, but the task is for {expected}")]
    OtherGame {
        /// The game of the job.
        expected: String,
        /// The game of the result.
        found: String,
    },
    /// A certificate of something else.
    #[error("it proves something else: {0}")]
    OtherClaim(String),
    /// Not a plausible time.
    #[error("its number of seconds is out of range")]
    Seconds,
}

/// Verifies a result. Returns what is to be stored, and how many seconds it took.
///
/// The provenance that the game states is not trusted: the job knows it.
pub fn verify_result(job: &Job, bytes: &[u8]) -> Result<(AcceptedResult, f64), ResultError> {
    if bytes.len() > MOST_RESULT_BYTES {
        return Err(ResultError::TooLarge(bytes.len()));
    }
    let result: JobResult = serde_json::from_slice(bytes)
        .map_err(|error| ResultError::Malformed(error.to_string().chars().take(200).collect()))?;
    let short = |text: &str| text.chars().take(64).flat_map(char::escape_debug).collect();
    if result.format != FORMAT {
        return Err(ResultError::Format(short(&result.format)));
    }
    if result.task != job.id().as_str() {
        return Err(ResultError::OtherJob(short(&result.task)));
    }
    if !(0.0..1e9).contains(&result.seconds) {
        return Err(ResultError::Seconds);
    }
    let accepted = match (job.work(), &result.game, &result.certificate) {
        (Work::Hunt { hunt, .. }, Some(game), None) => {
            AcceptedResult::Game(Box::new(verified_game(hunt, game, result.playouts.unwrap_or(0))?))
        }
        (Work::Hunt { .. }, _, _) => return Err(ResultError::Expected("game")),
        (Work::Board(asked), None, Some(certificate)) => {
            AcceptedResult::Proof(Box::new(checked_proof(asked, certificate)?))
        }
        (Work::Board(_), _, _) => return Err(ResultError::Expected("certificate")),
        (Work::Nothing(_), None, None) => AcceptedResult::Nothing,
        (Work::Nothing(_), _, _) => return Err(ResultError::Expected("number of seconds")),
    };
    Ok((accepted, result.seconds))
}

/// The number of moves of any job's result, if it is a legal game of this kind.
pub(super) fn verified_score(bytes: &[u8], game: &Game) -> Option<u32> {
    let bytes = Some(bytes).filter(|bytes| bytes.len() <= MOST_RESULT_BYTES)?;
    let result: JobResult = serde_json::from_slice(bytes).ok()?;
    let verified = VerifiedRecord::parse(&result.game?).ok()?;
    (verified.game() == game).then(|| verified.score())
}

/// The job that a result says it is of.
pub(super) fn job_of(bytes: &[u8]) -> Option<String> {
    let bytes = Some(bytes).filter(|bytes| bytes.len() <= MOST_RESULT_BYTES)?;
    Some(serde_json::from_slice::<JobResult>(bytes).ok()?.task)
}

fn verified_game(
    hunt: &HuntSpec,
    text: &str,
    playouts: u64,
) -> Result<VerifiedRecord, ResultError> {
    let verified = VerifiedRecord::parse(text)?;
    if *verified.game() != hunt.game {
        let (expected, found) = (hunt.game.to_string(), verified.game().to_string());
        return Err(ResultError::OtherGame { expected, found });
    }
    let provenance = hunt.record(Vec::new(), playouts).provenance;
    Ok(verified.with_provenance(provenance))
}

fn checked_proof(asked: &BoardProblem, text: &str) -> Result<VerifiedProof, ResultError> {
    let proof = VerifiedProof::new(text.to_owned())?;
    let exact = if asked.exact { "exact " } else { "" };
    let board = format!("{exact}{}", asked.board);
    let subject = proof.subject();
    match subject.game == asked.game && subject.board.as_ref() == Some(&board) {
        true => Ok(proof),
        false => Err(ResultError::OtherClaim(proof.to_string())),
    }
}

#[cfg(test)]
mod tests {
    use search::MethodSpec;

    use super::*;

    fn job(name: &str) -> Job {
        let game = Game::named(name).expect("a game");
        let method = MethodSpec::named("random", &game, []).expect("a method");
        let budget = hunt::HuntBudget { playouts: Some(1), ..Default::default() };
        let hunt = HuntSpec { game, prefix: vec![], method, seed: 7, threads: 1, budget };
        Job::hunt(hunt)
    }

    fn game(rules: &str, dot: &str) -> String {
        let head = format!(r#"{{"format":"morpion-game/1","rules":"{rules}","start":"cross""#);
        let provenance = r#""provenance":{"author":"a liar","seed":99}"#;
        format!(r#"{head},"moves":[{{"new":{dot},"line":[[3,0],"E"]}}],{provenance}}}"#)
    }

    fn submitted(job: &Job, game: Option<String>) -> Vec<u8> {
        JobResult { game, ..JobResult::new(job, 0.5) }.to_bytes()
    }

    #[test]
    fn a_legal_game_is_accepted_with_the_provenance_of_its_job() {
        let job = job("5T");
        let bytes = submitted(&job, Some(game("5T", "[7,0]")));
        let (accepted, seconds) = verify_result(&job, &bytes).expect("accepted");
        let AcceptedResult::Game(verified) = accepted else { panic!("a game") };
        assert_eq!((verified.score(), seconds), (1, 0.5));
        assert_eq!(verified.provenance().seed, Some(7));
        assert_eq!(verified.provenance().author, None);
    }

    #[test]
    fn every_other_result_is_refused_with_a_reason() {
        let (ours, other) = (job("5T"), job("5D"));
        let good = submitted(&ours, Some(game("5T", "[7,0]")));
        let certificate =
            JobResult { certificate: Some(String::new()), ..JobResult::new(&ours, 1.0) };
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("text");
        for (bytes, reason) in [
            (submitted(&ours, Some(game("5T", "[4,0]"))), "refuses"),
            (submitted(&ours, Some(game("5D", "[7,0]"))), "of 5D, but the task is for 5T"),
            (submitted(&ours, Some("no game".to_owned())), "refuses"),
            (submitted(&ours, None), "expected a game"),
            (certificate.to_bytes(), "expected a game"),
            (submitted(&other, Some(game("5T", "[7,0]"))), "another task"),
            (good[..good.len() / 2].to_vec(), "not a result"),
            (vec![b' '; MOST_RESULT_BYTES + 1], "at most"),
            (text(&good).replace("result/1", "result/2").into_bytes(), "result/2"),
            (text(&good).replace("0.5", "-0.5").into_bytes(), "seconds"),
            (text(&good).replace("\"seconds\"", "\"extra\":1,\"seconds\"").into(), "extra"),
        ] {
            let error = verify_result(&ours, &bytes).expect_err(reason);
            assert!(error.to_string().contains(reason), "{error}: {reason}");
        }
    }
}
